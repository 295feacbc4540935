-- rolling: stop-first: the previous release accepts the requests of an application that was disabled
ALTER TABLE "applications" ADD COLUMN "disabled_at" TIMESTAMPTZ(6),
    ADD COLUMN "deleted_at" TIMESTAMPTZ(6);

-- Mailboxes of a disabled application are not read (ADR 67): what is kept of it in `readable` does not change when something else of a profile does.
CREATE OR REPLACE FUNCTION "keep_profile_sync"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "profile_syncs" ("profile_id", "application_id", "provider", "readable", "first_sync")
        VALUES (NEW."id", NEW."application_id", NEW."provider", NEW."connected" AND NEW."credential" IS NOT NULL
            AND EXISTS (SELECT FROM "applications" a WHERE a."id" = NEW."application_id" AND a."disabled_at" IS NULL), NEW."initial_sync_required");
    ELSIF NEW."connected" = OLD."connected" AND NEW."credential" IS NULL = (OLD."credential" IS NULL) THEN
        UPDATE "profile_syncs" SET "first_sync" = NEW."initial_sync_required" WHERE "profile_id" = NEW."id";
    ELSE
        UPDATE "profile_syncs" SET "readable" = NEW."connected" AND NEW."credential" IS NOT NULL
            AND EXISTS (SELECT FROM "applications" a WHERE a."id" = NEW."application_id" AND a."disabled_at" IS NULL), "first_sync" = NEW."initial_sync_required"
        WHERE "profile_id" = NEW."id";
    END IF;
    RETURN NULL;
END $$;
