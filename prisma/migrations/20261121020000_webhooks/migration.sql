ALTER TABLE "channels" ADD COLUMN "unnotified_since" TIMESTAMPTZ(6);

ALTER TABLE "deliveries" ADD COLUMN "changes_since" TIMESTAMPTZ(6);

-- Those under way, counted by host at each claim.
CREATE INDEX "deliveries_leased" ON "deliveries"("leased_until", "host") WHERE "state" = 'pending' AND "leased_until" IS NOT NULL;

-- The claim reads those due by time, and skips hosts that are busy.
DROP INDEX "deliveries_due";
CREATE INDEX "deliveries_due" ON "deliveries"("next_attempt_at", "host") WHERE "state" = 'pending';

-- Signals that become notifications; other kinds have other readers.
CREATE INDEX "outbox_notify" ON "outbox"("due_at")
    WHERE "kind" IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed');
