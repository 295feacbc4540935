import { invalid, Refusal } from "@/server/services/refusal";
import { provePassword } from "@/server/services/staff/sessions/prove-password";
import type { OperatorContext } from "@/server/services/staff/staff-context";

const FRESH_MS = 10 * 60_000;
const STATE = `SELECT o.password_hash IS NOT NULL AS "hasPassword", coalesce(s.created_at > $3, false) AS "isFresh"
FROM operators o LEFT JOIN operator_sessions s ON s.id = $2 AND s.operator_id = o.id WHERE o.id = $1`;

/**
 * Before something that a borrowed session must not do: the operator's password again, or of those who have none a sign-in of the last ten minutes.
 * Refuses on the input's `password`, and with conflict where it takes a new sign-in.
 */
export async function confirmIdentity(ctx: OperatorContext, password: string | undefined): Promise<void> {
  const { id, sessionId } = ctx.operator;
  const values = [id, sessionId, new Date(ctx.now - FRESH_MS)];
  const [state] = await ctx.db.query<{ hasPassword: boolean; isFresh: boolean }>(STATE, values);
  if (state?.hasPassword) {
    if (!password) throw invalid({ path: ["password"], key: "errors.required", description: "password is required" });
    await provePassword(ctx, { password, path: "password" });
  } else if (!state?.isFresh) {
    const text = "Sign out and sign in again first. This action requires a sign-in within the last 10 minutes.";
    throw new Refusal({ kind: "conflict", text });
  }
}
