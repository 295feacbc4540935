import { runComposed } from "@/server/db/composed";
import { WRITES_PAGE } from "@/server/domain/limits";
import { refuseRevoked } from "@/server/services/living-account";
import { accountProcedure } from "@/server/services/trpc";
import { writesCursor, writesInput } from "@/server/services/writes/input";
import { receiptOf } from "@/server/services/writes/receipt";
import type { WritesShape } from "@/server/services/writes/response-shape";
import { type ListedWriteRow, type WriteSearch, writePage } from "@/server/services/writes/writes.sql";

/**
 * Lists what became of the application's writes, the last one of each event (GET /v1/writes). Calendars that the
 * account does not have match nothing. Refuses with 422.
 */
export const listWrites = accountProcedure.input(writesInput).query(async ({ input, ctx }): Promise<WritesShape> => {
  const { state, calendar_ids: calendarIds, cursor: after } = input;
  const { accountId } = ctx.bearer;
  const rows = await runComposed(ctx.db.query, writePage, {
    ...{ accountId, state, calendarIds, after },
    limit: WRITES_PAGE + 1,
  });
  if (rows.length === 0) await refuseRevoked(ctx.db, accountId);
  const writes = rows.slice(0, WRITES_PAGE);
  const last = rows.length > WRITES_PAGE ? writes.at(-1) : undefined;
  return {
    pages: last ? { next_page: nextPage(ctx.baseUrl, { state, calendarIds }, last) } : {},
    writes: writes.map(({ calendarId, eventId, ...row }) => ({
      ...{ calendar_id: calendarId, event_id: eventId },
      ...receiptOf(row),
    })),
  };
});

function nextPage(baseUrl: string, { state, calendarIds = [] }: WriteSearch, last: ListedWriteRow): string {
  const query = new URLSearchParams([
    ...(state ? [["state", state]] : []),
    ...calendarIds.map((id) => ["calendar_ids[]", id]),
    ["cursor", writesCursor(last)],
  ]);
  return `${baseUrl}/v1/writes?${query}`;
}
