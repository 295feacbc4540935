import type { Connection } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { digest, seal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { insertSecret, lockApplication, retireSecret } from "@/server/store/applications/applications.sql";

const LAST_SHOWN = 4;
/** The secret in use and its successor. */
const MOST_ACTIVE = 2;

interface AddClientSecretInput {
  applicationId: string;
  /** From then on it is refused and signs nothing. Null: it never expires. */
  expiresAt: Date | null;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Adds a client secret for a rotation: from now on notifications are signed with it too, and it is accepted beside the
 * old one until that is retired or expires ("Webhook receiver contract"). The secret is shown only here. Returns
 * "unknown" for a nonexistent application, "too_many" while two are active.
 */
export async function addClientSecret(
  { query, prisma }: Connection,
  { applicationId, expiresAt, now }: AddClientSecretInput,
): Promise<{ id: string; secret: string } | "unknown" | "too_many"> {
  if ((await run(query, lockApplication, [applicationId])).length === 0) return "unknown";
  if ((await activeIds(prisma, applicationId, now)).length >= MOST_ACTIVE) return "too_many";
  const secret = newToken();
  return { id: await storeSecret(query, { applicationId, secret, expiresAt }), secret };
}

interface RetireClientSecretInput {
  applicationId: string;
  secretId: string;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Retires a secret: it signs nothing and is no longer accepted. Keeps the last active one ("last"), except of a public
 * client, which needs none.
 */
export async function retireClientSecret(
  { query, prisma }: Connection,
  { applicationId, secretId, now }: RetireClientSecretInput,
): Promise<"retired" | "unknown" | "last"> {
  const [application] = await run(query, lockApplication, [applicationId]);
  const active = await activeIds(prisma, applicationId, now);
  if (!active.includes(secretId)) return "unknown";
  if (active.length === 1 && !application?.isPublic) return "last";
  await run(query, retireSecret, [secretId]);
  return "retired";
}

interface StoreSecretInput {
  applicationId: string;
  secret: string;
  expiresAt: Date | null;
}

/** Stores a secret sealed, since it keys HMACs, and as a digest to recognise it by. Returns its id. */
export async function storeSecret(
  query: Connection["query"],
  { applicationId, secret, expiresAt }: StoreSecretInput,
): Promise<string> {
  const id = newId("sec");
  const sealed = seal(secret, { table: "client_secrets", column: "sealed", row: id });
  const values = [id, applicationId, sealed, digest(secret), secret.slice(-LAST_SHOWN), expiresAt];
  await run(query, insertSecret, values);
  return id;
}

/** Selects secrets that are accepted and sign, as `isActiveSecret` does in SQL. */
export function activeSecret(now: number) {
  return { retiredAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(now) } }] };
}

async function activeIds(prisma: Connection["prisma"], applicationId: string, now: number): Promise<string[]> {
  const where = { applicationId, ...activeSecret(now) };
  const rows = await prisma.clientSecret.findMany({ select: { id: true }, where });
  return rows.map(({ id }) => id);
}
