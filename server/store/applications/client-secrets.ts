import type { Connection } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { digest, seal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { insertSecret, lockApplication, retireSecret } from "@/server/store/applications/applications.sql";

const LAST_SHOWN = 4;
/** The secret in use and its successor. */
const MOST_ACTIVE = 2;

/**
 * Adds a client secret for a rotation: from now on notifications are signed with it too, and it is accepted beside the
 * old one until that is retired ("Webhook receiver contract"). The secret is shown only here. Returns "unknown" for a
 * nonexistent application, "too_many" while two are active.
 */
export async function addClientSecret(
  { query, prisma }: Connection,
  applicationId: string,
): Promise<{ id: string; secret: string } | "unknown" | "too_many"> {
  if ((await run(query, lockApplication, [applicationId])).length === 0) return "unknown";
  if ((await activeIds(prisma, applicationId)).length >= MOST_ACTIVE) return "too_many";
  const secret = newToken();
  return { id: await storeSecret(query, applicationId, secret), secret };
}

/** Retires a secret: it signs nothing and is no longer accepted. Keeps the last active one ("last"). */
export async function retireClientSecret(
  { query, prisma }: Connection,
  { applicationId, secretId }: { applicationId: string; secretId: string },
): Promise<"retired" | "unknown" | "last"> {
  await run(query, lockApplication, [applicationId]);
  const active = await activeIds(prisma, applicationId);
  if (!active.includes(secretId)) return "unknown";
  if (active.length === 1) return "last";
  await run(query, retireSecret, [secretId]);
  return "retired";
}

/** Stores a secret sealed, since it keys HMACs, and as a digest to recognise it by. Returns its id. */
export async function storeSecret(query: Connection["query"], applicationId: string, secret: string): Promise<string> {
  const id = newId("sec");
  const sealed = seal(secret, { table: "client_secrets", column: "sealed", row: id });
  const values = [id, applicationId, sealed, digest(secret), secret.slice(-LAST_SHOWN)];
  await run(query, insertSecret, values);
  return id;
}

async function activeIds(prisma: Connection["prisma"], applicationId: string): Promise<string[]> {
  const where = { applicationId, retiredAt: null };
  const rows = await prisma.clientSecret.findMany({ select: { id: true }, where });
  return rows.map(({ id }) => id);
}
