-- rolling: online: the audit trail is read without the new ones, and by the previous version without the old ones, only more slowly
CREATE INDEX CONCURRENTLY "audit_entries_action_at_id_idx" ON "audit_entries"("action", "at", "id");
CREATE INDEX CONCURRENTLY "audit_entries_operator_id_action_at_id_idx" ON "audit_entries"("operator_id", "action", "at", "id");
DROP INDEX CONCURRENTLY IF EXISTS "audit_entries_at_idx";
DROP INDEX CONCURRENTLY IF EXISTS "audit_entries_operator_id_at_idx";
