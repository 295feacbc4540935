import { queryOne } from "@/server/db/query-one";
import type { Role } from "@/server/services/staff/staff-context";
import { staffProcedure } from "@/server/services/staff/trpc";

export interface Me {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** False: there is no password to change. */
  hasPassword: boolean;
}

/** The operator who asks. */
export const showMe = staffProcedure.query(async ({ ctx }): Promise<Me> => {
  const found = await queryOne<{ hasPassword: boolean }>(
    ctx.db.query,
    `SELECT password_hash IS NOT NULL AS "hasPassword" FROM operators WHERE id = $1`,
    [ctx.operator.id],
  );
  return { ...ctx.operator, hasPassword: found.hasPassword };
});
