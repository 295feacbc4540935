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
}

const DAY_MS = 86_400_000;
const get = (path: string) => (): Sent => ({ method: "GET", path });
const query = "tzid=Etc/UTC&include_managed=true";

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
