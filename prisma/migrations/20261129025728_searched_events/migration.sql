-- rolling: safe: a nullable column, and indexes; what the previous version logs has no keys of events and is not found by them
-- AlterTable
ALTER TABLE "request_logs" ADD COLUMN     "event_keys" BIGINT[];

CREATE INDEX request_logs_event_keys ON request_logs USING gin (event_keys) WITH (gin_pending_list_limit = 512) WHERE event_keys IS NOT NULL;

-- Staff find deleted events, too.
CREATE INDEX events_deleted_id ON events (id) WHERE deleted_at IS NOT NULL;
DROP INDEX events_deleted_event_id;
CREATE INDEX events_deleted_event_id ON events (event_id, calendar_id, deleted_at) WHERE deleted_at IS NOT NULL AND event_id IS NOT NULL;

-- An occurrence of a series by its uid. A single event has that of its row.
CREATE INDEX occurrences_of_series_uid ON occurrences USING hash (uid) WHERE uid <> master_id;

-- The segments of a callback URL's path.
CREATE INDEX channels_path_segments ON channels USING gin (string_to_array(coalesce(substring(callback_url from '^[^:]*://[^/?#]*(/[^?#]*)'), ''), '/'));
