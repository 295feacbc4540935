import type { Role } from "@/server/services/staff/procedure/staff-context";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";

export interface Me {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** False: there is no password to change. */
  hasPassword: boolean;
}

/** Loads the signed-in operator. */
export const showMe = ownProcedure.query(async ({ ctx }): Promise<Me> => {
  const { passwordHash } = await ctx.db.prisma.operator.findUniqueOrThrow({
    select: { passwordHash: true },
    where: { id: ctx.operator.id },
  });
  return { ...ctx.operator, hasPassword: passwordHash !== null };
});
