import type { Pieces } from "@/server/domain/pieces";
import { addressOf } from "@/server/providers/caldav/icalendar/read/read-people";
import { calendarRead, calendarWritten } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertiesOf, propertyOf, replaceLines } from "@/server/providers/caldav/icalendar/text/content-line";

const untold = new Set(["CLIENT", "NONE"]);

/**
 * Gives a resource without guests, in pieces.
 * @param ownAddresses the owner's, in lower case
 * @returns null where this changes nothing for anybody: another person is the organizer, or there are no guests that the server
 * notifies (RFC 6638 §7.1)
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
