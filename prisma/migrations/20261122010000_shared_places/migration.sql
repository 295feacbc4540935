-- Changes that wait for the end of a `change` which has been attempted: when the earliest of them was; null: none waits.
ALTER TABLE "deliveries" ADD COLUMN "joined_since" TIMESTAMPTZ(6);

-- What an application has at a host is claimed in time order: one application's backlog is stepped over, as is one host's.
DROP INDEX "deliveries_of_host";
CREATE INDEX "deliveries_of_receiver" ON "deliveries"("application_id", "host", "next_attempt_at") WHERE "state" = 'pending';

-- What is under way at a host, by application.
DROP INDEX "deliveries_leased";
CREATE INDEX "deliveries_leased" ON "deliveries"("leased_until", "application_id", "host")
    WHERE "state" = 'pending' AND "leased_until" IS NOT NULL;

-- Whether the last sync of the profile, or the last write to its provider, was slow.
ALTER TABLE "profiles" ADD COLUMN "push_slow" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "sync_slow" BOOLEAN NOT NULL DEFAULT false;

-- The profiles of an application at a provider whose sync is due: slow ones have a queue of their own.
CREATE INDEX "profiles_of_application_due" ON "profiles"("provider", "application_id", "sync_slow", "sync_due_at") WHERE "connected";
