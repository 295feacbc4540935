import { z } from "zod";
import { run } from "@/server/db/statement";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { locked } from "@/server/services/staff/operators/change";
import { newPassword } from "@/server/services/staff/operators/create";
import { updatePassword } from "@/server/services/staff/operators/operators.sql";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";
import { endSessionsOf } from "@/server/services/staff/sessions/end-session";

/**
 * Gives another operator a new password, returned this once, and ends their sessions. Not oneself: anybody with an admin's session would own
 * the admin's password from then on.
 */
export const resetOperatorPassword = adminProcedure
  .input(staffInput(z.object({ id: z.string() })))
  .mutation(async ({ ctx, input: { id } }): Promise<{ password: string }> => {
    if (id === ctx.operator.id) {
      throw new Refusal({ kind: "conflict", text: "Change your own password under My account." });
    }
    const password = newPassword();
    const hash = await derivePassword(password, ctx);
    await ctx.db.transaction(async (query) => {
      await locked(query, id);
      await run(query, updatePassword, [id, hash]);
      const sessions = await endSessionsOf(query, ctx, { operatorId: id, but: null });
      await audit(query, ctx, { action: "operator.password_reset", object: id, detail: { sessions } });
    });
    return { password };
  });
