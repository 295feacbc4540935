-- rolling: stop-first: the previous release claims mailboxes in columns of profiles that this drops; what it had claimed is claimed again when its lease ends
CREATE TABLE "profile_syncs" (
    "profile_id" TEXT NOT NULL,
    "application_id" TEXT NOT NULL,
    "provider" "provider" NOT NULL,
    "readable" BOOLEAN NOT NULL,
    "first_sync" BOOLEAN NOT NULL,
    "sync_token" TEXT,
    "last_sync_at" TIMESTAMPTZ(6),
    "sync_due_at" TIMESTAMPTZ(6),
    "poll_due_at" TIMESTAMPTZ(6),
    "sync_lease" TEXT,
    "sync_leased_until" TIMESTAMPTZ(6),
    "sync_failures" INTEGER NOT NULL DEFAULT 0,
    "sync_error" TEXT,
    "throttled_until" TIMESTAMPTZ(6),
    "sync_slow" BOOLEAN NOT NULL DEFAULT false,
    "push_slow" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "profile_syncs_pkey" PRIMARY KEY ("profile_id")
);

INSERT INTO "profile_syncs"
SELECT "id", "application_id", "provider", "connected" AND "credential" IS NOT NULL, "initial_sync_required", "sync_token", "last_sync_at", "sync_due_at",
    "poll_due_at", "sync_lease", "sync_leased_until", "sync_failures", "sync_error", "throttled_until", "sync_slow", "push_slow" FROM "profiles";

ALTER TABLE "profile_syncs" ADD CONSTRAINT "profile_syncs_profile_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When a provider is due next: those of a paused one are never come across.
CREATE INDEX "profile_syncs_due" ON "profile_syncs"("provider", "first_sync", "sync_due_at") WHERE "readable";
-- The mailboxes of an application at a provider whose sync is due: first syncs have a lane of their own, and slow mailboxes a queue.
CREATE INDEX "profile_syncs_of_application_due" ON "profile_syncs"("provider", "application_id", "sync_slow", "sync_due_at") WHERE "readable" AND NOT "first_sync";
CREATE INDEX "profile_syncs_of_application_first" ON "profile_syncs"("provider", "application_id", "sync_due_at") WHERE "readable" AND "first_sync";
CREATE INDEX "profile_syncs_throttled" ON "profile_syncs"("throttled_until") WHERE "throttled_until" IS NOT NULL;

ALTER TABLE "profiles" DROP COLUMN "sync_token",
    DROP COLUMN "last_sync_at",
    DROP COLUMN "sync_due_at",
    DROP COLUMN "poll_due_at",
    DROP COLUMN "sync_lease",
    DROP COLUMN "sync_leased_until",
    DROP COLUMN "sync_failures",
    DROP COLUMN "sync_error",
    DROP COLUMN "throttled_until",
    DROP COLUMN "sync_slow",
    DROP COLUMN "push_slow";

-- A profile has its row from the start, and the row knows what a claim has to know of the profile.
CREATE FUNCTION "keep_profile_sync"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "profile_syncs" ("profile_id", "application_id", "provider", "readable", "first_sync")
        VALUES (NEW."id", NEW."application_id", NEW."provider", NEW."connected" AND NEW."credential" IS NOT NULL, NEW."initial_sync_required");
    ELSE
        UPDATE "profile_syncs" SET "readable" = NEW."connected" AND NEW."credential" IS NOT NULL, "first_sync" = NEW."initial_sync_required"
        WHERE "profile_id" = NEW."id";
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "profiles_inserted" AFTER INSERT ON "profiles" FOR EACH ROW EXECUTE FUNCTION "keep_profile_sync"();
CREATE TRIGGER "profiles_updated" AFTER UPDATE OF "connected", "credential", "initial_sync_required" ON "profiles" FOR EACH ROW
    WHEN (NEW."connected" <> OLD."connected" OR NEW."credential" IS NULL <> (OLD."credential" IS NULL) OR NEW."initial_sync_required" <> OLD."initial_sync_required")
    EXECUTE FUNCTION "keep_profile_sync"();
