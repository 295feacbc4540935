import type { Connection } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { run, runOne } from "@/server/db/statement";
import { invalid, Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { isPassword } from "@/server/services/staff/sessions/derived-password";
import { lockPassword, wrongPasswords } from "@/server/services/staff/sessions/sessions.sql";

const MOST_WRONG = 5;
const WITHIN_MS = 15 * 60_000;

/**
 * Verifies that the operator knows their own password, and returns the stored derivation. Refuses a wrong one on
 * `path`, the sixth within 15 minutes with the time to wait, and with conflict an operator who has none.
 */
export async function provePassword(
  ctx: OperatorContext,
  { password, path }: { password: string; path: string },
): Promise<string> {
  const { operator, db } = ctx;
  const hash = await db.transaction((query, prisma) => takeTry({ query, prisma }, ctx));
  if (await isPassword(password, hash, ctx)) {
    await audit(db.prisma, ctx, { action: "password.proven", object: operator.id });
    return hash;
  }
  await audit(db.prisma, ctx, { action: "password.refused", object: operator.id });
  throw invalid({ path: [path], key: "errors.invalid", description: `${path} is not your password` });
}

/** Records a try before the password is checked: otherwise tries that arrive together would all be allowed. */
async function takeTry({ query, prisma }: Connection, ctx: OperatorContext): Promise<string> {
  const { id } = ctx.operator;
  const [found] = await run(query, lockPassword, [id]);
  if (!found?.hash) {
    throw new Refusal({ kind: "conflict", text: "You sign in with single sign-on, so you don’t have a password." });
  }
  const since = new Date(ctx.now - WITHIN_MS);
  const tries = await runOne(query, wrongPasswords, [id, since]);
  if (tries.wrong >= MOST_WRONG) {
    const first = await firstRefused(prisma, { object: id, at: { gt: since } });
    const waitMs = first ? first.at.getTime() + WITHIN_MS - ctx.now : WITHIN_MS;
    throw new Refusal({ kind: "throttled", retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  await audit(prisma, ctx, { action: "password.tried", object: id });
  return found.hash;
}

/** Returns when the first of the last five refused passwords was refused. */
function firstRefused(prisma: Prisma.TransactionClient, tried: Prisma.AuditEntryWhereInput) {
  const where = { ...tried, action: "password.refused" };
  return prisma.auditEntry.findFirst({ select: { at: true }, where, orderBy: { at: "desc" }, skip: MOST_WRONG - 1 });
}
