import { describe, expect, it } from "vitest";
import { whole } from "@/server/domain/pieces";
import type { Instant } from "@/server/domain/time/instant";
import { browserCookie } from "@/server/http/connect/browser";
import { pickLanguage } from "@/server/http/connect/language";
import { EVENT_BODY, readBody } from "@/server/http/read-body";
import { readQuery } from "@/server/http/read-query";
import { tzidOf } from "@/server/providers/caldav/calendars";
import { discover } from "@/server/providers/caldav/discover";
import { etagOf } from "@/server/providers/caldav/etag";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { preconditionOf, readMultistatus } from "@/server/providers/caldav/multistatus";
import { eventBody } from "@/server/services/events/write/input";
import { inputOf } from "@/server/services/input";
import { icalRows } from "@/server/store/events/ical-occurrences";
import { least, threadTime } from "../../fakes/thread-time";
import { worstCalendars } from "./worst-calendars";
import { worstBodies, worstDocuments } from "./worst-documents";

// Vite puts its own BASE_URL into the environment of every test.
process.env.BASE_URL = "http://api.almanac.localhost";
const NOW = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;
const FACTOR = 4;
/** What costs four times as much as before is linear, sixteen times as much is not. */
const MOST_GROWTH = 9;
/** Below this a measurement says nothing. */
const LEAST_MS = 4;

type Reader = (text: string) => unknown;

const url = "https://dav.acme.io/";
const answer = (text: string, status = 207) => ({ status, text, url, headers: new Headers() });
const post = (text: string, type: string) =>
  new Request("http://localhost/", { method: "POST", body: text, headers: { "content-type": type } });

function readCalendar(text: string): void {
  const read = readResource(text, { ownAddresses: ["anna@acme.io"] });
  if (!("state" in read) || !read.state.icalRecurrence) return;
  const range = { from: (NOW - 49 * DAY_MS) as Instant, to: (NOW + 231 * DAY_MS) as Instant };
  whole(icalRows("evt_1", read.state.icalRecurrence, { range, state: read.state }));
}

async function readJson(text: string): Promise<void> {
  const body = await readBody(post(text, "application/json"), { limit: EVENT_BODY });
  if (body.kind !== "read") return;
  try {
    inputOf(eventBody)(body.value);
  } catch {
    // That it is refused is no matter here.
  }
}

const texts: Readonly<Record<string, [Reader, (n: number) => string]>> = {
  "a form of fields": [
    (text) => readBody(post(text, "application/x-www-form-urlencoded"), { limit: 1e6, form: true }),
    (n) => "a=%41&".repeat(n / 6),
  ],
  "a form of percent signs": [
    (text) => readBody(post(text, "application/x-www-form-urlencoded"), { limit: 1e6, form: true }),
    (n) => "%".repeat(n),
  ],
  "a query of one name": [
    (text) => readQuery(new URLSearchParams(text), true),
    (n) => "calendar_ids[]=a&".repeat(n / 17),
  ],
  "a content type of plus signs": [(text) => readBody(post("{}", text), { limit: 1e6 }), (n) => `a/${"+".repeat(n)}`],
  cookies: [(cookie) => browserCookie(new Request(url, { headers: { cookie } })), (n) => "a=b; ".repeat(n / 5)],
  languages: [(text) => pickLanguage(null, text), (n) => "de;q=0.1,".repeat(n / 9)],
  "a language of spaces": [(text) => pickLanguage(text, text), (n) => `x;${" ".repeat(n)}q`],
  "a calendar's zone": [tzidOf, (n) => `TZID${";A=B".repeat(n / 8)}\r\nTZID:${"/".repeat(n / 2)}`],
  "an etag of quotes": [etagOf, (n) => `W/${'"'.repeat(n)}x`],
  "an account's addresses": [
    (text) => {
      const ask = async () => ({ ...answer(text), url: `${url}${"/".repeat(200)}` });
      return discover(url, { ask, link: (href, base) => new URL(href, base) }).catch(() => null);
    },
    (n) =>
      `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/</d:href><d:propstat><d:prop>
<d:current-user-principal><d:href>/p/</d:href></d:current-user-principal>
<c:calendar-user-address-set><d:href>mailto:${"@".repeat(n)}\n.</d:href></c:calendar-user-address-set>
</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`,
  ],
};

describe("what a stranger wrote costs in proportion to its length:", () => {
  it.each(Object.entries(worstCalendars))("a calendar object with %s", async (_, shape) => {
    expect(await growth(readCalendar, shape, 100_000)).toBeLessThan(MOST_GROWTH);
  });

  it.each(Object.entries(worstDocuments))("a document with %s", async (_, shape) => {
    const reader = async (text: string) => [
      await readMultistatus(answer(text)),
      await preconditionOf(answer(text, 403)),
    ];
    expect(await growth(reader, shape, 200_000)).toBeLessThan(MOST_GROWTH);
  });

  it.each(Object.entries(worstBodies))("a JSON body with %s", async (_, shape) => {
    expect(await growth(readJson, shape, 1_000_000)).toBeLessThan(MOST_GROWTH);
  });

  it.each(Object.entries(texts))("%s", async (_, [reader, shape]) => {
    expect(await growth(reader, shape, 200_000)).toBeLessThan(MOST_GROWTH);
  });
});

const TRIES = 4;

/** How many times as much work a text is that is four times as long. One that is measured when memory runs short costs more than that. */
function growth(reader: Reader, shape: (n: number) => string, n: number): Promise<number> {
  return least(TRIES, MOST_GROWTH, () => growthNow(reader, shape, n));
}

/** The least of three, each measured side by side. */
async function growthNow(reader: Reader, shape: (n: number) => string, n: number): Promise<number> {
  const [short, long] = [shape(n), shape(n * FACTOR)];
  const cost = async (text: string) => {
    const before = threadTime();
    await reader(text);
    return threadTime() - before;
  };
  let [ofShort, ofLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < 3; i += 1) {
    ofShort = Math.min(ofShort, await cost(short));
    ofLong = Math.min(ofLong, await cost(long));
  }
  return ofLong / Math.max(ofShort, LEAST_MS);
}
