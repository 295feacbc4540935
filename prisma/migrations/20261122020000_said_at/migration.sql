-- AlterTable
ALTER TABLE "events" ADD COLUMN "said_at" TIMESTAMPTZ(6);

-- What follows has no words in schema.prisma: tests/api/db/ground.test.ts holds it.

-- Series whose words were changed since a time: reads with last_modified return their occurrences, whose rows were not touched.
CREATE INDEX "events_said" ON "events"("calendar_id", "said_at") WHERE "said_at" IS NOT NULL;
