import { z } from "zod";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import type { NewSecret } from "@/server/services/staff/applications/shapes";
import { audit } from "@/server/services/staff/audit/audit";
import { ownerProcedure } from "@/server/services/staff/procedure/trpc";
import { confirmIdentity } from "@/server/services/staff/sessions/confirm-identity";
import { addClientSecret, retireClientSecret } from "@/server/store/applications/client-secrets";

const id = text({ min: 1, max: 100 });
const LONGEST_PASSWORD = 1_000;
const DAY_MS = 86_400_000;

const addInput = z.object({
  id,
  password: z.string().max(LONGEST_PASSWORD).optional(),
  /** Omitted: it never expires. */
  days: z.union([z.literal(30), z.literal(90), z.literal(365)]).optional(),
});

/**
 * Adds a client secret beside the one in use, for a rotation, once the operator has confirmed who they are (`confirmIdentity`). It is shown only here.
 * Throws not_found, and conflict while two are active.
 */
export const addSecret = ownerProcedure
  .input(staffInput(addInput))
  .mutation(async ({ input: { id: object, password, days }, ctx }): Promise<NewSecret> => {
    await ctx.scope.expect("application", object);
    await confirmIdentity(ctx, password);
    return await ctx.db.transaction(async (query, prisma) => {
      const { now } = ctx;
      const expiresAt = days === undefined ? null : new Date(now + days * DAY_MS);
      const added = await addClientSecret({ query, prisma }, { applicationId: object, expiresAt, now });
      if (added === "unknown") throw new Refusal({ kind: "not_found" });
      if (added === "too_many") {
        throw new Refusal({ kind: "conflict", text: "Two client secrets are already active. Retire one first." });
      }
      await audit(prisma, ctx, { action: "secret.added", object, detail: { secret: added.id, ...(days && { days }) } });
      return added;
    });
  });

/** Retires a client secret: it is no longer accepted and signs nothing. Throws not_found, and conflict for the last active one. */
export const retireSecret = ownerProcedure
  .input(staffInput(z.object({ id, secretId: id })))
  .mutation(async ({ input: { id: object, secretId }, ctx }) => {
    await ctx.scope.expect("application", object);
    await ctx.db.transaction(async (query, prisma) => {
      const retired = await retireClientSecret({ query, prisma }, { applicationId: object, secretId, now: ctx.now });
      if (retired === "unknown") throw new Refusal({ kind: "not_found" });
      if (retired === "last") {
        throw new Refusal({
          kind: "conflict",
          text: "This is the last active client secret. Add another one first.",
        });
      }
      await audit(prisma, ctx, { action: "secret.retired", object, detail: { secret: secretId } });
    });
  });
