-- rolling: safe: nullable columns that the previous version neither reads nor writes
ALTER TABLE "calendars" ADD COLUMN     "failed_at" TIMESTAMPTZ(6);

ALTER TABLE "provider_tokens" ADD COLUMN     "refused_at" TIMESTAMPTZ(6);

ALTER TABLE "provider_watches" ADD COLUMN     "refused_for" TEXT;
