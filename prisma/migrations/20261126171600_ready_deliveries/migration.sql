-- rolling: safe: the index that the claims of the previous version use stays, and both versions look at the time itself
-- A claim steps over what is ready, and what has waited long enough is made ready first. What somebody is writing is marked with its outcome.
UPDATE "deliveries" SET "waits" = true WHERE "state" = 'pending'
    AND "id" IN (SELECT "id" FROM "deliveries" WHERE "state" = 'pending' AND "next_attempt_at" > now() FOR UPDATE SKIP LOCKED);

CREATE INDEX "deliveries_ready" ON "deliveries_queue"("application_id", "host", "next_attempt_at")
    WHERE "state" = 'pending' AND NOT "waits" AND "next_attempt_at" IS NOT NULL;

-- An expression, because the index of all due times would do for the time itself: a statement that is planned while the queue is short
-- would then read the whole backlog.
CREATE INDEX "deliveries_waiting" ON "deliveries_queue"((CASE WHEN "waits" THEN "next_attempt_at" END)) WHERE "state" = 'pending' AND "waits";
