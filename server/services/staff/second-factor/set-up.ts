import { z } from "zod";
import { newTotpSecret } from "@/server/auth/totp";
import type { Connection } from "@/server/db/client";
import type { AuditAction } from "@/server/domain/audit/actions";
import { needsSecondFactor } from "@/server/domain/second-factor";
import { env } from "@/server/env";
import { staffInput } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { lockOperatorAndAdmins } from "@/server/services/staff/operators/change";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { ownProcedure } from "@/server/services/staff/procedure/trpc";
import { drawingOf, type FactorDrawing } from "@/server/services/staff/second-factor/drawing";
import { storeFactor } from "@/server/services/staff/second-factor/factor";
import { openPending, sealPending } from "@/server/services/staff/second-factor/pending";
import { confirmIdentity } from "@/server/services/staff/sessions/confirm-identity";
import { endSessionsOf } from "@/server/services/staff/sessions/end";

const LONGEST_PASSWORD = 1_000;
const LONGEST_CODE = 100;
const LONGEST_PENDING = 2_000;

const password = z.string().max(LONGEST_PASSWORD).optional();
const confirmation = z.object({ pending: z.string().max(LONGEST_PENDING), code: z.string().max(LONGEST_CODE) });

export interface SetUpStart extends FactorDrawing {
  /** For `confirmSecondFactor`. */
  pending: string;
}

/**
 * Starts setting up one's second factor, or another in its place, after confirming one's identity (`confirmIdentity`):
 * generates a secret for an authenticator app, which nothing knows of until it is confirmed.
 */
export const startSecondFactor = ownProcedure
  .input(staffInput(z.object({ password })))
  .mutation(async ({ ctx, input }): Promise<SetUpStart> => {
    await confirmWithPassword(ctx, input.password);
    const { id: operatorId, sessionId, email } = ctx.operator;
    const secret = newTotpSecret();
    return { ...drawingOf(secret, email), pending: sealPending("set_up", { operatorId, sessionId, secret }, ctx.now) };
  });

/**
 * Finishes setting up one's second factor with a code of it, ends one's other sessions, and returns the recovery codes
 * this once. Throws invalid for a wrong code, and conflict when it was started too long ago.
 */
export const confirmSecondFactor = ownProcedure
  .input(staffInput(confirmation))
  .mutation(async ({ ctx, input }): Promise<{ recoveryCodes: string[]; sessionsEnded: number }> => {
    const { id: operatorId, sessionId } = ctx.operator;
    const pending = openPending("set_up", input.pending, ctx.now);
    if (pending?.operatorId !== operatorId || pending.sessionId !== sessionId) {
      throw new Refusal({ kind: "conflict", text: "This took too long. Start over." });
    }
    return await ctx.db.transaction(async (query, prisma) => {
      await lockOperatorAndAdmins(query, operatorId);
      const given = { operatorId, secret: pending.secret, code: input.code, now: ctx.now };
      const recoveryCodes = await storeFactor(prisma, given);
      if (recoveryCodes === null) {
        throw invalid({ path: ["code"], key: "errors.invalid", description: "code is not the app’s current code" });
      }
      const sessionsEnded = await endOthers({ query, prisma }, ctx, "second_factor.set_up");
      return { recoveryCodes, sessionsEnded };
    });
  });

/**
 * Removes one's second factor after confirming one's identity, and ends one's other sessions. Throws conflict where
 * one's role needs it.
 */
export const removeSecondFactor = ownProcedure
  .input(staffInput(z.object({ password })))
  .mutation(async ({ ctx, input }): Promise<void> => {
    const { id: operatorId, role } = ctx.operator;
    if (needsSecondFactor(env().STAFF_SECOND_FACTOR, role)) {
      throw new Refusal({ kind: "conflict", text: "Your role requires a second factor. You can replace it." });
    }
    await confirmWithPassword(ctx, input.password);
    await ctx.db.transaction(async (query, prisma) => {
      const { count } = await prisma.operatorSecondFactor.deleteMany({ where: { operatorId } });
      if (count > 0) await endOthers({ query, prisma }, ctx, "second_factor.removed");
    });
  });

/** Confirms one's identity by the password, to which a second factor belongs. Throws conflict for those who have none. */
async function confirmWithPassword(ctx: OperatorContext, given: string | undefined): Promise<void> {
  const where = { id: ctx.operator.id, passwordHash: { not: null } };
  if ((await ctx.db.prisma.operator.count({ where })) === 0) {
    const text = "You sign in with single sign-on, which has its own second factor.";
    throw new Refusal({ kind: "conflict", text });
  }
  await confirmIdentity(ctx, given);
}

/** Audits a change of one's second factor, and ends one's other sessions. Returns how many there were. */
async function endOthers({ prisma }: Connection, ctx: OperatorContext, action: AuditAction): Promise<number> {
  const { id, sessionId } = ctx.operator;
  const sessions = await endSessionsOf(prisma, ctx, { operatorId: id, but: sessionId });
  await audit(prisma, ctx, { action, object: id, detail: { sessions } });
  return sessions;
}
