-- rolling: safe: the previous version fires no trigger; it announces nothing but disconnections on the channels of triggers, which filter all calendars out
-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "of_trigger" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "triggers" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "anchor" TEXT NOT NULL,
    "minutes" INTEGER NOT NULL,
    "calendar_ids" TEXT[],
    "all_calendars" BOOLEAN NOT NULL DEFAULT true,
    "only_managed" BOOLEAN NOT NULL DEFAULT false,
    "min_guests" INTEGER NOT NULL DEFAULT 0,
    "fired_until" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "triggers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "firings" (
    "trigger_id" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "firings_pkey" PRIMARY KEY ("trigger_id","uid")
);

-- CreateIndex
CREATE UNIQUE INDEX "triggers_channel_id_key" ON "triggers"("channel_id");

-- CreateIndex
CREATE INDEX "triggers_account_id_created_at_idx" ON "triggers"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "firings_at_idx" ON "firings" USING BRIN ("at");

-- AddForeignKey
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "firings" ADD CONSTRAINT "firings_trigger_id_fkey" FOREIGN KEY ("trigger_id") REFERENCES "triggers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

DROP INDEX outbox_notify;
-- Signals that become notifications; other kinds have other readers.
CREATE INDEX outbox_notify ON outbox (due_at)
    WHERE kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed', 'write_refused', 'trigger');
