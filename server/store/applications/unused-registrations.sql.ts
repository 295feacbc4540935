import { command, statement, text } from "@/server/db/statement";

const isUnused = "NOT EXISTS (SELECT FROM accounts n WHERE n.application_id = a.id)";

/** Accounts wait for the lock of their application. */
export const lockUnused = statement<{ id: string }>(
  `SELECT a.id FROM applications a WHERE a.self_registered AND a.deleted_at IS NULL AND a.created_at < $1 AND ${isUnused}
ORDER BY a.id LIMIT 1000 FOR UPDATE SKIP LOCKED`,
  { id: text },
);

/** Its client ID needs no remembering: no start registers it again. */
export const deleteUnused = command(
  `UPDATE applications a SET deleted_at = $2, disabled_at = coalesce(a.disabled_at, $2) WHERE a.id = ANY ($1) AND ${isUnused}`,
);
