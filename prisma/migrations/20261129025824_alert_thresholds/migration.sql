-- rolling: safe: nullable columns, one with a default, and an index; while a rule of a kind is on that the previous version doesn't know, it checks no alerts, and this version does a minute later; to Slack and Teams it sends its own format
-- AlterTable
ALTER TABLE "alert_rules" ADD COLUMN     "least_requests" INTEGER,
ADD COLUMN     "threshold" INTEGER;

-- AlterTable
ALTER TABLE "alert_targets" ADD COLUMN     "webhook_format" TEXT NOT NULL DEFAULT 'almanac';

-- Deliveries that were given up, by when: few, and counted each minute while somebody has that alert on.
CREATE INDEX "deliveries_failed" ON "deliveries_history" ("finished_at") INCLUDE ("application_id") WHERE "state" = 'failed' AND NOT "test";
