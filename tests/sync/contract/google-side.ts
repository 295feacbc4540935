import { clock } from "@/server/clock";
import type { CalendarState } from "../../fakes/google/calendar-state";
import { connectGooglePerson, type Google, google } from "../google-person";
import { inBerlin, type Loss, type Others, OWNER, type Seen, type Side, ZONE } from "./side";

type Event = ReturnType<CalendarState["events"]>[number];

/** The primary calendar of a Google account. */
export async function googleSide(): Promise<Side> {
  const provider = await google({ accounts: [{ email: OWNER, name: "Anna" }] });
  provider.advance(clock().now() - Date.now());
  const person = await connectGooglePerson(provider);
  await person.sync();
  const account = provider.account(OWNER);
  const forgetTokens = () => {
    account.expireListSyncTokens();
    for (const calendar of all) calendar.expireSyncTokens();
  };
  const all = new Set([account.primary]);
  const side = async (name: string, calendar: CalendarState): Promise<Side> => ({
    ...person,
    calendarId: await person.calendarId(name),
    others: others(calendar),
    settled: async () => {
      await person.push();
      await person.sync();
    },
    provider: {
      ...{ push: person.push, sync: person.sync, forgetTokens },
      losing: (how, run) => losing(provider.faults, how, run),
      seen: async () => seen(calendar.events()),
      mails: () => provider.outbox,
      clearMails: () => void provider.outbox.splice(0),
    },
    calendars: async (names) => {
      const more = names.map((summary) => provider.calendar(account.addCalendar({ summary })));
      for (const calendar of more) all.add(calendar);
      await person.sync();
      return await Promise.all(more.map((calendar, i) => side(names[i] ?? "", calendar)));
    },
  });
  return await side(OWNER, account.primary);
}

async function losing(faults: Google["faults"], how: Loss, run: () => Promise<void>): Promise<void> {
  const instead = how === "break" ? { breakConnection: true } : { respond: "serviceUnavailable" as const };
  for (const method of ["POST", "PATCH", "DELETE"])
    faults.next({ method, path: /\/events/, afterWork: true, times: Number.POSITIVE_INFINITY, ...instead });
  await run();
  faults.clear();
}

const shown = (time: Event["start"]) => time?.date ?? inBerlin(time?.dateTime ?? "");
/** The date of an exception by the series that it belongs to, in Berlin. */
const dayOf = ({ originalStartTime }: Event) => shown(originalStartTime).slice(0, 10);
const MARK = { private: { theirs: "kept" } };
const isMarked = ({ extendedProperties }: Event) => extendedProperties?.private?.theirs === "kept";

function seen(all: readonly Event[]): Seen[] {
  const own = all.filter(({ status, recurringEventId }) => status !== "cancelled" && !recurringEventId);
  return own.map((series) => {
    const { id, summary, start, end, description, location, recurrence } = series;
    const days = all.filter(({ recurringEventId }) => recurringEventId === id);
    const stay = days.filter(({ status }) => status !== "cancelled");
    const isChanged = (one: Event) => one.summary !== summary || shown(one.start).slice(11) !== shown(start).slice(11);
    const changed = stay.filter(isChanged).map((one) => [dayOf(one), [shown(one.start), one.summary ?? ""]] as const);
    const exdates = (recurrence ?? []).flatMap(
      (line) => /^EXDATE.*?:(\d{4})(\d\d)(\d\d)/.exec(line)?.slice(1, 4).join("-") ?? [],
    );
    return {
      ...{ summary: summary ?? "", start: shown(start), end: shown(end), isSeries: recurrence !== undefined },
      ...{ description: description ?? "", location: location ?? "" },
      skipped: [...exdates, ...days.filter((one) => !stay.includes(one)).map(dayOf)].sort(),
      changed: Object.fromEntries(changed) as unknown as Seen["changed"],
      marks: [...stay.filter(isMarked).map(dayOf).sort(), ...(isMarked(series) ? ["series"] : [])],
    };
  });
}

function others(calendar: CalendarState): Others {
  const idOf = (summary: string) => {
    const found = calendar.events().find((event) => event.summary === summary && !event.recurringEventId);
    if (!found?.id) throw new Error(`Google has no ${summary}`);
    return found.id;
  };
  const at = (local: string) => (local.length > 10 ? { dateTime: local, timeZone: ZONE } : { date: local });
  const instanceOf = ({ summary }: { summary: string }, from: string) => {
    const stamp = new Date(`${from}+02:00`).toISOString().replaceAll(/[-:]|\.000/g, "");
    return `${idOf(summary)}_${stamp}`;
  };
  return {
    rename: async ({ summary }, changes) => calendar.changeEvent(idOf(summary), changes),
    describe: async ({ summary }, description) => calendar.changeEvent(idOf(summary), { description }),
    delete: async ({ summary }) => calendar.deleteEvent(idOf(summary)),
    move: async ({ summary }, { start, end }) =>
      calendar.changeEvent(idOf(summary), { start: at(start), end: at(end) }),
    repeat: async ({ summary }, { interval, count }) =>
      calendar.changeEvent(idOf(summary), { recurrence: [`RRULE:FREQ=DAILY;INTERVAL=${interval};COUNT=${count}`] }),
    moveOccurrence: async ({ summary }, from, { start, end }) =>
      void calendar.moveOccurrence(idOf(summary), at(from), { start: at(start), end: at(end) }),
    cancelOccurrence: async ({ summary }, from) => void calendar.deleteOccurrence(idOf(summary), at(from)),
    renameOccurrence: async (event, from, summary) => calendar.changeEvent(instanceOf(event, from), { summary }),
    mark: async (event, from) =>
      calendar.changeEvent(from ? instanceOf(event, from) : idOf(event.summary), { extendedProperties: MARK }),
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
