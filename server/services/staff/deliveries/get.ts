import { z } from "zod";
import { isAskedByStaff } from "@/server/db/cancelled";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { answerHeaders } from "@/server/domain/channels/answer-headers";
import { attemptHeaders } from "@/server/domain/channels/attempt-headers";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS, WAITS_MS } from "@/server/domain/channels/schedule";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { rowColumns, rowOf, type StoredRow } from "@/server/services/staff/deliveries/rows";
import type { AttemptRow, DeliveryDetail, Header } from "@/server/services/staff/deliveries/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";
import { noteViewing } from "@/server/services/staff/viewing";

export const byId = z.object({ id: text({ min: 1, max: 600 }) });

/** One delivery with its attempts, which is noted in the audit trail. Throws not_found. */
export const getDelivery = staffProcedure
  .input(staffInput(byId))
  .query(async ({ ctx, input: { id } }): Promise<DeliveryDetail> => {
    const [row] = await ctx.db.query<StoredDetail>(reading, [id, databaseTime()]);
    if (!row) throw new Refusal({ kind: "not_found" });
    await noteViewing(ctx, { action: "delivery.viewed", object: id });
    return detailOf(row, await attemptsOf(ctx.db.query, id));
  });

interface StoredDetail extends StoredRow {
  body: string;
  manualAttempts: number;
  replayAsked: boolean;
  underWay: boolean;
  closedAt: Date | null;
  closedBy: string | null;
  compatibilityMode: boolean;
  secrets: number;
}

const now = "coalesce($2::timestamptz, clock_timestamp())";
const reading = `SELECT ${rowColumns(now)}, d.body, d.manual_attempts AS "manualAttempts",
  ${isAskedByStaff("d")} AS "replayAsked",
  d.state = 'pending' AND coalesce(d.leased_until > ${now}, false) AS "underWay", c.closed_at AS "closedAt",
  c.closed_by AS "closedBy", p.compatibility_mode AS "compatibilityMode",
  (SELECT count(*)::int FROM client_secrets s WHERE s.application_id = p.id AND s.retired_at IS NULL) AS secrets
FROM deliveries d JOIN channels c ON c.id = d.channel_id JOIN applications p ON p.id = d.application_id WHERE d.id = $1`;

function detailOf(stored: StoredDetail, attemptRows: AttemptRow[]): DeliveryDetail {
  const { body, closedAt, closedBy, manualAttempts, replayAsked, underWay, ...rest } = stored;
  const { compatibilityMode, secrets, ...row } = rest;
  const givenUpAt = new Date(row.createdAt.getTime() + GIVEN_UP_AFTER_MS).toISOString();
  return {
    ...rowOf(row),
    callbackUrl: row.callbackUrl,
    body,
    headersSent: headersOf(row, { compatibilityMode, secrets }),
    attemptRows,
    channel: { id: row.channelId, closedAt: closedAt?.toISOString() ?? null, closedBy },
    waits: { scheduleMs: [...WAITS_MS], made: row.attempts - manualAttempts, most: MOST_ATTEMPTS, givenUpAt },
    replayAsked,
    underWay,
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

async function attemptsOf(query: Query, id: string): Promise<AttemptRow[]> {
  const rows = await query<Omit<AttemptRow, "startedAt"> & { startedAt: Date }>(
    `SELECT number, manual, started_at AS "startedAt", duration_ms AS "durationMs", address, status, error_class AS "errorClass",
  response_headers AS "responseHeaders", response_body AS "responseBody"
FROM attempts WHERE delivery_id = $1 ORDER BY number`,
    [id],
  );
  return rows.map(({ startedAt, responseHeaders, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    responseHeaders: responseHeaders && answerHeaders(responseHeaders),
  }));
}
