-- The tables of the embedded executor (server/jobs/executor).
CREATE TYPE "background_state" AS ENUM ('open', 'done', 'failed');

CREATE TABLE "background_events" (
    "app_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "background_events_pkey" PRIMARY KEY ("app_id","id")
);

CREATE TABLE "background_runs" (
    "id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "state" "background_state" NOT NULL DEFAULT 'open',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "lease" TEXT,
    "slot1" TEXT,
    "slot2" TEXT,
    "debounce_key" TEXT,
    "debounced_until" TIMESTAMPTZ(6),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "background_runs_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "background_steps" (
    "run_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "sleeps" BOOLEAN NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "place" INTEGER,
    "result" TEXT,

    CONSTRAINT "background_steps_pkey" PRIMARY KEY ("run_id","id")
);

CREATE TABLE "background_crons" (
    "app_id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "background_crons_pkey" PRIMARY KEY ("app_id","function_id","cron")
);

CREATE INDEX "background_events_app_id_received_at_idx" ON "background_events"("app_id", "received_at");

ALTER TABLE "background_steps" ADD CONSTRAINT "background_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "background_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows has no words in schema.prisma.

-- The claim reads open runs in the order in which they are due.
CREATE INDEX "background_runs_due" ON "background_runs"("app_id", "due_at") WHERE "state" = 'open';

-- Those under way, counted at each claim.
CREATE INDEX "background_runs_leased" ON "background_runs"("app_id") WHERE "lease" IS NOT NULL;

-- A debounced run that was not claimed yet takes in further events of its key.
CREATE UNIQUE INDEX "background_runs_debounced" ON "background_runs"("app_id", "function_id", "debounce_key") WHERE "debounce_key" IS NOT NULL;

CREATE INDEX "background_runs_finished" ON "background_runs"("app_id", "state", "finished_at") WHERE "finished_at" IS NOT NULL;
