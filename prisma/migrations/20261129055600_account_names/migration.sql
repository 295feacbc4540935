-- rolling: online: the list of accounts is sorted by name without them, only more slowly
-- Accounts by the name that the dashboard shows: its first 100 characters, since a longer one does not fit into an index (ADR 123).
CREATE INDEX CONCURRENTLY accounts_name ON accounts (left(lower(coalesce(application_calendar_id, nullif(email, ''), name)), 100) COLLATE "C", id);
CREATE INDEX CONCURRENTLY accounts_name_of_application ON accounts (application_id, left(lower(coalesce(application_calendar_id, nullif(email, ''), name)), 100) COLLATE "C", id);
