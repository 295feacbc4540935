import { z } from "zod";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { answerHeaders } from "@/server/domain/channels/answer-headers";
import { attemptHeaders } from "@/server/domain/channels/attempt-headers";
import { GIVEN_UP_AFTER_MS, lastAttempt, MOST_ATTEMPTS, WAITS_MS } from "@/server/domain/channels/schedule";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { noteViewing } from "@/server/services/staff/audit/viewing";
import { announcedChanges } from "@/server/services/staff/deliveries/announced";
import { deliveryById, type StoredDetail } from "@/server/services/staff/deliveries/deliveries.sql";
import { rowOf, type StoredRow } from "@/server/services/staff/deliveries/rows";
import type { AttemptRow, DeliveryDetail, DeliverySchedule, Header } from "@/server/services/staff/deliveries/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { attemptsOf } from "@/server/store/deliveries/attempts-of";
import { findDelivery } from "@/server/store/deliveries/days";

export const byId = z.object({ id: text({ min: 1, max: 600 }) });

/** Loads one delivery with its attempts, and notes that in the audit trail. Throws not_found. */
export const getDelivery = scopedProcedure
  .input(staffInput(byId))
  .query(async ({ ctx, input: { id } }): Promise<DeliveryDetail> => {
    await ctx.scope.expect("delivery", id);
    const [row] = await findDelivery(id, ({ from, before }) =>
      run(ctx.db.query, deliveryById, [id, databaseTime(), from, before]),
    );
    if (!row) throw new Refusal({ kind: "not_found" });
    await noteViewing(ctx, { action: "delivery.viewed", object: id });
    const attemptRows = await attemptRowsOf(ctx.db, row);
    const [first] = attemptRows;
    const changes = await announcedChanges(ctx.db, { ...row, sentAt: first ? new Date(first.startedAt) : null });
    return { ...detailOf(row, attemptRows), changes };
  });

function detailOf(stored: StoredDetail, attemptRows: AttemptRow[]): Omit<DeliveryDetail, "changes"> {
  const { body, closedAt, closedBy, underWay, ...rest } = stored;
  const { compatibilityMode, secrets, scheduledAt: _, changesSince: __, ofChannel: ___, ...row } = rest;
  return {
    ...rowOf(row, { manual: attemptRows.some(({ manual }) => manual) }),
    callbackUrl: row.callbackUrl,
    body,
    headersSent: headersOf(row, { compatibilityMode, secrets }),
    attemptRows,
    channel: { id: row.channelId, closedAt: closedAt?.toISOString() ?? null, closedBy },
    waits: scheduleOf(stored),
    replayAsked: row.isAsked,
    underWay,
  };
}

function scheduleOf({ attempts, manualAttempts, createdAt, scheduledAt, state }: StoredDetail): DeliverySchedule {
  const made = attempts - manualAttempts;
  const created = createdAt.getTime();
  const number = Math.min(made + 1, MOST_ATTEMPTS);
  const last = state === "pending" && scheduledAt ? lastAttempt({ number, at: scheduledAt.getTime() }, created) : null;
  return {
    scheduleMs: [...WAITS_MS],
    made,
    most: MOST_ATTEMPTS,
    givenUpAt: new Date(created + GIVEN_UP_AFTER_MS).toISOString(),
    last: last && { number: last.number, at: new Date(last.at).toISOString() },
  };
}

const SECRET = "[secret]";

function headersOf(row: StoredRow, by: { compatibilityMode: boolean; secrets: number }): Header[] {
  const hmac = Array.from({ length: by.secrets }, () => SECRET).join(",");
  const headers = attemptHeaders({
    deliveryId: row.id,
    attempt: Math.max(row.attempts, 1),
    hmac,
    signature: `t=${SECRET},v1=${SECRET}`,
    compatibilityMode: by.compatibilityMode,
  });
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

async function attemptRowsOf({ prisma }: Database, delivery: StoredDetail): Promise<AttemptRow[]> {
  const rows = await prisma.attempt.findMany({
    omit: { deliveryId: true },
    where: attemptsOf(delivery),
    orderBy: { number: "asc" },
  });
  return rows.map(({ startedAt, responseHeaders, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    responseHeaders: responseHeaders === null ? null : answerHeaders(responseHeaders as Record<string, string>),
  }));
}
