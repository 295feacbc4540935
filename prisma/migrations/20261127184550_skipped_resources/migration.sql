-- rolling: safe: a new table, and a column with a default that the previous version neither reads nor writes
-- AlterTable
ALTER TABLE "calendars" ADD COLUMN "reader" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "skipped_resources" (
    "calendar_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "etag" TEXT,
    "reason" TEXT NOT NULL,
    "is_event" BOOLEAN NOT NULL DEFAULT true,
    "read_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "skipped_resources_pkey" PRIMARY KEY ("calendar_id","external_id")
);

-- AddForeignKey
ALTER TABLE "skipped_resources" ADD CONSTRAINT "skipped_resources_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;
