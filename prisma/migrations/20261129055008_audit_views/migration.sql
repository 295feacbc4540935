-- rolling: safe: indexes; the previous version reads the audit trail without the old ones, only more slowly
-- DropIndex
DROP INDEX "audit_entries_at_idx";

-- DropIndex
DROP INDEX "audit_entries_operator_id_at_idx";

-- CreateIndex
CREATE INDEX "audit_entries_action_at_id_idx" ON "audit_entries"("action", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_operator_id_action_at_id_idx" ON "audit_entries"("operator_id", "action", "at", "id");
