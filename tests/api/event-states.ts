import { db } from "@/server/db/client";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { type ReceiveEventsInput, type ReceivingFault, receiveEvents } from "@/server/store/events/receive";
import { changeProfile, storedCalendar } from "../fakes/stored";
import { signalsOf } from "../fakes/stored-signals";
import { dayFromNow } from "./dates";

const HOUR = 3_600_000;

/** A UTC time on the day so many days from now. */
export const at = (day: number, time = "09:00") => Date.parse(`${dayFromNow(day)}T${time}:00Z`) as Instant;

/** What a provider says of a single event: tomorrow from 09:00 to 10:00, unless `changes` say otherwise. */
export function state(changes: Partial<EventState> = {}): EventState {
  return {
    summary: "Theirs",
    description: "",
    location: null,
    url: null,
    span: { starts: at(1), ends: (at(1) + HOUR) as Instant, allDay: false },
    tzid: "Etc/UTC",
    transparency: "opaque",
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: { email: "ann@acme.io", display_name: "Ann" },
    attendees: [],
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
    ...changes,
  };
}

/** A series as a provider tells it: four days from tomorrow on. */
export function icalSeries(changes: Partial<StoredIcalRecurrence> = {}): StoredIcalRecurrence {
  return {
    allDay: false,
    start: at(1) as number as LocalTime,
    tzid: "Etc/UTC",
    duration: { days: 0, exact: HOUR },
    rrules: ["FREQ=DAILY;COUNT=4"],
    exrules: [],
    rdates: [],
    exdates: [],
    overrides: [],
    ...changes,
  };
}

type RemoteEvents = Record<string, Partial<EventState> & { version?: string | null }>;

/** The calendar's sync brings events, by their provider's names. */
export function receive(
  calendar: { calendarId: string },
  remote: RemoteEvents,
  more: Partial<ReceiveEventsInput> = {},
): Promise<ReceivingFault[]> {
  return receiveEvents(db(), {
    calendarId: calendar.calendarId,
    events: Object.entries(remote).map(([externalId, { version = null, ...changes }]) => ({
      externalId,
      version,
      state: state(changes),
    })),
    gone: [],
    now: Date.now() as Instant,
    ...more,
  });
}

/** The change signals of a calendar that are waiting. */
export async function changesOf({ calendarId }: { calendarId: string }): Promise<{ managed: boolean; at: number }[]> {
  const { accountId } = await storedCalendar(calendarId);
  const signals = await signalsOf(accountId);
  return signals
    .filter(({ kind, subject }) => kind === "change" && subject === calendarId)
    .map(({ payload }) => payload as { managed: boolean; at: number });
}

/** The account's first sync is over: changes are signalled from now on. */
export async function endFirstSync({ calendarId }: { calendarId: string }): Promise<void> {
  const { profileId } = await storedCalendar(calendarId);
  await changeProfile(profileId, { initialSyncRequired: false });
}
