import type { Database } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { addAccessToken, lockGrant } from "@/server/store/grants/grants.sql";
import { grantNamedBy, newRotatingToken } from "@/server/store/grants/rotating-token";
import { expiry, type Refresh, type TokenPair } from "@/server/store/grants/tokens";

/** Unused successors of one refresh token, as lost responses leave them: the newest are remembered. */
const MOST_SUCCESSORS = 50;

/**
 * Issues a new access token and, if `rotates`, a new refresh token for the grant of this application's refresh token.
 * The sent one stays valid until one of its successors is used, so that a lost response locks nobody out; that successor
 * then replaces it. Returns the grant as `reused` for a token that was replaced (RFC 9700 §4.14.2), and null for one
 * that no grant has.
 */
export async function refreshRotating(
  db: Database,
  { refreshToken, applicationId, now, rotates }: Refresh & { rotates: boolean },
): Promise<TokenPair | { reused: string } | null> {
  const hash = digest(refreshToken);
  return await db.transaction(async (query, prisma) => {
    const [locked] = await run(query, lockGrant, [hash, grantNamedBy(refreshToken), applicationId]);
    if (!locked) return null;
    const { id } = locked;
    const select = { refreshHash: true, nextRefreshHashes: true };
    const grant = await prisma.grant.findUniqueOrThrow({ select, where: { id } });
    const successors = grant.nextRefreshHashes.map((next) => Buffer.from(next));
    const isSuccessor = successors.some((next) => next.equals(hash));
    if (!isSuccessor && !hash.equals(grant.refreshHash)) return { reused: id };
    const pair = { access: newToken("at"), refresh: rotates ? newRotatingToken(id) : refreshToken };
    const others = isSuccessor ? [] : successors;
    const next = rotates ? [...others, digest(pair.refresh)].slice(-MOST_SUCCESSORS) : others;
    const data = { refreshHash: hash, nextRefreshHashes: next, sealedPair: null, lastUsedAt: new Date(now) };
    await prisma.grant.update({ select: { id: true }, where: { id }, data });
    await run(query, addAccessToken, [id, new Date(now), digest(pair.access), expiry(now)]);
    return pair;
  });
}
