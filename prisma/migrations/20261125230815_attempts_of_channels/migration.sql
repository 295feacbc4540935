-- rolling: safe: columns that the previous version neither reads nor writes
-- Channels first, as the statement that stores outcomes takes them.
ALTER TABLE "channels" ADD COLUMN "failed_at" TIMESTAMPTZ(6),
    ADD COLUMN "failed_status" INTEGER,
    ADD COLUMN "failed_error" TEXT;
ALTER TABLE "attempts" ADD COLUMN "channel_id" TEXT;
