import { LONGEST_SESSION_MS } from "@/server/auth/session-cookie";
import type { Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import type { SignedIn } from "@/server/services/staff/procedure/staff-context";
import { findSession, IDLE_MS, insertSession } from "@/server/services/staff/sessions/sessions.sql";

const LONGEST_USER_AGENT = 300;

export interface Opening {
  operatorId: string;
  way: "password" | "single_sign_on";
  address: string | null;
  userAgent: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** Opens a session and gives its id, which the cookie carries encrypted. */
export async function openSession(
  query: Query,
  { operatorId, way, address, userAgent, now }: Opening,
): Promise<string> {
  const id = newId("ses");
  await run(query, insertSession, [
    id,
    operatorId,
    way,
    new Date(now),
    new Date(now + LONGEST_SESSION_MS),
    address,
    userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
  ]);
  return id;
}

/** Whether a session that nobody ended counts, as `isOpen` has it in SQL. */
export function isUsable({ expiresAt, lastSeenAt }: { expiresAt: Date; lastSeenAt: Date }, now: number): boolean {
  return expiresAt.getTime() > now && lastSeenAt.getTime() > now - IDLE_MS;
}

/** Who a session stands for, or null when it is over or its operator was disabled. Notes at most once a minute that it was seen. */
export async function signedIn(db: Database, sessionId: string, now: number): Promise<SignedIn | null> {
  const [found] = await run(db.query, findSession, [sessionId, new Date(now)]);
  if (!found) return null;
  const { isDue, ...operator } = found;
  if (isDue) {
    const lastSeenAt = new Date(now);
    const where = { id: sessionId, lastSeenAt: { lt: lastSeenAt } };
    await db.prisma.operatorSession.updateMany({ where, data: { lastSeenAt } });
  }
  return operator;
}
