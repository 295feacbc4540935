import { randomBytes } from "node:crypto";
import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { MAX_EMAIL } from "@/server/domain/text-limits";
import { text } from "@/server/services/fields";
import { checkPassword } from "@/server/services/password-rule";
import { invalid } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { insertOperator } from "@/server/services/staff/operators/operators.sql";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";

const PASSWORD_BYTES = 15;
const LONGEST_NAME = 100;

const input = z.object({
  email: text({ max: MAX_EMAIL })
    .transform((email) => email.trim().toLowerCase())
    .pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/)),
  name: text({ max: LONGEST_NAME })
    .transform((name) => name.trim())
    .pipe(z.string().min(1)),
  role: z.enum(["admin", "support"]),
  password: z.string().optional(),
});

/** Adds an operator. If no password was given, one is generated here and returned this once. */
export const createOperator = adminProcedure
  .input(staffInput(input))
  .mutation(async ({ ctx, input }): Promise<{ id: string; password: string | null }> => {
    const { email, name, role, password: given } = input;
    if (given !== undefined) await checkPassword(given, { email, path: "password" });
    const made = given === undefined ? newPassword() : null;
    const hash = await derivePassword(given ?? made ?? newPassword(), ctx);
    const id = newId("opr");
    await ctx.db.transaction(async (query) => {
      const [added] = await run(query, insertOperator, [id, email, name, role, hash, new Date(ctx.now)]);
      const description = "email is already used by another operator";
      if (!added) throw invalid({ path: ["email"], key: "errors.invalid_value", description });
      await audit(query, ctx, { action: "operator.created", object: id, detail: { email, role } });
    });
    return { id, password: made };
  });

/** 120 random bits, for an operator to change. */
export function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString("base64url");
}
