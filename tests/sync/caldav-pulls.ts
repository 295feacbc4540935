import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { storedWindow } from "@/server/domain/window";
import type { CalendarAccount, ChangePage, ChangesEnd, ChangesInput, Connector } from "@/server/providers/connector";
import { mailboxOf } from "../fakes/mailbox";

const HOUR_MS = 3_600_000;
/** Read once for each file, whose events are to fit together. */
const now = Date.now();

export const inDays = (days: number): Instant =>
  (Math.floor(now / (24 * HOUR_MS)) * 24 * HOUR_MS + days * 24 * HOUR_MS + 9 * HOUR_MS) as Instant;

/** An event of an hour, a week from now. */
export function eventState(changes: Partial<EventState> = {}): EventState {
  return {
    summary: "Stand-up",
    description: "",
    location: null,
    url: null,
    span: { starts: inDays(7), ends: (inDays(7) + HOUR_MS) as Instant, allDay: false },
    tzid: "Europe/Berlin",
    transparency: "opaque",
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: null,
    attendees: [],
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
    ...changes,
  };
}

/** A VEVENT as another client writes it. */
export function vevent(uid: string, more: string[] = []): string {
  const start = new Date(inDays(8)).toISOString().slice(0, 10).replaceAll("-", "");
  return [
    ...["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260101T000000Z", `DTSTART:${start}T090000Z`, `DTEND:${start}T100000Z`],
    ...[...(more.some((line) => line.startsWith("SUMMARY")) ? [] : [`SUMMARY:${uid}`]), ...more, "END:VEVENT"],
  ].join("\n");
}

export interface Pulled extends ChangePage {
  end: ChangesEnd;
  /** How many pages. */
  pages: number;
}

/** A whole pull at once. `known` holds versions by external id. */
export async function pullAll(
  connector: Connector,
  account: CalendarAccount,
  asked: Partial<ChangesInput> & { calendarId: string; versions?: ReadonlyMap<string, string | null> },
): Promise<Pulled> {
  const pulled: Pulled = {
    events: [],
    gone: [],
    faults: [],
    end: { syncToken: null, present: null, window: null, validUntil: null },
    pages: 0,
  };
  const { versions = new Map() } = asked;
  const known = async (ids: readonly string[]) =>
    new Map(
      ids.flatMap((id) => (versions.has(id) ? [[id, { version: versions.get(id) ?? null, parts: {} }] as const] : [])),
    );
  const pages = mailboxOf(connector, account).changes({
    syncToken: null,
    window: storedWindow(Date.now() as Instant),
    known,
    ...asked,
  });
  for (;;) {
    const next = await pages.next();
    if (next.done) return { ...pulled, end: next.value };
    pulled.pages += 1;
    for (const kind of ["events", "gone", "faults"] as const) pulled[kind].push(...(next.value[kind] as never[]));
  }
}

export const versionsOf = ({ events }: Pulled) =>
  new Map(events.map(({ externalId, version }) => [externalId, version]));

export const summaries = ({ events }: Pulled) => events.map(({ state }) => state.summary).sort();
