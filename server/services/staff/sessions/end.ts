import { z } from "zod";
import { Refusal } from "@/server/services/refusal";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { endSession } from "@/server/services/staff/sessions/end-session";

/** Ends a session: one's own, and for admins anybody's. One that has ended stays unchanged. Throws not_found. */
export const endStaffSession = ownProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    const session = await ctx.db.prisma.operatorSession.findUnique({ select: { operatorId: true }, where: { id } });
    const isOurs = session && (session.operatorId === ctx.operator.id || ctx.operator.role === "admin");
    if (!isOurs) throw new Refusal({ kind: "not_found" });
    await endSession(ctx, { id, action: "session.ended" });
  });
