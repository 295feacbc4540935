-- Series are stored as rules, and their occurrences up to `covered_until`; null where all there are are stored.
-- AlterTable
ALTER TABLE "calendars" ADD COLUMN     "covered_until" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "covered_until" TIMESTAMPTZ(6),
ADD COLUMN     "first_uid" TEXT,
ADD COLUMN     "foreign_rule" JSONB;

-- The series whose occurrences have to be continued.
CREATE INDEX "events_to_continue" ON "events"("calendar_id", "covered_until") WHERE "covered_until" IS NOT NULL AND "deleted_at" IS NULL;

-- The calendars that the day's chore continues.
CREATE INDEX "calendars_to_continue" ON "calendars"("covered_until") WHERE "covered_until" IS NOT NULL;
