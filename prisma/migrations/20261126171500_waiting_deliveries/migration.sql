-- rolling: safe: the previous version neither reads the column nor writes it. Its claims lose their index: beside a long backlog they are slow, and processes of this version claim in their place
-- A delivery that waits for its next attempt is in no claim's way: a claim steps over what is ready, and what has waited long enough is
-- made ready first. Both versions still look at the time itself.
ALTER TABLE "deliveries" ADD COLUMN "waits" BOOLEAN NOT NULL DEFAULT false;

UPDATE "deliveries" SET "waits" = true WHERE "state" = 'pending'
    AND "id" IN (SELECT "id" FROM "deliveries" WHERE "state" = 'pending' AND "next_attempt_at" > now() FOR UPDATE SKIP LOCKED);

DROP INDEX "deliveries_of_receiver";
CREATE INDEX "deliveries_ready" ON "deliveries_queue"("application_id", "host", "next_attempt_at")
    WHERE "state" = 'pending' AND NOT "waits" AND "next_attempt_at" IS NOT NULL;

-- An expression, because the index of all due times would do for the time itself: a statement that is planned while the queue is short
-- would then read the whole backlog.
CREATE INDEX "deliveries_waiting" ON "deliveries_queue"((CASE WHEN "waits" THEN "next_attempt_at" END)) WHERE "state" = 'pending' AND "waits";
