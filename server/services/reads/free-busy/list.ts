import { listText } from "@/server/domain/json-text";
import { FREE_BUSY_PAGE } from "@/server/domain/limits";
import { freeBusyPages } from "@/server/services/reads/free-busy/free-busy-pages.sql";
import { type PeriodRow, periodRows } from "@/server/services/reads/free-busy/rows";
import { freeBusyQuery, readInput } from "@/server/services/reads/input";
import { readPage } from "@/server/services/reads/page";
import { type TimeWriter, timeWriter } from "@/server/services/reads/times";
import { accountProcedure } from "@/server/services/trpc";

export const freeBusyRead = {
  endpoint: "free_busy",
  pageSize: FREE_BUSY_PAGE,
  page: freeBusyPages,
  rowsOf: periodRows,
} as const;

/**
 * Lists one period for each event or occurrence, not clipped to the window (GET /v1/free_busy: `{ pages, free_busy }`).
 * Refuses with 422.
 */
export const listFreeBusy = accountProcedure.input(readInput(freeBusyQuery)).query(async ({ input, ctx }) => {
  const { pages, rows, frame, zone } = await readPage(freeBusyRead, input, ctx);
  const write = timeWriter(frame.localized, zone);
  const periods = rows.splice(0).map((row) => periodText(row, write));
  return listText(`{"pages":${JSON.stringify(pages)},"free_busy":[`, periods);
});

/** Writes a "Free/busy period". Ids and statuses are ours, so nothing in them needs escaping. */
function periodText(row: PeriodRow, write: TimeWriter): string {
  const { calendarId, uid, starts, ends, allDay, freeBusy, eventId } = row;
  const own = eventId === "" ? "" : `,"event_id":${eventId}`;
  return `{"calendar_id":"${calendarId}","event_uid":"${uid}","start":"${write(starts, allDay)}","end":"${write(ends, allDay)}","free_busy_status":"${freeBusy}"${own}}`;
}
