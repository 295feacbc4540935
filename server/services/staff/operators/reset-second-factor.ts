import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { lockOperatorAndAdmins } from "@/server/services/staff/operators/change";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { endSessionsOf } from "@/server/services/staff/sessions/end";

/**
 * Removes the second factor of another operator, who has lost it, and ends their sessions. Refuses for oneself: anybody
 * with an admin's session could take over the admin's account for good. Throws not_found.
 */
export const resetSecondFactor = adminProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    if (id === ctx.operator.id) {
      throw new Refusal({ kind: "conflict", text: "Change your own second factor in your profile." });
    }
    await ctx.db.transaction(async (query, prisma) => {
      await lockOperatorAndAdmins(query, id);
      const { count } = await prisma.operatorSecondFactor.deleteMany({ where: { operatorId: id } });
      if (count === 0) return;
      const sessions = await endSessionsOf(prisma, ctx, { operatorId: id, but: null });
      await audit(prisma, ctx, { action: "operator.second_factor_reset", object: id, detail: { sessions } });
    });
  });
