import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";
import { takesTime } from "@/server/domain/free-busy";
import type { Pieces } from "@/server/domain/pieces";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcalInPieces } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";
import { inSlices, slices } from "@/server/event-loop";
import { type Account, unexpected } from "@/server/providers/caldav/account";
import { down } from "@/server/providers/caldav/ask";
import { NO_EVENT, type ReadEvent } from "@/server/providers/caldav/icalendar/read/read-resource";
import { needMultistatus } from "@/server/providers/caldav/multistatus";
import type { Entry } from "@/server/providers/caldav/multistatus-reader";
import { zoneOfCalendar } from "@/server/providers/caldav/pull";
import { readText } from "@/server/providers/caldav/read-page";
import { calendarQuery } from "@/server/providers/caldav/requests";
import { eventOf, furtherId } from "@/server/providers/caldav/shared-resource";
import { cal } from "@/server/providers/caldav/xml";
import type { BusyTimeInput, TakenSpan } from "@/server/providers/connector";

const data = cal("calendar-data");
/** The range may reach over months, as the stored window does. */
const WORK = 2 * SERIES_STEPS;

/**
 * Asks for the resources of a window (RFC 4791 §7.8) and expands them as sync does, because servers disagree on
 * `expand`. Throws if one of them, or an occurrence, can't be read: its time would be called free.
 */
export async function busyTime(
  account: Account,
  { calendarId, window, without }: BusyTimeInput,
): Promise<readonly TakenSpan[]> {
  const url = account.at(calendarId);
  const [entries, tzid] = await Promise.all([resourcesIn(account, url, window), zoneOfCalendar(account, url)]);
  const pause = slices();
  const spans: TakenSpan[] = [];
  for (const entry of entries) {
    const events = await eventsOf(account, entry, tzid);
    const own = eventOf(events, entry.externalId, []);
    for (const event of events) {
      const isOwn = event === own;
      if (isLeftOut(entry.externalId, isOwn ? null : event.name, without)) continue;
      for (const span of await inSlices(spansOf(event.state, window), pause)) spans.push(span);
    }
  }
  return spans;
}

async function resourcesIn(account: Account, url: string, window: Window): Promise<Entry[]> {
  const answer = await account.ask(calendarQuery(url, window, [data]));
  if (answer.status !== 207) throw unexpected(answer);
  const { entries } = await needMultistatus(answer);
  const refused = entries.find(({ status }) => status !== null && status !== 404);
  // 507: there are more than the server lists (RFC 4791 §7.8).
  if (refused) throw down(`http_207_${refused.status}`);
  return entries.filter(({ status }) => status === null);
}

async function eventsOf(account: Account, { props }: Entry, tzid: string | null): Promise<readonly ReadEvent[]> {
  const read = await readText(account, props.get(data)?.text ?? "", tzid);
  if ("fault" in read) {
    if (read.fault === NO_EVENT) return [];
    throw down("unreadable_event");
  }
  if (read.unread.length > 0) throw down("unreadable_event");
  return [read, ...read.others];
}

/** Checks whether an event is left out. `name`: of one that shares a resource with another. Null: it is the resource's own. */
function isLeftOut(resource: string, name: string | null, without: ReadonlySet<string>): boolean {
  if (name !== null) return without.has(furtherId(resource, name));
  return without.has(resource) || without.has(resource.split("/").at(-1) ?? resource);
}

function* spansOf(state: EventState, window: Window): Pieces<TakenSpan[]> {
  if (!state.icalRecurrence) return takesTime(state) ? [state.span] : [];
  const { tzid, ...given } = state.icalRecurrence;
  const series = { ...given, zone: tzid === null ? null : zone(tzid) };
  const { occurrences, exhausted } = yield* expandIcalInPieces(series, window, { steps: WORK });
  if (exhausted) throw down("too_many_occurrences");
  return occurrences
    .filter(({ override }) => takesTime(claimOf(state, override?.fields ?? {})))
    .map(({ starts, ends, override }) => ({ starts, ends, allDay: override?.allDay ?? series.allDay }));
}

function claimOf(state: EventState, changes: OccurrenceChanges) {
  return {
    transparency: changes.transparency ?? state.transparency,
    status: changes.status ?? state.status,
    participationStatus: changes.participation_status ?? state.participationStatus,
  };
}
