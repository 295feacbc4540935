ALTER TABLE "events" ADD COLUMN "agreed_series" JSONB,
    ADD COLUMN "pushed_at" TIMESTAMPTZ(6);

ALTER TABLE "provider_writes" ADD COLUMN "undone_at" TIMESTAMPTZ(6);
