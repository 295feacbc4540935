import { recentEntries } from "@/server/recent-entries";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import type { EventToWrite, ReadToWrite } from "@/server/store/event-writes/event-write";

/** As many as this process remembers. */
const MOST = 10_000;
/** After so many new events in a row the next write to a calendar is taken for a new one too. */
const IN_A_ROW = 2;

interface Growing {
  accountId: string;
  calendar: CalendarToWrite;
  inARow: number;
}

/** The calendars to which this process wrote new events last. */
const growing = recentEntries<Growing>(MOST);

/**
 * What the write of an event is decided by while its calendar only gets new ones: that it is new as well, and the calendar as it was. The
 * statement of the write checks both. Undefined: it has to be read.
 */
export function guessedToWrite({ calendarId, accountId }: EventToWrite): ReadToWrite | undefined {
  const known = growing.get(calendarId);
  if (!known || known.accountId !== accountId || known.inARow < IN_A_ROW) return undefined;
  return { calendar: known.calendar, living: null };
}

/** After a write that was carried out, or changed nothing of an event that is there. */
export function rememberWrite({ calendarId, accountId }: EventToWrite, { calendar, living }: ReadToWrite): void {
  const inARow = living ? 0 : (growing.get(calendarId)?.inARow ?? 0) + 1;
  growing.set(calendarId, { accountId, calendar, inARow });
}

/** After a guess that was wrong. */
export function forgetWrites({ calendarId }: EventToWrite): void {
  growing.delete(calendarId);
}
