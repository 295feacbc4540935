import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { whole } from "@/server/domain/pieces";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { apiRequest } from "@/server/front-door/api-request";
import { routeTable } from "@/server/front-door/route-table";
import { Ring } from "@/server/http/request-log/rings";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { eventRead as readFromGoogle } from "@/server/providers/google/read-series";
import { eventRead as readFromMicrosoft } from "@/server/providers/microsoft/read-series";
import { frameOf } from "@/server/services/reads/input";
import { livingOf } from "@/server/store/events/event-record";

const NOW = Date.parse("2026-11-26T12:00:00Z") as Instant;
/** V8 looks at how objects are made before it keeps a shape for them. */
const WARMING = 200;

// The flag makes V8 read what begins with a percent sign, from here on.
setFlagsFromString("--allow-natives-syntax");
const haveSameShape = new Function("one", "other", "return %HaveSameMap(one, other)") as (
  one: object,
  other: object,
) => boolean;

/** Not a dictionary, as V8 makes one of an object literal with a getter. */
const hasShape = new Function("one", "return %HasFastProperties(one)") as (one: object) => boolean;

const berlin = zone("Europe/Berlin");
const headers = { host: "api.acme.io", authorization: "Bearer at_x" };
const request = () => Object.assign(Readable.from([]), { headers: { ...headers, "content-length": "2" } });
const response = {} as never;
const routes = routeTable({ "/v1/calendars/[calendar_id]/events": { POST: () => new Response() } });
const ics = `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
DTSTART:20261126T100000Z
DTEND:20261126T110000Z
SUMMARY:Lunch
END:VEVENT
END:VCALENDAR`.replaceAll("\n", "\r\n");
const atGoogle = {
  id: "1",
  etag: '"1"',
  status: "confirmed",
  summary: "Lunch",
  start: { dateTime: "2026-11-26T10:00:00Z" },
  end: { dateTime: "2026-11-26T11:00:00Z" },
};
const atMicrosoft = {
  id: "1",
  type: "singleInstance",
  subject: "Lunch",
  start: { dateTime: "2026-11-26T10:00:00", timeZone: "UTC" },
  end: { dateTime: "2026-11-26T11:00:00", timeZone: "UTC" },
};

function stateOf(read: { state: object } | object | null): object {
  if (read === null || !("state" in read)) throw new Error("the event was not read");
  return read.state;
}

/** As PostgreSQL gives it to a write, and to a sync. */
const record = {
  id: "evt_1",
  starts: NOW,
  ends: NOW,
  all_day: false,
  participation_status: "accepted",
  recurrence: null,
  ical_recurrence: null,
  ...{ summary: "Lunch", description: "", location: null, url: null, tzid: null, transparency: "opaque" as const },
  ...{ private: false, status: "confirmed", organizer: null, attendees: [], categories: [], conferencing: null },
};

const made: [string, () => object][] = [
  ["a request", () => apiRequest(request() as never, response, { method: "POST", pathname: "/v1/x", search: "" })],
  [
    "the body of a request",
    () => apiRequest(request() as never, response, { method: "POST", pathname: "/", search: "" }).body ?? {},
  ],
  ["the route of a request", () => routes("/v1/calendars/cal_1/events") ?? {}],
  ["what an application's rows wait in", () => new Ring(10)],
  [
    "what a page is asked for by",
    () => {
      if (!berlin) throw new Error("there is no such zone");
      const query = { tzid: { zone: berlin, tzid: "Europe/Berlin" }, include_managed: true, localized_times: false };
      return frameOf({ ...query, include_ids: false } as never, NOW);
    },
  ],
  ["an event that is known", () => livingOf(record).state],
  ["an event by CalDAV", () => stateOf(readResource(ics, { ownAddresses: [] }))],
  ["an event of Google's", () => stateOf(whole(readFromGoogle({ main: atGoogle, exceptions: [] } as never, null)))],
  ["an event of Microsoft's", () => stateOf(whole(readFromMicrosoft(atMicrosoft as never, null)))],
];

// Node 20 makes a shape for each object that is spread first and gets other members after that (ADR 81).
describe("what is made for each request and each event has one shape, so that V8 makes none anew and reads it fast", () => {
  it.each(made)("%s", (_what, make) => {
    for (let i = 0; i < WARMING; i += 1) make();
    const [one, other] = [make(), make()];
    expect([hasShape(one), haveSameShape(one, other)]).toEqual([true, true]);
  });

  it("tells shapes apart", () => {
    expect(haveSameShape({ a: 1 }, { b: 1 })).toBe(false);
  });
});
