-- rolling: safe: an index that the previous version neither needs nor minds
-- The search of the dashboard finds an event by the application's name for it. What others made has none.
CREATE INDEX "events_event_id" ON "events"("event_id") WHERE "event_id" IS NOT NULL AND "deleted_at" IS NULL;
