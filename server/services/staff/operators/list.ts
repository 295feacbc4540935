import { run } from "@/server/db/statement";
import { operatorList } from "@/server/services/staff/operators/operators.sql";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";

export interface OperatorRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** False: they sign in with single sign-on only. */
  hasPassword: boolean;
  hasSecondFactor: boolean;
  createdAt: string;
  disabledAt: string | null;
  lastSeenAt: string | null;
  openSessions: number;
  /** The applications that a developer sees; empty for staff. */
  applications: { id: string; name: string }[];
}

/** Lists all operators, enabled ones first. */
export const listOperators = adminProcedure.query(async ({ ctx }): Promise<OperatorRow[]> => {
  const rows = await run(ctx.db.query, operatorList, [new Date(ctx.now)]);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }));
});
