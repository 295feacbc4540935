import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import type { Instant } from "@/server/domain/time/instant";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { insertTest } from "@/server/services/staff/alerts/alerts.sql";
import { testBody } from "@/server/services/staff/alerts/message";
import { sendAlerts } from "@/server/services/staff/alerts/send";
import { alertInput, readAlerts, saveAlerts, staffAlertInput, waysOf } from "@/server/services/staff/alerts/settings";
import type { AlertSettings, SavedAlerts, TestedAlerts } from "@/server/services/staff/alerts/shapes";
import { audit } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import {
  adminProcedure,
  ownerProcedure,
  scopedProcedure,
  staffProcedure,
  staffRouter,
} from "@/server/services/staff/procedure/trpc";

const MOST_TESTS = 10;
const TESTS_IN_MS = 10 * 60_000;
const id = text({ min: 1, max: 100 });

/** Reads the alert settings of staff. */
const ofStaff = staffProcedure.query(async ({ ctx }): Promise<AlertSettings> => await readAlerts(ctx, STAFF_SCOPE));

/** Changes the alert settings of staff. Throws invalid. */
const setOfStaff = adminProcedure
  .input(staffInput(z.object(staffAlertInput)))
  .mutation(async ({ ctx, input }): Promise<SavedAlerts> => await saveAlerts(ctx, STAFF_SCOPE, input));

/** Sends a test through each configured channel of staff. Throws throttled. */
const testOfStaff = adminProcedure.mutation(async ({ ctx }): Promise<TestedAlerts> => await test(ctx, STAFF_SCOPE));

/** Reads the alert settings of an application's developers. Throws not_found. */
const ofApplication = scopedProcedure
  .input(staffInput(z.object({ id })))
  .query(async ({ ctx, input }): Promise<AlertSettings> => {
    await ctx.scope.expectExisting("application", input.id);
    return await readAlerts(ctx, input.id);
  });

/** Changes the alert settings of an application's developers. Throws invalid and not_found. */
const setOfApplication = ownerProcedure
  .input(staffInput(z.object({ id, ...alertInput })))
  .mutation(async ({ ctx, input: { id: scope, ...given } }): Promise<SavedAlerts> => {
    await ctx.scope.expectExisting("application", scope);
    return await saveAlerts(ctx, scope, given);
  });

/** Sends a test through each configured channel of an application. Throws not_found and throttled. */
const testOfApplication = ownerProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ ctx, input }): Promise<TestedAlerts> => {
    await ctx.scope.expectExisting("application", input.id);
    return await test(ctx, input.id);
  });

/** Alerts by email and webhook (ADR 68). */
export const alertsRouter = staffRouter({
  ofStaff,
  setOfStaff,
  testOfStaff,
  ofApplication,
  setOfApplication,
  testOfApplication,
});

async function test(ctx: OperatorContext, scope: string): Promise<TestedAlerts> {
  const { db, now } = ctx;
  const tested: TestedAlerts = [];
  for (const way of await waysOf(ctx, scope)) {
    const values = [newId("alm"), scope, way, JSON.stringify(testBody), new Date(now), new Date(now - TESTS_IN_MS)];
    const [message] = await run(db.query, insertTest, [...values, MOST_TESTS]);
    if (!message) throw new Refusal({ kind: "throttled", retryAfter: TESTS_IN_MS / 1000 });
    const [error = null] = await sendAlerts(db, now as Instant, message.id);
    tested.push({ way, error });
  }
  await audit(db.prisma, ctx, {
    action: "alerts.tested",
    object: scope,
    detail: { ways: tested.map(({ way }) => way) },
  });
  return tested;
}
