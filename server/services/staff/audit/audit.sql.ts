import { command } from "@/server/db/statement";

export const insertAuditEntry = command(
  `INSERT INTO audit_entries (at, operator_id, actor, action, object, detail, address, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
