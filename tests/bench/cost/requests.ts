import { randomBytes } from "node:crypto";
import type { Opened } from "@/tests/bench/cost/accounts";
import type { Sent } from "@/tests/bench/cost/load";

export interface Compared {
  what: string;
  /** How many times the bare server's processor time is wanted at most. */
  limit: number;
  ours(account: Opened): Sent;
  bare(account: Opened): Sent;
  /** What both responses have as many of. */
  list?: "events" | "free_busy";
  /** Ours is sent by the accounts with a large calendar, and has so many events. */
  changed?: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STARTED = Date.now();
/** Of a large calendar one event is changed then, ahead of the clock, and all others now. */
export const CHANGED_AT = new Date(STARTED + 2 * HOUR_MS);
const get = (path: string) => (): Sent => ({ method: "GET", path });
const query = "tzid=Etc/UTC&include_managed=true";
/** As an application asks after a notification, of a large calendar. */
export const changesSince = (at: Date) =>
  `/v1/events?tzid=Etc/UTC&include_deleted=true&last_modified=${at.toISOString()}`;
export const LATER = new Date(STARTED + 3 * HOUR_MS);

/** The requests of the table. */
export const compared: readonly [Compared, Compared, ...Compared[]] = [
  { what: "GET /v1/account", limit: 2.5, ours: get("/v1/account"), bare: get("/account") },
  {
    what: "GET /v1/events, a page of 300",
    limit: 0.6,
    ours: get(`/v1/events?${query}`),
    bare: get("/events"),
    list: "events",
  },
  {
    what: "GET /v1/free_busy, one page",
    limit: 0.7,
    ours: get(`/v1/free_busy?${query}`),
    bare: get("/free_busy"),
    list: "free_busy",
  },
  {
    what: "GET /v1/events of 5,000 with last_modified, nothing changed",
    limit: 6,
    ours: get(changesSince(LATER)),
    bare: get("/account"),
    changed: 0,
  },
  {
    what: "GET /v1/events of 5,000 with last_modified, one changed",
    limit: 8,
    ours: get(changesSince(CHANGED_AT)),
    bare: get("/account"),
    changed: 1,
  },
  {
    what: "POST an event",
    limit: 3,
    ours: ({ calendarId }) => ({ method: "POST", path: `/v1/calendars/${calendarId}/events`, body: newEvent() }),
    bare: () => ({ method: "POST", path: "/write", body: newEvent() }),
  },
];

function newEvent(): string {
  const day = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
  return JSON.stringify({
    event_id: randomBytes(9).toString("hex"),
    summary: "Lunch",
    description: "",
    start: `${day}T10:00:00Z`,
    end: `${day}T11:00:00Z`,
    tzid: "Europe/Berlin",
  });
}
