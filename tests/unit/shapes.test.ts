import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { whole } from "@/server/domain/pieces";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { apiRequest } from "@/server/front-door/api-request";
import { routeTable } from "@/server/front-door/route-table";
import { heldRow } from "@/server/http/request-log/held-row";
import { Ring } from "@/server/http/request-log/ring";
import { requestLogRow } from "@/server/http/request-log/row";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { eventRead as readFromGoogle } from "@/server/providers/google/read-series";
import { eventRead as readFromMicrosoft } from "@/server/providers/microsoft/read-series";
import { frameOf } from "@/server/services/reads/input";
import { plannedInsert } from "@/server/store/events/event-rows";
import { single } from "./providers/icalendar/given-state";

const NOW = Date.parse("2026-11-26T12:00:00Z") as Instant;
/** V8 looks at how objects are made before it keeps a shape for them. */
const WARMING = 200;

// The flag makes V8 read what begins with a percent sign, from here on.
setFlagsFromString("--allow-natives-syntax");
const haveSameShape = new Function("one", "other", "return %HaveSameMap(one, other)") as (
  one: object,
  other: object,
) => boolean;

const berlin = zone("Europe/Berlin");
const headers = { host: "api.acme.io", authorization: "Bearer at_x" };
const request = () => Object.assign(Readable.from([]), { headers: { ...headers, "content-length": "2" } });
const routes = routeTable({ "/v1/calendars/[calendar_id]/events": { POST: () => new Response() } });
const entry = {
  requestId: "req_1",
  at: new Date(NOW),
  method: "GET",
  path: "/v1/account",
  search: "?tzid=Etc/UTC",
  status: 200,
  durationMs: 1,
  applicationId: "app_1",
  accountId: "acc_1",
  isAuthenticated: true,
  address: "127.0.0.1",
  requestHeaders: headers,
  requestBody: null,
  responseHeaders: { "content-type": "application/json" },
  responseBody: { text: '{"account":{}}' },
  plan: null,
};
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

const made: [string, () => object | Promise<object>][] = [
  ["a request", () => apiRequest(request() as never, { method: "POST", pathname: "/v1/x", search: "" })],
  [
    "the body of a request",
    () => apiRequest(request() as never, { method: "POST", pathname: "/", search: "" }).body ?? {},
  ],
  ["the route of a request", () => routes("/v1/calendars/cal_1/events") ?? {}],
  ["a row of the request log", () => requestLogRow(heldRow(entry))],
  ["what an application's rows wait in", () => new Ring(10)],
  [
    "what a page is asked for by",
    () => {
      if (!berlin) throw new Error("there is no such zone");
      const query = { tzid: { zone: berlin, tzid: "Europe/Berlin" }, include_managed: true, localized_times: false };
      return frameOf({ ...query, include_ids: false } as never, NOW);
    },
  ],
  ["the columns of a new event", async () => (await plannedInsert("evt_1", single(), NOW)).columns],
  ["an event by CalDAV", () => stateOf(readResource(ics, { ownAddresses: [] }))],
  ["an event of Google's", () => stateOf(whole(readFromGoogle({ main: atGoogle, exceptions: [] } as never, null)))],
  ["an event of Microsoft's", () => stateOf(whole(readFromMicrosoft(atMicrosoft as never, null)))],
];

// Node 20 makes a shape for each object that is spread first and gets other members after that (ADR 81).
describe("what is made for each request and each event has one shape, so that V8 makes none anew and reads it fast", () => {
  it.each(made)("%s", async (_what, make) => {
    for (let i = 0; i < WARMING; i += 1) await make();
    expect(haveSameShape(await make(), await make())).toBe(true);
  });

  it("tells shapes apart", () => {
    expect(haveSameShape({ a: 1 }, { b: 1 })).toBe(false);
  });
});
