-- rolling: safe: a column with a constant default that the previous version neither reads nor writes
ALTER TABLE "calendars" ADD COLUMN     "unseen_writes" TEXT[] NOT NULL DEFAULT '{}';
