import { z } from "zod";
import type { Prisma } from "@/server/db/generated/client";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit, runAudited } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";

/** Ends a session: one's own, or for admins anybody's. A session that has ended stays unchanged. Throws not_found. */
export const endStaffSession = ownProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    const session = await ctx.db.prisma.operatorSession.findUnique({ select: { operatorId: true }, where: { id } });
    const isOurs = session && (session.operatorId === ctx.operator.id || ctx.operator.role === "admin");
    if (!isOurs) throw new Refusal({ kind: "not_found" });
    await endSession(ctx, { id, action: "session.ended" });
  });

/** Ends one's other sessions. Returns how many there were. */
export const endOtherSessions = ownProcedure.mutation(
  async ({ ctx }): Promise<{ sessionsEnded: number }> =>
    ctx.db.transaction(async (_, prisma) => {
      const { id: operatorId, sessionId } = ctx.operator;
      const sessions = await endSessionsOf(prisma, ctx, { operatorId, but: sessionId });
      if (sessions > 0) {
        await audit(prisma, ctx, { action: "session.others_ended", object: operatorId, detail: { sessions } });
      }
      return { sessionsEnded: sessions };
    }),
);

interface EndSessionInput {
  id: string;
  action: "signed_out" | "session.ended";
}

/** Ends a session from now on. Returns false when it had ended. */
export function endSession(ctx: OperatorContext, { id, action }: EndSessionInput): Promise<boolean> {
  const ended = { endedAt: new Date(ctx.now), endedBy: ctx.operator.id };
  const end = ctx.db.prisma.operatorSession.update({ select: { id: true }, where: { id, endedAt: null }, data: ended });
  return runAudited(ctx, end, { action, object: id });
}

interface EndSessionsInput {
  operatorId: string;
  /** The session to keep. */
  but: string | null;
}

/** Ends the sessions of an operator and returns how many there were. The action that ends them is audited instead. */
export async function endSessionsOf(
  prisma: Prisma.TransactionClient,
  ctx: OperatorContext,
  { operatorId, but }: EndSessionsInput,
): Promise<number> {
  const where = { operatorId, endedAt: null, ...(but !== null && { id: { not: but } }) };
  const data = { endedAt: new Date(ctx.now), endedBy: ctx.operator.id };
  const { count } = await prisma.operatorSession.updateMany({ where, data });
  return count;
}
