import { bool, int4, jsonText, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { isOpen } from "@/server/services/staff/sessions/sessions.sql";

interface LockedOperator {
  id: string;
  email: string;
  role: Role;
  isDisabled: boolean;
}

/** Locks the operator and every active admin. */
export const lockOperator = statement<LockedOperator>(
  `SELECT id, email, role, disabled_at IS NOT NULL AS "isDisabled" FROM operators
WHERE id = $1 OR (role = 'admin' AND disabled_at IS NULL) ORDER BY id FOR UPDATE`,
  { id: text, email: text, role: oneOf<Role>(), isDisabled: bool },
);

interface ListedOperator {
  id: string;
  email: string;
  name: string;
  role: Role;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  createdAt: Date;
  disabledAt: Date | null;
  lastSeenAt: Date | null;
  openSessions: number;
  applications: { id: string; name: string }[];
}

export const operatorList = statement<ListedOperator>(
  `SELECT o.id, o.email, o.name, o.role, o.password_hash IS NOT NULL AS "hasPassword",
EXISTS (SELECT FROM operator_second_factors f WHERE f.operator_id = o.id) AS "hasSecondFactor",
o.created_at AS "createdAt", o.disabled_at AS "disabledAt", max(s.last_seen_at) AS "lastSeenAt",
(count(s.id) FILTER (WHERE ${isOpen("$1::timestamptz")} AND o.disabled_at IS NULL))::int AS "openSessions",
(SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY lower(p.name), p.id), '[]')
  FROM application_members m JOIN applications p ON p.id = m.application_id WHERE m.operator_id = o.id) AS applications
FROM operators o LEFT JOIN operator_sessions s ON s.operator_id = o.id
GROUP BY o.id ORDER BY o.disabled_at IS NOT NULL, o.email`,
  {
    id: text,
    email: text,
    name: text,
    role: oneOf<Role>(),
    hasPassword: bool,
    hasSecondFactor: bool,
    createdAt: timestamp,
    disabledAt: nullable(timestamp),
    lastSeenAt: nullable(timestamp),
    openSessions: int4,
    applications: jsonText<{ id: string; name: string }[]>(),
  },
);
