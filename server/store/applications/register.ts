import type { Connection, Database } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { activeSecret, storeSecret } from "@/server/store/applications/client-secrets";

export interface Registration {
  name: string;
  clientId: string;
  /** Null: it is a public client, and keeps the secrets that it has. */
  clientSecret: string | null;
  redirectUris: readonly string[];
  compatibilityMode: boolean;
  plan: "developer" | "standard";
  /** Each switch, if omitted: off for a new application, unchanged for an existing one. */
  editForeignEvents?: boolean;
  mcpWrites?: boolean;
  publicClient?: boolean;
  connectSuccessPage?: boolean;
  selfRegistered?: boolean;
}

/**
 * Registers an application, or updates the one with this client id: sets name, plan, mode and redirect URIs as given;
 * adds the secret unless it is active already, and keeps the others.
 */
export async function registerApplication(db: Database, given: Registration, now: number): Promise<void> {
  await db.transaction((query, prisma) => registerWithin({ query, prisma }, given, now));
}

/** Registers an application like `registerApplication`, in a transaction. Returns its id. */
export async function registerWithin(connection: Connection, given: Registration, now: number): Promise<string> {
  const { clientId, clientSecret, redirectUris, ...settings } = given;
  const at = new Date(now);
  const columns = { ...settings, updatedAt: at };
  const { id } = await connection.prisma.application.upsert({
    select: { id: true },
    where: { clientId },
    create: { id: newId("app"), clientId, createdAt: at, ...columns },
    update: columns,
  });
  await setRedirectUris(connection, { applicationId: id, uris: redirectUris, at });
  if (clientSecret !== null) await addSecret(connection, { applicationId: id, secret: clientSecret, now });
  return id;
}

interface RedirectUrisInput {
  applicationId: string;
  uris: readonly string[];
  at: Date;
}

async function setRedirectUris({ prisma }: Connection, { applicationId, uris, at }: RedirectUrisInput): Promise<void> {
  await prisma.redirectUri.deleteMany({ where: { applicationId, uri: { notIn: [...uris] } } });
  const data = uris.map((uri) => ({ applicationId, uri, createdAt: at }));
  await prisma.redirectUri.createMany({ data, skipDuplicates: true });
}

interface AddSecretInput {
  applicationId: string;
  secret: string;
  now: number;
}

async function addSecret({ query, prisma }: Connection, { applicationId, secret, now }: AddSecretInput): Promise<void> {
  const where = { applicationId, digest: digest(secret), ...activeSecret(now) };
  const storedSecret = await prisma.clientSecret.findFirst({ select: { id: true }, where });
  if (!storedSecret) await storeSecret(query, { applicationId, secret, expiresAt: null });
}
