import type { PageShape } from "@/server/db/pages/statement";
import type { FreeBusyStatus } from "@/server/domain/free-busy";
import type { EventUid } from "@/server/domain/ids";
import type { PeriodAnswer } from "@/server/services/reads/answer";
import { freeBusyQuery, readInput } from "@/server/services/reads/input";
import { type Read, readPage } from "@/server/services/reads/page";
import { timeWriter } from "@/server/services/reads/times";
import { accountProcedure } from "@/server/services/trpc";

/** "up to 1,000 periods" ("Limits"). */
export const FREE_BUSY_PAGE = 1000;

export const freeBusyShape: PageShape = {
  scanned: "o.uid, o.calendar_id, o.event_id, o.all_day, o.starts, o.ends, o.free_busy",
  selected: `k.uid, k.calendar_id, k.event_id, k.all_day, date_part('epoch', k.starts) AS starts, date_part('epoch', k.ends) AS ends, k.free_busy`,
  joined: "",
};

const read: Read = { endpoint: "free_busy", pageSize: FREE_BUSY_PAGE, shape: freeBusyShape };

interface PeriodRow {
  uid: EventUid;
  calendar_id: string;
  event_id: string | null;
  all_day: boolean;
  starts: number;
  ends: number;
  free_busy: FreeBusyStatus;
}

/** GET /v1/free_busy: `{ pages, free_busy }`, one period for each event or occurrence, not clipped to the window. Refuses with 422. */
export const listFreeBusy = accountProcedure.input(readInput(freeBusyQuery)).query(async ({ input, ctx }) => {
  const { pages, rows, frame, zone } = await readPage<PeriodRow>(read, input, ctx);
  const write = timeWriter(frame.localized, zone);
  const periods = rows.map(
    (row): PeriodAnswer => ({
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
