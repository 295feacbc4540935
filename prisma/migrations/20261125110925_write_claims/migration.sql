-- rolling: safe: the version before neither reads nor writes the column, and claims while it holds the lock that this one shares
-- Claims of writes to providers wait no longer for one another: each locks the rows of its mailboxes and counts itself there.
ALTER TABLE "profile_syncs" ADD COLUMN "write_claims" INTEGER NOT NULL DEFAULT 0;
