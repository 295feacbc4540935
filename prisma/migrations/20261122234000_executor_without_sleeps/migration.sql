-- The executor has no sleeps, parallel steps, debounce or concurrency limits: a stored step is one that is done.
DELETE FROM "background_steps" WHERE "place" IS NULL OR "result" IS NULL;

DROP INDEX "background_runs_debounced";
DROP INDEX "background_runs_leased";

ALTER TABLE "background_runs" DROP COLUMN "debounce_key",
DROP COLUMN "debounced_until",
DROP COLUMN "slot1",
DROP COLUMN "slot2";

ALTER TABLE "background_steps" DROP COLUMN "attempts",
DROP COLUMN "due_at",
DROP COLUMN "sleeps",
ALTER COLUMN "place" SET NOT NULL,
ALTER COLUMN "result" SET NOT NULL;
