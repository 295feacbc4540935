import { z } from "zod";
import { run } from "@/server/db/statement";
import { checkPassword } from "@/server/services/password-rule";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";
import { endSessionsOf } from "@/server/services/staff/sessions/end-session";
import { provePassword } from "@/server/services/staff/sessions/prove-password";
import { changeOwnPassword } from "@/server/services/staff/sessions/sessions.sql";

/** Changes one's own password, for the present one, and ends one's other sessions. Five wrong ones in 15 minutes are enough. */
export const changePassword = ownProcedure
  .input(staffInput(z.object({ current: z.string(), next: z.string() })))
  .mutation(async ({ ctx, input: { current, next } }): Promise<{ sessionsEnded: number }> => {
    await checkPassword(next, { email: ctx.operator.email, path: "next" });
    const hash = await provePassword(ctx, { password: current, path: "current" });
    const nextHash = await derivePassword(next, ctx);
    return ctx.db.transaction(async (query) => {
      const [changed] = await run(query, changeOwnPassword, [ctx.operator.id, hash, nextHash]);
      if (!changed)
        throw new Refusal({ kind: "conflict", text: "The password was changed in another session in the meantime." });
      const whose = { operatorId: ctx.operator.id, but: ctx.operator.sessionId };
      const sessionsEnded = await endSessionsOf(query, ctx, whose);
      const detail = { sessions: sessionsEnded };
      await audit(query, ctx, { action: "password.changed", object: ctx.operator.id, detail });
      return { sessionsEnded };
    });
  });
