import { isOpen } from "@/server/services/staff/sessions/session";
import type { Role } from "@/server/services/staff/staff-context";
import { adminProcedure } from "@/server/services/staff/trpc";

export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** False: single sign-on alone. */
  hasPassword: boolean;
  createdAt: string;
  disabledAt: string | null;
  lastSeenAt: string | null;
  openSessions: number;
}

type Stored = Omit<OperatorRow, "createdAt" | "disabledAt" | "lastSeenAt"> & {
  createdAt: Date;
  disabledAt: Date | null;
  lastSeenAt: Date | null;
};

const LIST = `SELECT o.id, o.email, o.name, o.role, o.password_hash IS NOT NULL AS "hasPassword",
o.created_at AS "createdAt", o.disabled_at AS "disabledAt", max(s.last_seen_at) AS "lastSeenAt",
(count(s.id) FILTER (WHERE ${isOpen("$1::timestamptz")} AND o.disabled_at IS NULL))::int AS "openSessions"
FROM operators o LEFT JOIN operator_sessions s ON s.operator_id = o.id
GROUP BY o.id ORDER BY o.disabled_at IS NOT NULL, o.email`;

/** All operators, those who may sign in first. */
export const listOperators = adminProcedure.query(async ({ ctx }): Promise<OperatorRow[]> => {
  const rows = await ctx.db.query<Stored>(LIST, [new Date(ctx.now)]);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }));
});
