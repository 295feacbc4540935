import { recordReader } from "@/server/db/pages/records";
import type { PageResult } from "@/server/db/pages/statement";
import { readLines } from "@/server/db/pages/text";
import type { EventUid } from "@/server/domain/ids";
import type { ReadRow } from "@/server/services/reads/page";

/** One row of the free/busy read. */
export interface PeriodRow extends ReadRow {
  calendarId: string;
  freeBusy: string;
  /** As JSON; empty: there is none, or it is not wanted. */
  eventId: string;
}

const STATUSES = ["busy", "tentative", "free"];
const STATUS = 3;
const ALL_DAY = 4;

export function periodRows({ rows, records }: PageResult): PeriodRow[] {
  const record = recordReader(records);
  return readLines(rows).map((line) => {
    const afterUid = line.indexOf("\t");
    const afterCalendar = line.indexOf("\t", afterUid + 1);
    const starts = record.time();
    const ends = record.time();
    const at = record.time();
    const flags = record.small();
    return {
      uid: line.slice(0, afterUid) as EventUid,
      at,
      allDay: (flags & ALL_DAY) !== 0,
      starts,
      ends,
      calendarId: line.slice(afterUid + 1, afterCalendar === -1 ? undefined : afterCalendar),
      freeBusy: STATUSES[flags & STATUS] ?? "",
      eventId: afterCalendar === -1 ? "" : line.slice(afterCalendar + 1),
    };
  });
}
