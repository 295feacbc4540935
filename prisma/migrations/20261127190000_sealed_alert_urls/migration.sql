-- rolling: safe: a nullable column, and the previous version reads URLs that it wrote itself; of one that this version saved meanwhile it says that there is none, and tries again until this version sends
-- AlterTable
ALTER TABLE "alert_targets" ADD COLUMN "sealed_url" TEXT;

-- The path of a webhook's URL is a secret at many receivers: entries of the audit trail keep its host.
ALTER TABLE "audit_entries" DISABLE TRIGGER "audit_entries_append_only";
UPDATE "audit_entries" SET "detail" = jsonb_set("detail", '{webhook}', to_jsonb(split_part("detail" ->> 'webhook', '/', 1)))
    WHERE "action" = 'alerts.changed' AND "detail" ->> 'webhook' LIKE '%/%';
ALTER TABLE "audit_entries" ENABLE TRIGGER "audit_entries_append_only";
