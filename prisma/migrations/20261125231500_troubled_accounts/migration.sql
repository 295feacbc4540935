-- rolling: safe: nullable columns, which triggers keep whichever version writes, and indexes of them
-- The disconnected and the failing mailboxes in the order of staff's list of accounts (server/services/staff/accounts/troubled.ts). What is
-- null for all others tells PostgreSQL how many there are. failing: as in server/services/staff/accounts/mailbox-states.ts.
ALTER TABLE "profiles" ADD COLUMN "disconnected_account_created_at" TIMESTAMPTZ(6);
ALTER TABLE "profile_syncs" ADD COLUMN "failing_account_id" TEXT,
    ADD COLUMN "failing_account_created_at" TIMESTAMPTZ(6);

-- Seldom, and after the row is written: for a trigger before it, PostgreSQL would lock each row first, at every update of the table.
CREATE FUNCTION "note_account_of_disconnected"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "profiles" SET "disconnected_account_created_at" =
        CASE WHEN NOT NEW."connected" THEN (SELECT "created_at" FROM "accounts" WHERE "id" = NEW."account_id") END
    WHERE "id" = NEW."id";
    RETURN NULL;
END $$;
CREATE TRIGGER "profiles_disconnected" AFTER INSERT OR UPDATE OF "connected" ON "profiles" FOR EACH ROW
    WHEN (NEW."connected" = (NEW."disconnected_account_created_at" IS NOT NULL)) EXECUTE FUNCTION "note_account_of_disconnected"();

CREATE FUNCTION "note_account_of_failing"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."failing_account_id" IS NOT NULL THEN
        UPDATE "profile_syncs" SET "failing_account_id" = NULL, "failing_account_created_at" = NULL WHERE "profile_id" = NEW."profile_id";
    ELSE
        UPDATE "profile_syncs" s SET "failing_account_id" = a."id", "failing_account_created_at" = a."created_at"
        FROM "profiles" p JOIN "accounts" a ON a."id" = p."account_id" WHERE s."profile_id" = NEW."profile_id" AND p."id" = NEW."profile_id";
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "profile_syncs_failing" AFTER INSERT OR UPDATE OF "readable", "sync_failures" ON "profile_syncs" FOR EACH ROW
    WHEN ((NEW."readable" AND NEW."sync_failures" >= 3) <> (NEW."failing_account_id" IS NOT NULL)) EXECUTE FUNCTION "note_account_of_failing"();

UPDATE "profiles" p SET "disconnected_account_created_at" = a."created_at" FROM "accounts" a WHERE a."id" = p."account_id" AND NOT p."connected";
UPDATE "profile_syncs" s SET "failing_account_id" = a."id", "failing_account_created_at" = a."created_at"
FROM "profiles" p JOIN "accounts" a ON a."id" = p."account_id" WHERE p."id" = s."profile_id" AND s."readable" AND s."sync_failures" >= 3;

-- For all applications, and for one.
CREATE INDEX "profiles_disconnected_newest" ON "profiles"("disconnected_account_created_at", "account_id") WHERE "disconnected_account_created_at" IS NOT NULL;
CREATE INDEX "profiles_disconnected_of_application" ON "profiles"("application_id", "disconnected_account_created_at", "account_id") WHERE "disconnected_account_created_at" IS NOT NULL;
CREATE INDEX "profile_syncs_failing_newest" ON "profile_syncs"("failing_account_created_at", "failing_account_id") WHERE "failing_account_created_at" IS NOT NULL;
CREATE INDEX "profile_syncs_failing_of_application" ON "profile_syncs"("application_id", "failing_account_created_at", "failing_account_id") WHERE "failing_account_created_at" IS NOT NULL;
