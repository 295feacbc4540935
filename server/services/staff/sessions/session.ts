import { type Database, prepared, type Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { SignedIn } from "@/server/services/staff/staff-context";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A session that nobody used for so long is over. */
const IDLE_MS = 2 * HOUR_MS;
/** A session is over so long after the sign-in, however much it was used. */
export const LONGEST_SESSION_MS = 12 * HOUR_MS;
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
  await query(
    `INSERT INTO operator_sessions (id, operator_id, way, created_at, last_seen_at, expires_at, address, user_agent)
VALUES ($1, $2, $3::sign_in_way, $4, $4, $5, $6, $7)`,
    [
      id,
      operatorId,
      way,
      new Date(now),
      new Date(now + LONGEST_SESSION_MS),
      address,
      userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    ],
  );
  return id;
}

/** When a session `s` counts: its conditions as SQL, with the time now as the parameter `at`. */
export const isOpen = (at: string) =>
  `s.ended_at IS NULL AND s.expires_at > ${at} AND s.last_seen_at > ${at} - interval '${IDLE_MS} milliseconds'`;

const FIND = prepared(
  "operator_session",
  `SELECT o.id, o.email, o.name, o.role, s.id AS "sessionId", s.last_seen_at < $2::timestamptz - interval '1 minute' AS "isDue"
FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
WHERE s.id = $1 AND ${isOpen("$2::timestamptz")} AND o.disabled_at IS NULL`,
);

/** Who a session stands for, or null when it is over or its operator was disabled. Notes at most once a minute that it was seen. */
export async function signedIn(db: Database, sessionId: string, now: number): Promise<SignedIn | null> {
  const [found] = await db.query<SignedIn & { isDue: boolean }>(FIND, [sessionId, new Date(now)]);
  if (!found) return null;
  const { isDue, ...operator } = found;
  if (isDue) {
    const seen = "UPDATE operator_sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2";
    await db.query(seen, [sessionId, new Date(now)]);
  }
  return operator;
}
