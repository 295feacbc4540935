ALTER TABLE "channels" ADD COLUMN "unnotified_since" TIMESTAMPTZ(6);

ALTER TABLE "deliveries" ADD COLUMN "changes_since" TIMESTAMPTZ(6);

-- Those under way, counted by host at each claim.
CREATE INDEX "deliveries_leased" ON "deliveries"("leased_until", "host") WHERE "state" = 'pending' AND "leased_until" IS NOT NULL;

-- The claim goes from host to host; the sweep and the next wake-up look at the time alone.
CREATE INDEX "deliveries_of_host" ON "deliveries"("host", "next_attempt_at") WHERE "state" = 'pending';

-- What ends without another attempt, and what a revoked account has pending.
CREATE INDEX "deliveries_pending_since" ON "deliveries"("created_at") WHERE "state" = 'pending';
CREATE INDEX "deliveries_last_attempt" ON "deliveries"("next_attempt_at") WHERE "state" = 'pending' AND "attempts" >= 10;
CREATE INDEX "deliveries_pending_of_account" ON "deliveries"("account_id") WHERE "state" = 'pending';

-- Signals that become notifications; other kinds have other readers.
CREATE INDEX "outbox_notify" ON "outbox"("due_at")
    WHERE "kind" IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed');
