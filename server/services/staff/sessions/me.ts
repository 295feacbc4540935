import { needsSecondFactor } from "@/server/domain/second-factor";
import { env } from "@/server/env";
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
  /** Null: their password alone signs them in. */
  secondFactor: { since: string; recoveryCodes: number } | null;
  /** Whether their role needs a second factor. */
  needsSecondFactor: boolean;
}

/** Loads the signed-in operator. */
export const showMe = ownProcedure.query(async ({ ctx }): Promise<Me> => {
  const factor = { select: { createdAt: true, _count: { select: { recoveryCodes: true } } } };
  const { passwordHash, secondFactor } = await ctx.db.prisma.operator.findUniqueOrThrow({
    select: { passwordHash: true, secondFactor: factor },
    where: { id: ctx.operator.id },
  });
  return {
    ...ctx.operator,
    hasPassword: passwordHash !== null,
    secondFactor: secondFactor && {
      since: secondFactor.createdAt.toISOString(),
      recoveryCodes: secondFactor._count.recoveryCodes,
    },
    needsSecondFactor: needsSecondFactor(env().STAFF_SECOND_FACTOR, ctx.operator.role),
  };
});
