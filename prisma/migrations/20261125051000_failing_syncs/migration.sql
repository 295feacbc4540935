-- rolling: safe: an index, which the previous version fills as it fills the others
-- Mailboxes that could not be read several times in a row (server/services/staff/accounts/mailbox-states.ts): few, so that all are found at once.
CREATE INDEX "profile_syncs_failing" ON "profile_syncs"("profile_id") WHERE "readable" AND "sync_failures" >= 3;
