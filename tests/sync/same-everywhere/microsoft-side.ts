import type { DateTimeTimeZone, Event } from "@microsoft/microsoft-graph-types";
import { clock } from "@/server/clock";
import { providerTraits } from "@/server/domain/providers";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import { connectMicrosoftPerson, microsoft } from "../microsoft-person";
import { CALENDAR } from "../microsoft-scene";
import { type Others, OWNER, type Side, type TheirEvent } from "./side";

/** What Windows calls the zone of the others. */
const WINDOWS_ZONE = "W. Europe Standard Time";

/** The calendar of an account of an organization. */
export const microsoftSide = () => sideOf("microsoft");

/** The calendar of a personal account. */
export const outlookSide = () => sideOf("outlook");

async function sideOf(provider: "microsoft" | "outlook"): Promise<Side> {
  const kind = provider === "outlook" ? "personal" : "work";
  const fake = await microsoft({ provider, accounts: [{ email: OWNER, name: "Anna", kind }] });
  fake.advance(clock().now() - Date.now());
  const person = await connectMicrosoftPerson(fake);
  await person.sync();
  return {
    ...person,
    calendarId: await person.calendarId(CALENDAR),
    alwaysNotifies: !providerTraits[provider].writesSilently,
    others: others(fake.account(OWNER).primary),
    settled: async () => {
      await person.push();
      await person.sync();
    },
  };
}

function others(calendar: CalendarState): Others {
  const idOf = (summary: string) => {
    const found = calendar.events().find(({ subject }) => subject === summary);
    if (!found?.id) throw new Error(`Graph has no ${summary}`);
    return found.id;
  };
  const change = async ({ summary }: { summary: string }, changes: Event) =>
    calendar.changeEvent(idOf(summary), changes);
  return {
    rename: (event, { summary, location }) => change(event, { subject: summary, location: { displayName: location } }),
    delete: async ({ summary }) => calendar.deleteEvent(idOf(summary)),
    moveOccurrence: async ({ summary }, from, { start, end }) =>
      calendar.moveOccurrence(idOf(summary), dateOf(from), { start: at(start), end: at(end) }),
    cancelOccurrence: async ({ summary }, from) => calendar.deleteOccurrence(idOf(summary), dateOf(from)),
    accept: async ({ summary }, guest) => calendar.reply(idOf(summary), guest, "accepted"),
    makePrivate: (event) => change(event, { sensitivity: "private" }),
    create: async (event) => {
      const id = calendar.putEvent(itemOf(event));
      if (!event.daily) return;
      const { from, start, end } = event.daily.moved;
      calendar.moveOccurrence(id, dateOf(from), { start: at(start), end: at(end) });
    },
  };
}

function itemOf({ summary, start, end, location, isTentative, daily, declinedOf }: TheirEvent): Event {
  const person = (address: string) => ({ emailAddress: { address, name: address } });
  return {
    ...{ subject: summary, start: at(start), end: at(end), isAllDay: start.length === 10 },
    ...(location && { location: { displayName: location } }),
    ...(isTentative && { showAs: "tentative" }),
    ...(daily && {
      recurrence: {
        pattern: { type: "daily", interval: 1 },
        range: { type: "numbered", startDate: dateOf(start), numberOfOccurrences: daily.count },
      },
    }),
    ...(declinedOf && {
      organizer: person(declinedOf),
      responseStatus: { response: "declined" },
      attendees: [
        { ...person(declinedOf), type: "required", status: { response: "organizer" } },
        { ...person(OWNER), type: "required", status: { response: "declined" } },
      ],
    }),
  };
}

const dateOf = (local: string) => local.slice(0, 10);

function at(local: string): DateTimeTimeZone {
  return { dateTime: local.length > 10 ? local : `${local}T00:00:00`, timeZone: WINDOWS_ZONE };
}
