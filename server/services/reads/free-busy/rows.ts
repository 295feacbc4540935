import type { PageResult } from "@/server/db/pages/statement";
import { readRows } from "@/server/db/pages/text";
import { timesReader } from "@/server/db/pages/times";
import type { EventUid } from "@/server/domain/ids";
import type { ReadRow } from "@/server/services/reads/page";

/** One row of the free/busy read. */
export interface PeriodRow extends ReadRow {
  calendarId: string;
  freeBusy: string;
  /** As JSON; empty: there is none, or it is not wanted. */
  eventId: string;
}

export function periodRows({ rows, times }: PageResult): PeriodRow[] {
  const time = timesReader(times);
  return readRows(rows).map(([uid = "", calendarId = "", at = "", freeBusy = "", eventId = ""]) => {
    const [starts, ends] = [time(), time()];
    const allDay = at !== "";
    return {
      uid: uid as EventUid,
      at: allDay ? Number(at) : starts,
      allDay,
      starts,
      ends,
      calendarId,
      freeBusy,
      eventId,
    };
  });
}
