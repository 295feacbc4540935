import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { lockOperatorAndAdmins } from "@/server/services/staff/operators/change";
import { newPassword } from "@/server/services/staff/operators/create";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";
import { endSessionsOf } from "@/server/services/staff/sessions/end";

/**
 * Gives another operator a new password, returned this once, and ends their sessions. Refuses for oneself: anybody with
 * an admin's session could take over the admin's account for good.
 */
export const resetOperatorPassword = adminProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<{ password: string }> => {
    if (id === ctx.operator.id) {
      throw new Refusal({ kind: "conflict", text: "Change your own password in your profile." });
    }
    const password = newPassword();
    const hash = await derivePassword(password, ctx);
    await ctx.db.transaction(async (query, prisma) => {
      await lockOperatorAndAdmins(query, id);
      await prisma.operator.update({ select: { id: true }, where: { id }, data: { passwordHash: hash } });
      const sessions = await endSessionsOf(prisma, ctx, { operatorId: id, but: null });
      await audit(prisma, ctx, { action: "operator.password_reset", object: id, detail: { sessions } });
    });
    return { password };
  });
