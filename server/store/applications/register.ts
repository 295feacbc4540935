import type { Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { run, runOne } from "@/server/db/statement";
import {
  activeSecretOfDigest,
  addRedirectUris,
  dropOtherRedirectUris,
  upsertApplication,
} from "@/server/store/applications/applications.sql";
import { storeSecret } from "@/server/store/applications/client-secrets";

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
  const application = await runOne(query, upsertApplication, [
    newId("app"),
    given.clientId,
    given.name,
    given.plan,
    given.compatibilityMode,
    new Date(now),
  ]);
  await setRedirectUris(query, application.id, given.redirectUris);
  await addSecret(query, application.id, given.clientSecret);
  return application.id;
}

async function setRedirectUris(query: Query, applicationId: string, uris: readonly string[]): Promise<void> {
  await run(query, dropOtherRedirectUris, [applicationId, uris]);
  await run(query, addRedirectUris, [applicationId, uris]);
}

async function addSecret(query: Query, applicationId: string, secret: string): Promise<void> {
  const known = await run(query, activeSecretOfDigest, [applicationId, digest(secret)]);
  if (known.length === 0) await storeSecret(query, applicationId, secret);
}
