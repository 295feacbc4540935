import { FREE_BUSY_PAGE } from "@/server/domain/limits";
import { freeBusyPages } from "@/server/services/reads/free-busy/free-busy-pages.sql";
import { freeBusyQuery, readInput } from "@/server/services/reads/input";
import { readPage } from "@/server/services/reads/page";
import type { PeriodShape } from "@/server/services/reads/response-shape";
import { timeWriter } from "@/server/services/reads/times";
import { accountProcedure } from "@/server/services/trpc";

const read = { endpoint: "free_busy", pageSize: FREE_BUSY_PAGE, page: freeBusyPages } as const;

/** GET /v1/free_busy: `{ pages, free_busy }`, one period for each event or occurrence, not clipped to the window. Refuses with 422. */
export const listFreeBusy = accountProcedure.input(readInput(freeBusyQuery)).query(async ({ input, ctx }) => {
  const { pages, rows, frame, zone } = await readPage(read, input, ctx);
  const write = timeWriter(frame.localized, zone);
  const periods = rows.map(
    (row): PeriodShape => ({
      calendar_id: row.calendar_id,
      event_uid: row.uid,
      start: write(row.starts, row.all_day),
      end: write(row.ends, row.all_day),
      free_busy_status: row.free_busy,
      ...(frame.includeIds && row.event_id !== null && { event_id: row.event_id }),
    }),
  );
  return { pages, free_busy: periods };
});
