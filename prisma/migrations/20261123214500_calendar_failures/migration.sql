-- A calendar that cannot be read waits by itself, longer each time: how many reads in a row have failed, and the error of the last one.
ALTER TABLE "calendars" ADD COLUMN "sync_failures" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "calendars" ADD COLUMN "sync_error" TEXT;
