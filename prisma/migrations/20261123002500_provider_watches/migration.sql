-- A provider's promise to notify us of changes, of a calendar or of a profile's list of calendars. Only the digest of its secret is stored.
CREATE TABLE "provider_watches" (
    "channel" TEXT NOT NULL,
    "profile_id" TEXT NOT NULL,
    "calendar_id" TEXT,
    "secret_hash" BYTEA NOT NULL,
    "resource" TEXT,
    "expires_at" TIMESTAMPTZ(6),
    "renew_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "provider_watches_pkey" PRIMARY KEY ("channel")
);
CREATE INDEX "provider_watches_profile_id_idx" ON "provider_watches"("profile_id");
CREATE INDEX "provider_watches_calendar_id_idx" ON "provider_watches"("calendar_id");
ALTER TABLE "provider_watches" ADD CONSTRAINT "provider_watches_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "provider_watches" ADD CONSTRAINT "provider_watches_calendar_id_fkey" FOREIGN KEY ("calendar_id") REFERENCES "calendars"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The access of a profile whose data was deleted, until its provider was asked to end it.
CREATE TABLE "provider_revocations" (
    "profile_id" TEXT NOT NULL,
    "provider" "provider" NOT NULL,
    "subject" TEXT NOT NULL,
    "credential" TEXT NOT NULL,
    "watches" JSONB NOT NULL DEFAULT '[]',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "provider_revocations_pkey" PRIMARY KEY ("profile_id")
);
CREATE INDEX "provider_revocations_due_at_idx" ON "provider_revocations"("due_at");
