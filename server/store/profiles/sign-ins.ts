import type { Database } from "@/server/db/client";
import { digest, seal, unseal } from "@/server/db/sealed";
import type { Connectable } from "@/server/domain/providers";

/** A user who is signing in at a provider's page. */
export interface SignInUnderWay {
  provider: Connectable;
  /** The request of the connect page, as it was signed for their browser. */
  signed: string;
  /** The connector's own data until they are back. */
  secret: string;
  /** The id of the application's own client that they are asked for. Null: none. */
  ownClient: string | null;
}

/** Stores the sign-in of a state until `expiresAt`, in milliseconds since 1970. */
export async function storeSignIn(
  { prisma }: Database,
  { state, provider, signed, secret, ownClient, expiresAt }: SignInUnderWay & { state: string; expiresAt: number },
): Promise<void> {
  const stateHash = digest(state);
  const sealed = seal(JSON.stringify({ signed, secret, ownClient }), placeOf(stateHash));
  await prisma.providerSignIn.create({ data: { stateHash, provider, sealed, expiresAt: new Date(expiresAt) } });
}

/** Loads the sign-in of a state. Null: it does not exist, or has expired. */
export async function findSignIn({ prisma }: Database, state: string): Promise<SignInUnderWay | null> {
  const stateHash = digest(state);
  const signIn = await prisma.providerSignIn.findUnique({ where: { stateHash } });
  if (!signIn) return null;
  const { signed, secret, ownClient = null } = JSON.parse(unseal(signIn.sealed, placeOf(stateHash)));
  return { provider: signIn.provider as Connectable, signed, secret, ownClient };
}

/** Marks a state used: of any number of callbacks with it one gets true (RFC 9700 §4.7). */
export async function spendSignIn({ prisma }: Database, state: string, now: number): Promise<boolean> {
  const where = { stateHash: digest(state), usedAt: null };
  const { count } = await prisma.providerSignIn.updateMany({ where, data: { usedAt: new Date(now) } });
  return count > 0;
}

function placeOf(stateHash: Buffer) {
  return { table: "provider_sign_ins", column: "sealed", row: stateHash.toString("hex") };
}
