import { invalid, Refusal } from "@/server/services/refusal";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { provePassword } from "@/server/services/staff/sessions/prove-password";

const FRESH_MS = 10 * 60_000;

/**
 * Confirms the operator's identity before an action that a borrowed session must not take: by the password again, or
 * for those who have none by a sign-in within the last ten minutes. Refuses on the input's `password`, and with
 * conflict where a new sign-in is needed.
 */
export async function confirmIdentity(ctx: OperatorContext, password: string | undefined): Promise<void> {
  const { id, sessionId } = ctx.operator;
  const operator = await ctx.db.prisma.operator.findUnique({ select: { passwordHash: true }, where: { id } });
  if (operator?.passwordHash) {
    if (!password) throw invalid({ path: ["password"], key: "errors.required", description: "password is required" });
    await provePassword(ctx, { password, path: "password" });
  } else if (!(await isFresh(ctx, { id: sessionId, operatorId: id }))) {
    const text = "Sign out and sign in again first. This action requires a sign-in within the last 10 minutes.";
    throw new Refusal({ kind: "conflict", text });
  }
}

async function isFresh({ db, now }: OperatorContext, session: { id: string; operatorId: string }): Promise<boolean> {
  const since = new Date(now - FRESH_MS);
  const where = { ...session, createdAt: { gt: since } };
  return (await db.prisma.operatorSession.findFirst({ select: { id: true }, where })) !== null;
}
