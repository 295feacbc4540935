import { z } from "zod";
import type { Query } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { lockStates, setDeleted } from "@/server/services/staff/applications/applications.sql";
import { audit } from "@/server/services/staff/audit/audit";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { pauseApplication, resumeApplication } from "@/server/store/applications/pause";

const LONGEST_NAME = 200;
const id = text({ min: 1, max: 100 });

/**
 * Refuses every request of an application from the next one on, and pauses its deliveries, syncs and writes to providers until it is
 * enabled (ADR 67). Throws not_found, and conflict for one that is disabled.
 */
export const disableApplication = adminProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ input: { id: object }, ctx }) => {
    await ctx.db.transaction(async (query, prisma) => {
      const { isDisabled } = await lockRow(query, object);
      if (isDisabled) throw new Refusal({ kind: "conflict", text: "This application is already disabled." });
      await setDisabled(prisma, object, new Date(ctx.now));
      await pauseApplication(query, object);
      await audit(prisma, ctx, { action: "application.disabled", object });
    });
  });

/** Accepts its requests again and resumes what was paused. Throws not_found, and conflict for one that is enabled or being deleted. */
export const enableApplication = adminProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ input: { id: object }, ctx }) => {
    await ctx.db.transaction(async (query, prisma) => {
      const { isDisabled, isDeleted } = await lockRow(query, object);
      if (isDeleted) throw new Refusal({ kind: "conflict", text: "This application is being deleted." });
      if (!isDisabled) throw new Refusal({ kind: "conflict", text: "This application is already enabled." });
      await setDisabled(prisma, object, null);
      await resumeApplication(query, object);
      await audit(prisma, ctx, { action: "application.enabled", object });
    });
    for (const work of ["deliver", "sync", "push"] as const) wake(work);
  });

/**
 * Deletes an application for good: it is disabled at once, and all its data is erased in the background. `name` is its
 * name, which the operator typed. Throws invalid for another name, not_found, and conflict for one that is being
 * deleted.
 */
export const deleteApplication = adminProcedure
  .input(staffInput(z.object({ id, name: text({ max: LONGEST_NAME }) })))
  .mutation(async ({ input: { id: object, name: typed }, ctx }) => {
    await ctx.db.transaction(async (query, prisma) => {
      const { name, isDisabled, isDeleted } = await lockRow(query, object);
      if (isDeleted) throw new Refusal({ kind: "conflict", text: "This application is already being deleted." });
      if (typed.trim() !== name) throw invalid(otherName);
      if (!isDisabled) {
        await setDisabled(prisma, object, new Date(ctx.now));
        await pauseApplication(query, object);
      }
      await run(query, setDeleted, [object, new Date(ctx.now)]);
      await audit(prisma, ctx, { action: "application.deleted", object, detail: { name } });
    });
  });

const otherName = {
  path: ["name"],
  key: "errors.invalid",
  description: "Name must be the name of the application, exactly as it is shown",
} as const;

async function lockRow(query: Query, id: string) {
  const [state] = await run(query, lockStates, [id]);
  if (!state) throw new Refusal({ kind: "not_found" });
  return state;
}

async function setDisabled(prisma: Prisma.TransactionClient, id: string, disabledAt: Date | null): Promise<void> {
  await prisma.application.update({ select: { id: true }, where: { id }, data: { disabledAt } });
}
