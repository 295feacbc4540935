-- What staff asked to be sent again. `replay_from`: how many attempts there were when they asked; null: nothing is asked.
-- `replay_state`: of a pending delivery, what it goes back to when the replay fails; null: it is pending by itself, and its next
-- attempt stays the one of `scheduled_at`.
ALTER TABLE "deliveries" ADD COLUMN "manual_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "replay_from" INTEGER,
ADD COLUMN "replay_state" "delivery_state",
ADD COLUMN "scheduled_at" TIMESTAMPTZ(6),
ADD COLUMN "replay_id" TEXT;

-- CreateEnum
CREATE TYPE "replay_work_state" AS ENUM ('running', 'done', 'cancelled');

-- CreateTable
CREATE TABLE "replays" (
    "id" TEXT NOT NULL,
    "operator_id" TEXT NOT NULL,
    "filters" JSONB NOT NULL,
    "total" INTEGER NOT NULL,
    "taken" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "state" "replay_work_state" NOT NULL DEFAULT 'running',
    "position_at" TIMESTAMPTZ(6),
    "position_id" TEXT,
    "all_taken" BOOLEAN NOT NULL DEFAULT false,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "replays_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "replays_created_at_idx" ON "replays"("created_at");

-- The replays that are worked at, looked for at every sweep.
CREATE INDEX "replays_running" ON "replays"("due_at") WHERE "state" = 'running';

-- Deliveries that wait for an attempt that staff asked for: how far a replay has come, and which were lost.
CREATE INDEX "deliveries_replayed" ON "deliveries"("replay_id") WHERE "state" = 'pending' AND "replay_from" IS NOT NULL;

-- Every filter of the dashboard that what arrived cannot fit (a state, an error, a status): read from the index alone. What arrives
-- is never in it, and what is pending has deliveries_pending_since.
CREATE INDEX "deliveries_not_delivered" ON "deliveries"("created_at", "id")
    INCLUDE ("state", "last_error", "last_status", "type", "application_id", "channel_id") WHERE "state" IN ('failed', 'cancelled');

-- The types that are rare among the changes.
CREATE INDEX "deliveries_rare_types" ON "deliveries"("created_at", "id")
    INCLUDE ("type", "state", "last_error", "last_status", "application_id", "channel_id") WHERE "type" <> 'change';

-- A receiver's channels, whose deliveries are then found by channel.
CREATE INDEX "channels_of_host" ON "channels"
    (lower(regexp_replace(substring("callback_url" from '^[^:]*://([^/?#]*)'), '\.?(:443)?$', '')));
