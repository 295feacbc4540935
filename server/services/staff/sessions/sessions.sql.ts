import { prepared } from "@/server/db/client";
import { bool, int4, nullable, oneOf, statement, text, texts } from "@/server/db/statement";
import type { Role } from "@/server/services/staff/procedure/staff-context";

/** How long an unused session lasts. */
export const IDLE_MS = 2 * 60 * 60_000;

/** Returns the SQL conditions under which a session `s` is valid, with the current time as the parameter `at`. */
export const isOpen = (at: string) =>
  `s.ended_at IS NULL AND s.expires_at > ${at} AND s.last_seen_at > ${at} - interval '${IDLE_MS} milliseconds'`;

interface FoundSession {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** Null: all of them. */
  applications: string[] | null;
  /** Whether a new time of use is due to be recorded. */
  isDue: boolean;
  way: "password" | "single_sign_on";
  hasSecondFactor: boolean;
}

export const findSession = statement<FoundSession>(
  prepared(
    "operator_session",
    `SELECT o.id, o.email, o.name, o.role, s.id AS "sessionId", s.last_seen_at < $2::timestamptz - interval '1 minute' AS "isDue",
  s.way, EXISTS (SELECT FROM operator_second_factors f WHERE f.operator_id = o.id) AS "hasSecondFactor",
  CASE WHEN o.role = 'developer' THEN ARRAY(SELECT application_id FROM application_members m WHERE m.operator_id = o.id ORDER BY 1) END AS applications
FROM operator_sessions s JOIN operators o ON o.id = s.operator_id
WHERE s.id = $1 AND ${isOpen("$2::timestamptz")} AND o.disabled_at IS NULL`,
  ),
  {
    id: text,
    email: text,
    name: text,
    role: oneOf<Role>(),
    sessionId: text,
    applications: nullable(texts),
    isDue: bool,
    way: oneOf<FoundSession["way"]>(),
    hasSecondFactor: bool,
  },
);

export const lockPassword = statement<{ hash: string | null }>(
  "SELECT password_hash AS hash FROM operators WHERE id = $1 FOR UPDATE",
  { hash: nullable(text) },
);

/** Refused tries, and those being checked. $3: the action of a try. $4: the one of a right try. */
export const wrongTries = statement<{ wrong: number }>(
  `SELECT (count(*) FILTER (WHERE action = $3) - count(*) FILTER (WHERE action = $4))::int AS wrong
FROM audit_entries WHERE object = $1 AND at > $2 AND action IN ($3, $4)`,
  { wrong: int4 },
);

/** An operator unchanged since their password was checked. */
export const lockAdmitted = statement<{ id: string }>(
  `SELECT id FROM operators WHERE id = $1 AND disabled_at IS NULL AND password_hash IS NOT DISTINCT FROM $2 FOR SHARE`,
  { id: text },
);
