-- What the application has changed since its provider heard of the event last (null: all of it, or unknown), and whether a sync has
-- read since that others changed it, without taking it.
ALTER TABLE "provider_writes" ADD COLUMN "touched" TEXT[],
    ADD COLUMN "passed_over" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "parked" BOOLEAN NOT NULL DEFAULT false;

UPDATE "provider_writes" w SET "parked" = true FROM "profiles" p WHERE p."id" = w."profile_id" AND NOT p."connected";

-- Writes of disconnected profiles wait apart, so that no claim comes across them.
DROP INDEX "provider_writes_due";
DROP INDEX "provider_writes_of_profile";
CREATE INDEX "provider_writes_due" ON "provider_writes"("due_at") WHERE "refused_at" IS NULL AND NOT "parked";
CREATE INDEX "provider_writes_of_profile" ON "provider_writes"("profile_id", "due_at") WHERE "refused_at" IS NULL AND NOT "parked";
CREATE INDEX "provider_writes_parked" ON "provider_writes"("profile_id") WHERE "parked";
