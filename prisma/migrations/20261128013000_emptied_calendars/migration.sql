-- rolling: safe: a nullable column that the previous version neither reads nor writes
ALTER TABLE "calendars" ADD COLUMN     "emptied_since" TIMESTAMPTZ(6);
