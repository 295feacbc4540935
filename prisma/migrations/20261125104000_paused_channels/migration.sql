-- rolling: safe: the previous version sends what it creates for a channel that is paused in the meantime, and leaves alone what is held
-- Channels whose deliveries are held until staff resume them (ADR 71).
ALTER TABLE "channels" ADD COLUMN "paused_at" TIMESTAMPTZ(6);

CREATE INDEX "channels_paused" ON "channels"("created_at", "id") WHERE "paused_at" IS NOT NULL AND "closed_at" IS NULL;
