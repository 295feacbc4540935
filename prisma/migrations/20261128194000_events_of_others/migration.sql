-- rolling: safe: columns that the previous version neither reads nor writes, with defaults that change nothing
ALTER TABLE "applications" ADD COLUMN     "edit_foreign_events" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "profiles" ADD COLUMN     "foreign_edits" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "provider_writes" ADD COLUMN     "conditional" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "replies" JSONB;
