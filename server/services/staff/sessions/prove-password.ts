import { invalid, Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { isPassword } from "@/server/services/staff/sessions/derived-password";
import { takeTry } from "@/server/services/staff/sessions/tries";

/**
 * Verifies that the operator knows their own password, and returns the stored derivation. Refuses a wrong one on
 * `path`, the sixth within 15 minutes with the time to wait, and with conflict an operator who has none.
 */
export async function provePassword(
  ctx: OperatorContext,
  { password, path }: { password: string; path: string },
): Promise<string> {
  const { operator, db } = ctx;
  const tried = { operatorId: operator.id, what: "password" } as const;
  const hash = await db.transaction(async (query, prisma) => {
    const stored = await takeTry({ query, prisma }, ctx, tried);
    if (stored !== null) return stored;
    throw new Refusal({ kind: "conflict", text: "You sign in with single sign-on, so you don’t have a password." });
  });
  if (await isPassword(password, hash, ctx)) {
    await audit(db.prisma, ctx, { action: "password.proven", object: operator.id });
    return hash;
  }
  await audit(db.prisma, ctx, { action: "password.refused", object: operator.id });
  throw invalid({ path: [path], key: "errors.invalid", description: `${path} is not your password` });
}
