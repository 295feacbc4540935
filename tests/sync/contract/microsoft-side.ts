import type { DateTimeTimeZone, Event } from "@microsoft/microsoft-graph-types";
import { clock } from "@/server/clock";
import { providerTraits } from "@/server/domain/providers";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import { connectMicrosoftPerson, type Microsoft, microsoft } from "../microsoft-person";
import { CALENDAR } from "../microsoft-scene";
import { inBerlin, type Loss, type Others, OWNER, type Seen, type Side, type TheirEvent } from "./side";

/** What Windows calls the zone of the others. */
const WINDOWS_ZONE = "W. Europe Standard Time";
const MARK = "Theirs";

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
  const account = fake.account(OWNER);
  const all = new Set([account.primary]);
  const side = async (name: string, calendar: CalendarState): Promise<Side> => ({
    ...person,
    calendarId: await person.calendarId(name),
    alwaysNotifies: !providerTraits[provider].writesSilently,
    others: others(calendar),
    settled: async () => {
      await person.push();
      await person.sync();
    },
    provider: {
      ...{ push: person.push, sync: person.sync, losesDays: true },
      losing: (how, run) => losing(fake.faults, how, run),
      forgetTokens: () => {
        for (const one of all) one.expireDeltaTokens();
      },
      seen: async () => calendar.events().map((event) => seen(calendar, event)),
      mails: () => fake.outbox,
      clearMails: () => void fake.outbox.splice(0),
    },
    calendars: async (names) => {
      const more = names.map((name) => fake.calendar(account.addCalendar({ name })));
      for (const calendar of more) all.add(calendar);
      await person.sync();
      return await Promise.all(more.map((calendar, i) => side(names[i] ?? "", calendar)));
    },
  });
  return await side(CALENDAR, account.primary);
}

async function losing(faults: Microsoft["faults"], how: Loss, run: () => Promise<void>): Promise<void> {
  const instead = how === "break" ? { breakConnection: true } : { respond: "serviceUnavailable" as const };
  for (const method of ["POST", "PATCH", "DELETE"])
    faults.next({ method, path: /\/events/, afterWork: true, times: Number.POSITIVE_INFINITY, ...instead });
  await run();
  faults.clear();
}

function seen(calendar: CalendarState, event: Event): Seen {
  const { id = "", subject, isAllDay, type, bodyPreview, location } = event;
  const shown = (time: Event["start"]) => {
    const text = time?.dateTime ?? "";
    return isAllDay ? dateOf(text) : inBerlin(`${text.slice(0, 19)}Z`);
  };
  const { cancelled, exceptions } = calendar.deviations(id);
  const days = exceptions.map((date) => ({ ...calendar.event(calendar.occurrenceId(id, date)), date }));
  const isChanged = (one: Event) =>
    one.subject !== subject || shown(one.start).slice(11) !== shown(event.start).slice(11);
  const changed = days.filter(isChanged).map((one) => [one.date, [shown(one.start), one.subject ?? ""]] as const);
  const isMarked = (one: Event) => one.categories?.includes(MARK);
  return {
    ...{ summary: subject ?? "", start: shown(event.start), end: shown(event.end), isSeries: type === "seriesMaster" },
    ...{ description: bodyPreview ?? "", location: location?.displayName ?? "", skipped: cancelled },
    changed: Object.fromEntries(changed) as unknown as Seen["changed"],
    marks: [...days.filter(isMarked).map(({ date }) => date), ...(isMarked(event) ? ["series"] : [])],
  };
}

function others(calendar: CalendarState): Others {
  const idOf = (summary: string) => {
    const found = calendar.events().find(({ subject }) => subject === summary);
    if (!found?.id) throw new Error(`Graph has no ${summary}`);
    return found.id;
  };
  const instanceOf = ({ summary }: { summary: string }, from: string) =>
    calendar.occurrenceId(idOf(summary), dateOf(from));
  const change = async ({ summary }: { summary: string }, changes: Event) =>
    calendar.changeEvent(idOf(summary), changes);
  return {
    rename: (event, { summary, location }) => change(event, { subject: summary, location: { displayName: location } }),
    describe: (event, content) => change(event, { body: { contentType: "text", content } }),
    delete: async ({ summary }) => calendar.deleteEvent(idOf(summary)),
    move: (event, { start, end }) => change(event, { isAllDay: start.length === 10, start: at(start), end: at(end) }),
    repeat: async ({ summary }, { interval, count }) => {
      const id = idOf(summary);
      const startDate = dateOf(calendar.event(id)?.start?.dateTime ?? "");
      const range = { type: "numbered" as const, startDate, numberOfOccurrences: count };
      calendar.changeEvent(id, { recurrence: { pattern: { type: "daily", interval }, range } });
    },
    moveOccurrence: async ({ summary }, from, { start, end }) =>
      calendar.moveOccurrence(idOf(summary), dateOf(from), { start: at(start), end: at(end) }),
    cancelOccurrence: async ({ summary }, from) => calendar.deleteOccurrence(idOf(summary), dateOf(from)),
    renameOccurrence: async (event, from, subject) => calendar.changeEvent(instanceOf(event, from), { subject }),
    mark: async (event, from) =>
      calendar.changeEvent(from ? instanceOf(event, from) : idOf(event.summary), { categories: [MARK] }),
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
