import { prepared } from "@/server/db/client";
import { bool, command, int4, nullable, oneOf, statement, text, texts, timestamp } from "@/server/db/statement";
import type { Role } from "@/server/services/staff/procedure/staff-context";

/** A session that nobody used for so long is over. */
export const IDLE_MS = 2 * 60 * 60_000;

/** When a session `s` counts: its conditions as SQL, with the time now as the parameter `at`. */
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
  /** It is to be noted that it was seen. */
  isDue: boolean;
}

export const findSession = statement<FoundSession>(
  prepared(
    "operator_session",
    `SELECT o.id, o.email, o.name, o.role, s.id AS "sessionId", s.last_seen_at < $2::timestamptz - interval '1 minute' AS "isDue",
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
  },
);

export const insertSession = command(
  `INSERT INTO operator_sessions (id, operator_id, way, created_at, last_seen_at, expires_at, address, user_agent)
VALUES ($1, $2, $3::sign_in_way, $4, $4, $5, $6, $7)`,
);

/** All of an operator but one, if any. */
export const endOthers = statement<{ id: string }>(
  `UPDATE operator_sessions SET ended_at = $2, ended_by = $3
WHERE operator_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $4 RETURNING id`,
  { id: text },
);

export const changeOwnPassword = statement<{ id: string }>(
  "UPDATE operators SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id",
  { id: text },
);

export const lockPassword = statement<{ hash: string | null }>(
  "SELECT password_hash AS hash FROM operators WHERE id = $1 FOR UPDATE",
  { hash: nullable(text) },
);

/** Passwords that were refused, and those that are being looked at. */
export const wrongPasswords = statement<{ wrong: number }>(
  `SELECT (count(*) FILTER (WHERE action = 'password.tried') - count(*) FILTER (WHERE action = 'password.proven'))::int AS wrong
FROM audit_entries WHERE object = $1 AND at > $2 AND action IN ('password.tried', 'password.proven')`,
  { wrong: int4 },
);

/** When the first of the last $3 refused passwords was refused. */
export const refusedPassword = statement<{ at: Date }>(
  `SELECT at FROM audit_entries WHERE object = $1 AND at > $2 AND action = 'password.refused' ORDER BY at DESC OFFSET $3::int - 1 LIMIT 1`,
  { at: timestamp },
);

/** An operator who is still what they were when their password was looked at. */
export const lockAdmitted = statement<{ id: string }>(
  `SELECT id FROM operators WHERE id = $1 AND disabled_at IS NULL AND password_hash IS NOT DISTINCT FROM $2 FOR SHARE`,
  { id: text },
);
