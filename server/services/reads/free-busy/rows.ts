import type { PageResult } from "@/server/db/pages/statement";
import { readRows } from "@/server/db/pages/text";
import type { EventUid } from "@/server/domain/ids";
import type { ReadRow } from "@/server/services/reads/page";

/** One row of the free/busy read. */
export interface PeriodRow extends ReadRow {
  calendarId: string;
  freeBusy: string;
  /** As JSON; empty: there is none, or it is not wanted. */
  eventId: string;
}

export function periodRows({ rows }: PageResult): PeriodRow[] {
  return readRows(rows).map(([uid = "", calendarId = "", starts, ends, at = "", freeBusy = "", eventId = ""]) => ({
    uid: uid as EventUid,
    at: Number(at === "" ? starts : at),
    allDay: at !== "",
    starts: Number(starts),
    ends: Number(ends),
    calendarId,
    freeBusy,
    eventId,
  }));
}
