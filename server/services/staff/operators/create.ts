import { randomBytes } from "node:crypto";
import { z } from "zod";
import { databaseFault } from "@/server/db/faults";
import { newId } from "@/server/db/new-id";
import { staffInput } from "@/server/services/input";
import { checkPassword } from "@/server/services/password-rule";
import { invalid } from "@/server/services/refusal";
import { runAudited } from "@/server/services/staff/audit/audit";
import { operatorEmail, operatorName } from "@/server/services/staff/operators/operator-fields";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { derivePassword } from "@/server/services/staff/sessions/derived-password";

const PASSWORD_BYTES = 15;

const input = z.object({
  email: operatorEmail,
  name: operatorName,
  role: z.enum(["admin", "support"]),
  password: z.string().optional(),
});

/** Adds an operator. Without a password in the input, generates one and returns it this once. */
export const createOperator = adminProcedure
  .input(staffInput(input))
  .mutation(async ({ ctx, input }): Promise<{ id: string; password: string | null }> => {
    const { email, name, role, password: given } = input;
    if (given !== undefined) await checkPassword(given, { email, path: "password" });
    const made = given === undefined ? newPassword() : null;
    const passwordHash = await derivePassword(given ?? made ?? newPassword(), ctx);
    const id = newId("opr");
    const data = { id, email, name, role, passwordHash, createdAt: new Date(ctx.now) };
    const created = ctx.db.prisma.operator.create({ select: { id: true }, data });
    await runAudited(ctx, created, { action: "operator.created", object: id, detail: { email, role } }).catch(
      (error) => {
        const description = "email is already used by another operator";
        if (databaseFault(error) !== "unique_violation") throw error;
        throw invalid({ path: ["email"], key: "errors.invalid_value", description });
      },
    );
    return { id, password: made };
  });

/** Generates a password of 120 random bits, for an operator to change. */
export function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString("base64url");
}
