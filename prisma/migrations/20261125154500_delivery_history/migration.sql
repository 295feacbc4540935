-- rolling: stop-first: the previous version deletes old deliveries by their places in one table, and stores attempts by a key that their partitions cannot have
-- What is pending is a partition of its own, the queue. What is done is history, partitioned by the day on which it was created, and goes by
-- dropping the partition. Rows from before this migration are one partition, which takes the days that it already may have rows of, so that
-- nothing is copied but what is pending. What fits no partition is in the last one: no delivery fails to end because of a missing day.

ALTER TABLE "attempts" DROP CONSTRAINT "attempts_delivery_id_fkey";

ALTER TABLE "deliveries" RENAME TO "deliveries_before";
ALTER TABLE "deliveries_before" DROP CONSTRAINT "deliveries_pkey";
ALTER TABLE "attempts" RENAME TO "attempts_before";
ALTER TABLE "attempts_before" DROP CONSTRAINT "attempts_pkey";
ALTER INDEX "deliveries_channel_id_created_at_idx" RENAME TO "deliveries_before_channel_id_created_at_idx";
ALTER INDEX "deliveries_application_id_created_at_idx" RENAME TO "deliveries_before_application_id_created_at_idx";
ALTER INDEX "deliveries_created_at_idx" RENAME TO "deliveries_before_created_at_idx";
ALTER INDEX "deliveries_not_delivered" RENAME TO "deliveries_before_not_delivered";
ALTER INDEX "deliveries_rare_types" RENAME TO "deliveries_before_rare_types";
DROP INDEX "deliveries_due", "deliveries_leased", "deliveries_of_receiver", "deliveries_pending_since", "deliveries_last_attempt",
    "deliveries_pending_of_account", "deliveries_retrying", "deliveries_replayed";

CREATE TABLE "deliveries" (LIKE "deliveries_before" INCLUDING DEFAULTS) PARTITION BY LIST ("state");
CREATE TABLE "deliveries_queue" PARTITION OF "deliveries" FOR VALUES IN ('pending');
CREATE TABLE "deliveries_history" PARTITION OF "deliveries" FOR VALUES IN ('delivered', 'failed', 'cancelled') PARTITION BY RANGE ("created_at");
CREATE TABLE "deliveries_rest" PARTITION OF "deliveries_history" DEFAULT;
INSERT INTO "deliveries_queue" SELECT * FROM "deliveries_before" WHERE "state" = 'pending';
DELETE FROM "deliveries_before" WHERE "state" = 'pending';

CREATE TABLE "attempts" (LIKE "attempts_before" INCLUDING DEFAULTS) PARTITION BY RANGE ("started_at");
CREATE TABLE "attempts_rest" PARTITION OF "attempts" DEFAULT;

-- Its name says where it ends, as those of the days do.
DO $$
DECLARE
    ends timestamp := date_trunc('day', greatest(now(), (SELECT max("created_at") FROM "deliveries_before"),
        (SELECT max("started_at") FROM "attempts_before")) AT TIME ZONE 'UTC') + interval '2 days';
    moved record;
BEGIN
    FOR moved IN SELECT * FROM (VALUES ('deliveries', 'deliveries_history'), ('attempts', 'attempts')) AS t("prefix", "parent") LOOP
        EXECUTE format('ALTER TABLE %I RENAME TO %I', moved.prefix || '_before', moved.prefix || to_char(ends, '"_before_"YYYYMMDD'));
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', moved.parent,
            moved.prefix || to_char(ends, '"_before_"YYYYMMDD'), to_char(ends, 'YYYY-MM-DD') || ' 00:00Z');
    END LOOP;
END $$;

ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id", "state", "created_at");
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_pkey" PRIMARY KEY ("delivery_id", "number", "started_at");
CREATE INDEX "deliveries_channel_id_created_at_idx" ON "deliveries"("channel_id", "created_at");
CREATE INDEX "deliveries_application_id_created_at_idx" ON "deliveries"("application_id", "created_at");
CREATE INDEX "deliveries_created_at_idx" ON "deliveries"("created_at");
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The queue: what is due, at whom, under way, overdue; of an account, of a retry of many; and what failed before. All of it is pending, but only
-- an index that says so answers without the table what a statement asks of pending ones.
CREATE INDEX "deliveries_due" ON "deliveries_queue"("next_attempt_at") WHERE "state" = 'pending';
CREATE INDEX "deliveries_of_receiver" ON "deliveries_queue"("application_id", "host", "next_attempt_at") WHERE "state" = 'pending';
CREATE INDEX "deliveries_leased" ON "deliveries_queue"("leased_until", "application_id", "host")
    WHERE "state" = 'pending' AND "leased_until" IS NOT NULL;
CREATE INDEX "deliveries_last_attempt" ON "deliveries_queue"("next_attempt_at") WHERE "state" = 'pending' AND "attempts" >= 10;
CREATE INDEX "deliveries_pending_of_account" ON "deliveries_queue"("account_id") WHERE "state" = 'pending';
CREATE INDEX "deliveries_replayed" ON "deliveries_queue"("replay_id") WHERE "state" = 'pending' AND "replay_from" IS NOT NULL;
CREATE INDEX "deliveries_retrying" ON "deliveries_queue"("created_at")
    INCLUDE ("id", "channel_id", "application_id", "attempts", "last_status", "last_error")
    WHERE "state" = 'pending' AND ("last_error" IS NOT NULL OR "last_status" NOT BETWEEN 200 AND 299);

-- What is rare in the history.
CREATE INDEX "deliveries_not_delivered" ON "deliveries_history"("created_at", "id")
    INCLUDE ("state", "last_error", "last_status", "type", "application_id", "channel_id") WHERE "state" IN ('failed', 'cancelled');
CREATE INDEX "deliveries_rare_types" ON "deliveries"("created_at", "id")
    INCLUDE ("type", "state", "last_error", "last_status", "application_id", "channel_id") WHERE "type" <> 'change';
