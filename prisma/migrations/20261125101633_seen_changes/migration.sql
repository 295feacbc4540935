-- rolling: safe: the previous version neither reads nor writes what is new: changes that it announces are not in the table
-- What staff are shown when they ask why nothing was sent (ADR 72). Rows come in the order of time and go in it, so a few pages of a BRIN index find the oldest.
ALTER TABLE "calendars" ADD COLUMN "noticed_at" TIMESTAMPTZ(6),
    ADD COLUMN "read_at" TIMESTAMPTZ(6);

ALTER TABLE "profile_syncs" ADD COLUMN "noticed_at" TIMESTAMPTZ(6);

CREATE TABLE "seen_changes" (
    "account_id" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(6) NOT NULL,
    "calendar_id" TEXT NOT NULL,
    "managed" BOOLEAN NOT NULL,
    "first_at" TIMESTAMPTZ(6) NOT NULL,
    "last_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "seen_changes_pkey" PRIMARY KEY ("account_id","minute","calendar_id","managed")
);

CREATE INDEX "seen_changes_minute_idx" ON "seen_changes" USING BRIN ("minute");
