import { command, statement, text, timestamp } from "@/server/db/statement";

/** By its client id: one that there is gets the name, plan and mode. */
export const upsertApplication = statement<{ id: string }>(
  `INSERT INTO applications (id, client_id, name, plan, compatibility_mode, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, plan = excluded.plan, compatibility_mode = excluded.compatibility_mode,
  updated_at = excluded.updated_at RETURNING id`,
  { id: text },
);

/** Of some client IDs those that staff deleted and that no application has since. */
export const deletedClientIds = statement<{ clientId: string; deletedAt: Date }>(
  `SELECT d.client_id AS "clientId", d.deleted_at AS "deletedAt" FROM deleted_client_ids d WHERE d.client_id = ANY ($1)
AND NOT EXISTS (SELECT FROM applications a WHERE a.client_id = d.client_id AND a.deleted_at IS NULL)`,
  { clientId: text, deletedAt: timestamp },
);

export const dropOtherRedirectUris = command(
  "DELETE FROM redirect_uris WHERE application_id = $1 AND uri <> ALL($2::text[])",
);

export const addRedirectUris = command(
  "INSERT INTO redirect_uris (application_id, uri) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING",
);

export const lockApplication = statement<{ id: string }>(
  "SELECT id FROM applications WHERE id = $1 FOR NO KEY UPDATE",
  { id: text },
);

export const activeSecrets = statement<{ id: string }>(
  "SELECT id FROM client_secrets WHERE application_id = $1 AND retired_at IS NULL",
  { id: text },
);

export const activeSecretOfDigest = statement<{ id: string }>(
  "SELECT id FROM client_secrets WHERE application_id = $1 AND digest = $2 AND retired_at IS NULL",
  { id: text },
);

export const insertSecret = command(
  "INSERT INTO client_secrets (id, application_id, sealed, digest, last_four) VALUES ($1, $2, $3, $4, $5)",
);

export const retireSecret = command("UPDATE client_secrets SET retired_at = clock_timestamp() WHERE id = $1");
