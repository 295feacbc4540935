import type { Pieces } from "@/server/domain/pieces";
import { calendarRead, calendarWritten } from "@/server/providers/caldav/icalendar/calendar-object";
import { propertiesOf, propertyOf, replaceLines } from "@/server/providers/caldav/icalendar/content-line";
import { addressOf } from "@/server/providers/caldav/icalendar/read-people";

const untold = new Set(["CLIENT", "NONE"]);

/**
 * A resource as one that nobody is invited to, in pieces.
 * @param ownAddresses the owner's, in lower case
 * @returns null where that tells nobody less: it is another's, or has no guests whom its server tells (RFC 6638 §7.1)
 */
export function* withoutGuests(ics: string, ownAddresses: readonly string[]): Pieces<string | null> {
  const calendar = yield* calendarRead(ics);
  const events = calendar?.components.filter(({ name }) => name === "VEVENT") ?? [];
  const isTelling = events.some((event) => {
    const organizer = propertyOf(event, "ORGANIZER");
    const email = organizer && addressOf(organizer);
    if (email === null || !ownAddresses.includes(email)) return false;
    const guests = propertiesOf(event, "ATTENDEE").filter((one) => addressOf(one) !== email);
    return guests.some(({ params }) => !untold.has(params["schedule-agent"]?.toUpperCase() ?? ""));
  });
  if (!calendar || !isTelling) return null;
  for (const event of events) replaceLines(event, ["ORGANIZER", "ATTENDEE"], []);
  yield;
  return yield* calendarWritten(calendar);
}
