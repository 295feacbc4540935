ALTER TABLE "profiles" ADD COLUMN "sync_due_at" TIMESTAMPTZ(6),
    ADD COLUMN "sync_lease" TEXT,
    ADD COLUMN "sync_leased_until" TIMESTAMPTZ(6),
    ADD COLUMN "sync_failures" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "sync_error" TEXT;

ALTER TABLE "calendars" ADD COLUMN "version" TEXT;

CREATE TABLE "provider_writes" (
    "id" BIGSERIAL NOT NULL,
    "event_row" TEXT NOT NULL,
    "calendar_id" TEXT NOT NULL,
    "profile_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 1,
    "notify" BOOLEAN NOT NULL DEFAULT false,
    "removed_guests" TEXT[],
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "lease" TEXT,
    "leased_until" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "refused_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_writes_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "provider_writes_event_row_key" ON "provider_writes"("event_row");
CREATE INDEX "provider_writes_account_id_idx" ON "provider_writes"("account_id");
ALTER TABLE "provider_writes" ADD CONSTRAINT "provider_writes_event_row_fkey" FOREIGN KEY ("event_row") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Profiles that are connected and have a provider to ask; writes that are not refused.
CREATE INDEX "profiles_sync_due" ON "profiles"("sync_due_at") WHERE "connected";
CREATE INDEX "provider_writes_due" ON "provider_writes"("due_at") WHERE "refused_at" IS NULL;
CREATE INDEX "provider_writes_of_profile" ON "provider_writes"("profile_id", "due_at") WHERE "refused_at" IS NULL;
CREATE INDEX "provider_writes_of_calendar" ON "provider_writes"("calendar_id");
