import type { Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { queryOne } from "@/server/db/query-one";
import { digest } from "@/server/db/sealed";
import { storeSecret } from "@/server/services/applications/client-secrets";

export interface Registration {
  name: string;
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  compatibilityMode: boolean;
  plan: "developer" | "standard";
}

/**
 * Registers an application, or brings the one of this client id up to what is given: name, plan, mode and redirect URIs as
 * said; the secret is added when it is not among the active ones, and the others stay.
 */
export async function registerApplication(db: Database, given: Registration, now: number): Promise<void> {
  await db.transaction((query) => registerWithin(query, given, now));
}

/** As `registerApplication`, in a transaction. Gives the application's id. */
export async function registerWithin(query: Query, given: Registration, now: number): Promise<string> {
  const application = await queryOne<{ id: string }>(
    query,
    `INSERT INTO applications (id, client_id, name, plan, compatibility_mode, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, plan = excluded.plan, compatibility_mode = excluded.compatibility_mode,
  updated_at = excluded.updated_at RETURNING id`,
    [newId("app"), given.clientId, given.name, given.plan, given.compatibilityMode, new Date(now)],
  );
  await setRedirectUris(query, application.id, given.redirectUris);
  await addSecret(query, application.id, given.clientSecret);
  return application.id;
}

async function setRedirectUris(query: Query, applicationId: string, uris: readonly string[]): Promise<void> {
  await query("DELETE FROM redirect_uris WHERE application_id = $1 AND uri <> ALL($2::text[])", [applicationId, uris]);
  await query("INSERT INTO redirect_uris (application_id, uri) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING", [
    applicationId,
    uris,
  ]);
}

async function addSecret(query: Query, applicationId: string, secret: string): Promise<void> {
  const known = await query(
    "SELECT id FROM client_secrets WHERE application_id = $1 AND digest = $2 AND retired_at IS NULL",
    [applicationId, digest(secret)],
  );
  if (known.length === 0) await storeSecret(query, applicationId, secret);
}
