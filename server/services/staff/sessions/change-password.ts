import { z } from "zod";
import type { Query } from "@/server/db/client";
import { invalid, Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit";
import { derivePassword, isPassword } from "@/server/services/staff/derived-password";
import { checkPassword } from "@/server/services/staff/password-rule";
import { endSessionsOf } from "@/server/services/staff/sessions/end-session";
import { taking } from "@/server/services/staff/taking";
import { type OperatorContext, staffProcedure } from "@/server/services/staff/trpc";

const MOST_WRONG = 5;
const WITHIN_MS = 15 * 60_000;

/** Those that were refused, and those that are being looked at. */
const TRIES = `SELECT (count(*) FILTER (WHERE action = 'password.tried') - count(*) FILTER (WHERE action = 'password.changed'))::int AS wrong
FROM audit_entries WHERE object = $1 AND at > $2 AND action IN ('password.tried', 'password.changed')`;

/** Changes one's own password, for the present one, and ends one's other sessions. Five wrong ones in 15 minutes are enough. */
export const changePassword = staffProcedure
  .input(taking(z.object({ current: z.string(), next: z.string() })))
  .mutation(async ({ ctx, input: { current, next } }): Promise<{ sessionsEnded: number }> => {
    await checkPassword(next, { email: ctx.operator.email, path: "next" });
    const hash = await provenHash(ctx, current);
    const nextHash = await derivePassword(next, ctx);
    return ctx.db.transaction(async (query) => {
      const [changed] = await query<object>(
        "UPDATE operators SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id",
        [ctx.operator.id, hash, nextHash],
      );
      if (!changed) throw new Refusal({ kind: "conflict", text: "The password was changed elsewhere meanwhile." });
      const whose = { operatorId: ctx.operator.id, but: ctx.operator.sessionId };
      const sessionsEnded = await endSessionsOf(query, ctx, whose);
      const detail = { sessions: sessionsEnded };
      await audit(query, ctx, { action: "password.changed", object: ctx.operator.id, detail });
      return { sessionsEnded };
    });
  });

async function provenHash(ctx: OperatorContext, current: string): Promise<string> {
  const { operator, db } = ctx;
  const hash = await db.transaction((query) => takeTry(query, ctx));
  if (await isPassword(current, hash, ctx)) return hash;
  await audit(db.query, ctx, { action: "password.refused", object: operator.id });
  throw invalid({ path: ["current"], key: "errors.invalid", description: "current is not your password" });
}

/** Written down before the password is looked at: tries that arrive together would all find room otherwise. */
async function takeTry(query: Query, ctx: OperatorContext): Promise<string> {
  const { id } = ctx.operator;
  const [found] = await query<{ hash: string | null }>(
    "SELECT password_hash AS hash FROM operators WHERE id = $1 FOR UPDATE",
    [id],
  );
  if (!found?.hash) {
    throw new Refusal({ kind: "conflict", text: "You have no password: you sign in with single sign-on." });
  }
  const [tries] = await query<{ wrong: number }>(TRIES, [id, new Date(ctx.now - WITHIN_MS)]);
  if (!tries || tries.wrong >= MOST_WRONG) throw new Refusal({ kind: "throttled", retryAfter: WITHIN_MS / 1000 });
  await audit(query, ctx, { action: "password.tried", object: id });
  return found.hash;
}
