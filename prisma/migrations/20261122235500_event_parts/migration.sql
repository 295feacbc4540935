-- The etags of a series' exceptions, by their names, where the provider keeps them as items of their own.
ALTER TABLE "events" ADD COLUMN "parts" JSONB;
-- When to look next for the meeting link that the provider is creating, and how often that was done.
ALTER TABLE "events" ADD COLUMN "link_due_at" TIMESTAMPTZ(6);
ALTER TABLE "events" ADD COLUMN "link_looks" SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX "events_link_due" ON "events" ("calendar_id", "link_due_at") WHERE "link_due_at" IS NOT NULL;

-- What an event is called at its provider if the write creates it. Until now every resource was named after the row's digest.
ALTER TABLE "provider_writes" ADD COLUMN "name" TEXT;
UPDATE "provider_writes" SET "name" = encode(sha256(convert_to("event_row", 'UTF8')), 'hex') || '.ics';
