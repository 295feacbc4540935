import type { EventUid } from "@/server/domain/ids";
import type { ReadRow } from "@/server/services/reads/page";
import { recordReader } from "@/server/store/events/pages/records";
import type { PageResult } from "@/server/store/events/pages/statement";
import { readLines, readRows } from "@/server/store/events/pages/text";

/** One row of the free/busy read. */
export interface PeriodRow extends ReadRow {
  calendarId: string;
  freeBusy: string;
  /** As JSON; empty: there is none, or it was not requested. */
  eventId: string;
}

const STATUSES = ["busy", "tentative", "free"];
const STATUS = 3;
const ALL_DAY = 4;

export function periodRows({ rows, records, calendars }: PageResult): PeriodRow[] {
  const ids = new Map(readRows(calendars ?? null).map(([number, id = ""]) => [Number(number), id]));
  const record = recordReader(records);
  return readLines(rows).map((line) => {
    const afterUid = line.indexOf("\t");
    const starts = record.time();
    const ends = record.time();
    const calendarId = ids.get(record.whole());
    const flags = record.small();
    if (calendarId === undefined) throw new Error("a page has a period without its calendar");
    return {
      uid: (afterUid === -1 ? line : line.slice(0, afterUid)) as EventUid,
      allDay: (flags & ALL_DAY) !== 0,
      starts,
      ends,
      calendarId,
      freeBusy: STATUSES[flags & STATUS] ?? "",
      eventId: afterUid === -1 ? "" : line.slice(afterUid + 1),
    };
  });
}
