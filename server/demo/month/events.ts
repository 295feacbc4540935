import type { Query } from "@/server/db/client";
import { diaries, type Entry, routines } from "@/server/demo/cast/diary";
import type { FilledAccount } from "@/server/demo/month/accounts";
import type { Month } from "@/server/demo/month/month";
import { DAY_MS, MINUTE_MS } from "@/server/demo/month/time";
import type { EventState } from "@/server/domain/events/event-state";
import type { GuestStatus } from "@/server/domain/events/guests";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, type Zone, zone } from "@/server/domain/time/zone";
import { insertMany, type NewEvent } from "@/server/store/events/insert-many";
import { stampNow } from "@/server/store/events/receive-batch";

const DAYS_BACK = 12;
const DAYS_AHEAD = 24;
/** How many of ten work days have a single appointment. */
const APPOINTMENTS = 5;

/** Fills the calendars with events and series, as a provider's syncs would have found them, and some that the application wrote. */
export async function fillEvents(month: Month, accounts: readonly FilledAccount[]): Promise<number> {
  let count = 0;
  for (const account of accounts) {
    for (const { calendars } of account.profiles) {
      const [calendar] = calendars;
      const clock = calendar && zone(calendar.tzid);
      if (!calendar || !clock) continue;
      const events = eventsOf(month, account, clock);
      await month.db.transaction((query) =>
        store(query, { calendarId: calendar.id, now: month.now as Instant }, events),
      );
      count += events.length;
    }
  }
  return count;
}

async function store(query: Query, target: { calendarId: string; now: Instant }, events: NewEvent[]): Promise<void> {
  await stampNow(query, target.calendarId);
  await insertMany(query, target, events);
}

function eventsOf(month: Month, account: FilledAccount, clock: Zone): NewEvent[] {
  const { now, random } = month;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const appointments: NewEvent[] = [];
  for (let day = -DAYS_BACK; day <= DAYS_AHEAD; day++) {
    const midnight = today + day * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    if (isWeekend || random.between(1, 10) > APPOINTMENTS) continue;
    const starts = toInstant(clock, (midnight + random.between(18, 34) * 30 * MINUTE_MS) as LocalTime);
    const { application } = account;
    const entry = random.pick(diaries[application === "harbor" ? "northwind" : application]);
    const isOurs = random.percent(40);
    appointments.push(newEvent(appointments.length, stateOf(month, account, entry, starts), isOurs));
  }
  const some = routines.filter(() => random.percent(38));
  return [
    ...appointments,
    ...some.map((routine, place) => newEvent(1_000 + place, seriesOf(account, routine, today, clock), false)),
  ];
}

/** Names a new event. `isOurs`: the application wrote it. */
function newEvent(place: number, state: EventState, isOurs: boolean): NewEvent {
  const eventId = isOurs ? `booking-${4_000 + place}` : null;
  return { eventId, externalId: `demo-${place}`, version: `"${place}"`, parts: {}, state };
}

function stateOf(month: Month, account: FilledAccount, entry: Entry, starts: Instant): EventState {
  const { email, name, tzid } = account.person;
  return {
    ...{ ...plain, summary: entry.summary, location: entry.location ?? null, tzid },
    span: { starts, ends: (starts + entry.minutes * MINUTE_MS) as Instant, allDay: false },
    organizer: { email, display_name: name },
    attendees: entry.hasGuests ? guestsOf(month) : [],
  };
}

const replies: readonly [GuestStatus, ...GuestStatus[]] = [
  ...(["accepted", "accepted", "accepted"] as const),
  ...(["tentative", "declined", "needs_action"] as const),
];

function guestsOf({ random }: Month): EventState["attendees"] {
  const names = ["Kim Larsen", "Jo Whelan", "Rosa Martins", "Theo Blake", "Anja Krause"];
  return names
    .filter(() => random.percent(50))
    .map((display_name) => {
      const email = `${display_name.toLowerCase().replace(" ", ".")}@mail.example`;
      return { email, display_name, status: random.pick(replies) };
    });
}

function seriesOf(account: FilledAccount, routine: (typeof routines)[number], today: number, clock: Zone): EventState {
  const { email, name, tzid } = account.person;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS;
  const start = (monday + (routine.weekday - 14) * DAY_MS + routine.at * MINUTE_MS) as LocalTime;
  const starts = toInstant(clock, start);
  const exact = routine.minutes * MINUTE_MS;
  return {
    ...{ ...plain, summary: routine.summary, tzid },
    span: { starts, ends: (starts + exact) as Instant, allDay: false },
    organizer: { email, display_name: name },
    icalRecurrence: {
      ...{ allDay: false, start, tzid, duration: { days: 0, exact }, rrules: [routine.rrule] },
      ...{ exrules: [], rdates: [], exdates: [], overrides: [] },
    },
  };
}

const plain = {
  ...{ description: "", location: null, url: null, transparency: "opaque", private: false, status: "confirmed" },
  ...{ participationStatus: "accepted", attendees: [], categories: [], conferencing: null },
  ...{ ruleSeries: null, icalRecurrence: null },
} as const satisfies Partial<Omit<EventState, "attendees" | "categories">> & { attendees: []; categories: [] };
