import { LONGEST_SESSION_MS } from "@/server/auth/session-cookie";
import type { Database } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { needsSecondFactor } from "@/server/domain/second-factor";
import { env } from "@/server/env";
import type { AuditActor } from "@/server/services/staff/audit/audit";
import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";
import { findSession, IDLE_MS } from "@/server/services/staff/sessions/sessions.sql";

const LONGEST_USER_AGENT = 300;

/** A person who is signing in, as known from the socket and the browser. */
export interface Visitor extends Omit<AuditActor, "operator"> {
  /** Whether the operator with the given email has signed in from this address before. */
  isKnown: boolean;
  userAgent: string | null;
}

export interface OpenSessionInput {
  operatorId: string;
  way: "password" | "single_sign_on";
  address: string | null;
  userAgent: string | null;
  /** In milliseconds since 1970. */
  now: number;
}

/** Opens a session and returns its id, which the cookie carries encrypted. */
export async function openSession(
  prisma: Prisma.TransactionClient,
  { operatorId, way, address, userAgent, now }: OpenSessionInput,
): Promise<string> {
  const id = newId("ses");
  const at = new Date(now);
  const times = { createdAt: at, lastSeenAt: at, expiresAt: new Date(now + LONGEST_SESSION_MS) };
  const browser = { address, userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null };
  await prisma.operatorSession.create({ select: { id: true }, data: { id, operatorId, way, ...times, ...browser } });
  return id;
}

/** Reports whether a session that nobody ended is valid, by the same rule as `isOpen` in SQL. */
export function isUsable({ expiresAt, lastSeenAt }: { expiresAt: Date; lastSeenAt: Date }, now: number): boolean {
  return expiresAt.getTime() > now && lastSeenAt.getTime() > now - IDLE_MS;
}

/**
 * Loads the operator of a session, or null when it is over, the operator was disabled, or they need a second factor and
 * have none. Records at most once a minute that it was seen.
 */
export async function signedIn(db: Database, sessionId: string, now: number): Promise<SignedInOperator | null> {
  const [found] = await run(db.query, findSession, [sessionId, new Date(now)]);
  if (!found) return null;
  const { isDue, way, hasSecondFactor, ...operator } = found;
  const isEnough = way !== "password" || hasSecondFactor;
  if (!isEnough && needsSecondFactor(env().STAFF_SECOND_FACTOR, operator.role)) return null;
  if (isDue) {
    const lastSeenAt = new Date(now);
    const where = { id: sessionId, lastSeenAt: { lt: lastSeenAt } };
    await db.prisma.operatorSession.updateMany({ where, data: { lastSeenAt } });
  }
  return operator;
}
