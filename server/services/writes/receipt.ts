import { run } from "@/server/db/statement";
import { isFaulty } from "@/server/domain/text";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { receiptReason } from "@/server/domain/trouble/receipt";
import { rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";
import type { ReceiptShape } from "@/server/services/writes/response-shape";
import { type ReceiptRow, receiptOfEvent } from "@/server/services/writes/writes.sql";

/**
 * Shows what became of the application's last write of an event (GET /v1/calendars/{calendar_id}/events/{event_id}/receipt).
 * Throws not_found for a calendar that the account does not have, and for an event that the application never wrote to it.
 */
export const showReceipt = accountProcedure
  .input(rawInput((raw) => raw as { calendar_id: string; event_id: string }))
  .query(async ({ input: { calendar_id: calendarId, event_id: eventId }, ctx }): Promise<ReceiptShape> => {
    const isPossible = !isFaulty(calendarId) && !isFaulty(eventId);
    const [row] = isPossible
      ? await run(ctx.db.query, receiptOfEvent, [calendarId, ctx.bearer.accountId, eventId])
      : [];
    if (!row) throw new Refusal({ kind: "not_found" });
    return receiptOf(row);
  });

/** Writes a receipt as the API gives it. */
export function receiptOf({ state, attempts, at, connected, error }: ReceiptRow): ReceiptShape {
  const reason = receiptReason(state, { connected, error });
  return { state, attempts, at: formatInstant(at.getTime() as Instant), reason };
}
