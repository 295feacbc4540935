-- rolling: safe: a nullable column that the previous version neither reads nor writes, and an index
ALTER TABLE "events" ADD COLUMN     "push_attempts" INTEGER;

CREATE INDEX "events_deleted_event_id" ON "events"("calendar_id", "event_id", "deleted_at") WHERE "deleted_at" IS NOT NULL AND "event_id" IS NOT NULL;
