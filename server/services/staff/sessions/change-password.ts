import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { checkPassword } from "@/server/services/password-rule";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";
import { endSessionsOf } from "@/server/services/staff/sessions/end";
import { provePassword } from "@/server/services/staff/sessions/prove-password";

/**
 * Changes one's own password after checking the current one, and ends one's other sessions. Allows five wrong ones in
 * 15 minutes.
 */
export const changePassword = ownProcedure
  .input(staffInput(z.object({ current: z.string(), next: z.string() })))
  .mutation(async ({ ctx, input: { current, next } }): Promise<{ sessionsEnded: number }> => {
    await checkPassword(next, { email: ctx.operator.email, path: "next" });
    const hash = await provePassword(ctx, { password: current, path: "current" });
    const nextHash = await derivePassword(next, ctx);
    return ctx.db.transaction(async (_, prisma) => {
      const where = { id: ctx.operator.id, passwordHash: hash };
      const { count } = await prisma.operator.updateMany({ where, data: { passwordHash: nextHash } });
      if (count === 0)
        throw new Refusal({ kind: "conflict", text: "The password was changed in another session in the meantime." });
      const whose = { operatorId: ctx.operator.id, but: ctx.operator.sessionId };
      const sessionsEnded = await endSessionsOf(prisma, ctx, whose);
      const detail = { sessions: sessionsEnded };
      await audit(prisma, ctx, { action: "password.changed", object: ctx.operator.id, detail });
      return { sessionsEnded };
    });
  });
