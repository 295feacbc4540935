import { bool, command, statement, text, timestamp } from "@/server/db/statement";

/** Of the given client IDs, those of applications that staff deleted and that were not registered again. */
export const deletedClientIds = statement<{ clientId: string; deletedAt: Date }>(
  `SELECT d.client_id AS "clientId", d.deleted_at AS "deletedAt" FROM deleted_client_ids d WHERE d.client_id = ANY ($1)
AND NOT EXISTS (SELECT FROM applications a WHERE a.client_id = d.client_id AND a.deleted_at IS NULL)`,
  { clientId: text, deletedAt: timestamp },
);

export const lockApplication = statement<{ id: string; isPublic: boolean }>(
  'SELECT id, public_client AS "isPublic" FROM applications WHERE id = $1 FOR NO KEY UPDATE',
  { id: text, isPublic: bool },
);

export const insertSecret = command(
  `INSERT INTO client_secrets (id, application_id, sealed, digest, last_four, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp(), $6)`,
);

/** Returns the SQL condition under which the client secret `s` is accepted and signs, with the current time as SQL. */
export const isActiveSecret = (now: string) =>
  `s.retired_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now})`;

export const retireSecret = command("UPDATE client_secrets SET retired_at = clock_timestamp() WHERE id = $1");
