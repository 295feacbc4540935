import { clock } from "@/server/clock";
import type { CalendarState } from "../../fakes/google/calendar-state";
import { connectGooglePerson, google } from "../google-person";
import { type Others, OWNER, type Side, ZONE } from "./side";

/** The primary calendar of a Google account. */
export async function googleSide(): Promise<Side> {
  const provider = await google({ accounts: [{ email: OWNER, name: "Anna" }] });
  provider.advance(clock().now() - Date.now());
  const person = await connectGooglePerson(provider);
  await person.sync();
  return {
    ...person,
    calendarId: await person.calendarId(OWNER),
    others: others(provider.account(OWNER).primary),
    settled: async () => {
      await person.push();
      await person.sync();
    },
  };
}

function others(calendar: CalendarState): Others {
  const idOf = (summary: string) => {
    const found = calendar.events().find((event) => event.summary === summary && !event.recurringEventId);
    if (!found?.id) throw new Error(`Google has no ${summary}`);
    return found.id;
  };
  const at = (local: string) => (local.length > 10 ? { dateTime: local, timeZone: ZONE } : { date: local });
  return {
    rename: async ({ summary }, changes) => calendar.changeEvent(idOf(summary), changes),
    delete: async ({ summary }) => calendar.deleteEvent(idOf(summary)),
    moveOccurrence: async ({ summary }, from, { start, end }) =>
      void calendar.moveOccurrence(idOf(summary), at(from), { start: at(start), end: at(end) }),
    cancelOccurrence: async ({ summary }, from) => void calendar.deleteOccurrence(idOf(summary), at(from)),
    accept: async ({ summary }, guest) => calendar.reply(idOf(summary), guest, "accepted"),
    makePrivate: async ({ summary }) => calendar.changeEvent(idOf(summary), { visibility: "private" }),
    create: async ({ summary, start, end, location, isTentative, daily, declinedOf }) => {
      const id = calendar.putEvent({
        ...{ summary, start: at(start), end: at(end) },
        ...(location && { location }),
        ...(isTentative && { status: "tentative" }),
        ...(daily && { recurrence: [`RRULE:FREQ=DAILY;COUNT=${daily.count}`] }),
        ...(declinedOf && {
          organizer: { email: declinedOf },
          attendees: [
            { email: declinedOf, responseStatus: "accepted" },
            { email: OWNER, responseStatus: "declined" },
          ],
        }),
      });
      if (!daily) return;
      const { from, start: to, end: until } = daily.moved;
      calendar.moveOccurrence(id, at(from), { start: at(to), end: at(until) });
    },
  };
}
