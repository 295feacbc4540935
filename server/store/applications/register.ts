import type { Connection, Database } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
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
 * Registers an application, or updates the one with this client id: sets name, plan, mode and redirect URIs as given;
 * adds the secret unless it is active already, and keeps the others.
 */
export async function registerApplication(db: Database, given: Registration, now: number): Promise<void> {
  await db.transaction((query, prisma) => registerWithin({ query, prisma }, given, now));
}

/** Registers an application like `registerApplication`, in a transaction. Returns its id. */
export async function registerWithin(connection: Connection, given: Registration, now: number): Promise<string> {
  const { clientId, name, plan, compatibilityMode } = given;
  const at = new Date(now);
  const columns = { name, plan, compatibilityMode, updatedAt: at };
  const { id } = await connection.prisma.application.upsert({
    select: { id: true },
    where: { clientId },
    create: { id: newId("app"), clientId, createdAt: at, ...columns },
    update: columns,
  });
  await setRedirectUris(connection, { applicationId: id, uris: given.redirectUris, at });
  await addSecret(connection, id, given.clientSecret);
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

async function addSecret({ query, prisma }: Connection, applicationId: string, secret: string): Promise<void> {
  const where = { applicationId, digest: digest(secret), retiredAt: null };
  const storedSecret = await prisma.clientSecret.findFirst({ select: { id: true }, where });
  if (!storedSecret) await storeSecret(query, applicationId, secret);
}
