-- rolling: safe: a new table, which the previous version neither reads nor writes; it deletes calendars, and feeds with them
-- CreateTable
CREATE TABLE "calendar_feeds" (
    "id" TEXT NOT NULL,
    "calendar_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "detail" TEXT NOT NULL,
    "days_back" SMALLINT NOT NULL,
    "days_ahead" SMALLINT NOT NULL,
    "uid_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_read_at" TIMESTAMPTZ(6),

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_token_hash_key" ON "calendar_feeds"("token_hash");

-- CreateIndex
CREATE INDEX "calendar_feeds_calendar_id_created_at_idx" ON "calendar_feeds"("calendar_id", "created_at");

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;
