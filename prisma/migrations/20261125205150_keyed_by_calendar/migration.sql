-- rolling: stop-first: the previous version writes occurrences and queued writes with ON CONFLICT on unique indexes that are gone
-- Events, their occurrences and their queued writes are keyed by calendar first, so that every unique index has the column by which the tables
-- can be partitioned, and every statement that names an event looks into the rows of one calendar (ADR 59). No row changes.

ALTER TABLE "occurrences" DROP CONSTRAINT "occurrences_master_id_fkey", DROP CONSTRAINT "occurrences_pkey";
ALTER TABLE "provider_writes" DROP CONSTRAINT "provider_writes_event_row_fkey";
ALTER TABLE "events" DROP CONSTRAINT "events_pkey";
-- The first column of the new unique index serves what the last of them did.
DROP INDEX "occurrences_master_id_day_idx", "provider_writes_event_row_key", "provider_writes_of_calendar";

ALTER TABLE "events" ADD CONSTRAINT "events_pkey" PRIMARY KEY ("calendar_id", "id");
ALTER TABLE "occurrences" ADD CONSTRAINT "occurrences_pkey" PRIMARY KEY ("calendar_id", "uid");
-- The search of the dashboard alone knows no calendar.
CREATE INDEX "events_living_id" ON "events"("id") WHERE "deleted_at" IS NULL;
CREATE INDEX "occurrences_calendar_id_master_id_day_idx" ON "occurrences"("calendar_id", "master_id", "day");
CREATE UNIQUE INDEX "provider_writes_calendar_id_event_row_key" ON "provider_writes"("calendar_id", "event_row");

ALTER TABLE "occurrences" ADD CONSTRAINT "occurrences_calendar_id_master_id_fkey"
    FOREIGN KEY ("calendar_id", "master_id") REFERENCES "events"("calendar_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "provider_writes" ADD CONSTRAINT "provider_writes_calendar_id_event_row_fkey"
    FOREIGN KEY ("calendar_id", "event_row") REFERENCES "events"("calendar_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
