import type { Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import { invalid, Refusal } from "@/server/services/refusal";
import { audit, auditAlone } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { isPassword } from "@/server/services/staff/sessions/derived-password";
import { lockPassword, refusedPassword, wrongPasswords } from "@/server/services/staff/sessions/sessions.sql";

const MOST_WRONG = 5;
const WITHIN_MS = 15 * 60_000;

/**
 * Has the operator prove that they know their own password, and gives what is stored of it. Refuses a wrong one on `path`, the sixth of 15 minutes
 * with the time to wait, and with conflict an operator who has none.
 */
export async function provePassword(
  ctx: OperatorContext,
  { password, path }: { password: string; path: string },
): Promise<string> {
  const { operator, db } = ctx;
  const hash = await db.transaction((query) => takeTry(query, ctx));
  if (await isPassword(password, hash, ctx)) {
    await auditAlone(db, ctx, { action: "password.proven", object: operator.id });
    return hash;
  }
  await auditAlone(db, ctx, { action: "password.refused", object: operator.id });
  throw invalid({ path: [path], key: "errors.invalid", description: `${path} is not your password` });
}

/** Written down before the password is looked at: tries that arrive together would all find room otherwise. */
async function takeTry(query: Query, ctx: OperatorContext): Promise<string> {
  const { id } = ctx.operator;
  const [found] = await run(query, lockPassword, [id]);
  if (!found?.hash) {
    throw new Refusal({ kind: "conflict", text: "You sign in with single sign-on, so you don’t have a password." });
  }
  const since = new Date(ctx.now - WITHIN_MS);
  const tries = await runOne(query, wrongPasswords, [id, since]);
  if (tries.wrong >= MOST_WRONG) {
    const [first] = await run(query, refusedPassword, [id, since, MOST_WRONG]);
    const waitMs = first ? first.at.getTime() + WITHIN_MS - ctx.now : WITHIN_MS;
    throw new Refusal({ kind: "throttled", retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  await audit(query, ctx, { action: "password.tried", object: id });
  return found.hash;
}
