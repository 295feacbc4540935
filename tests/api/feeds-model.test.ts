import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { MAX_FEED_BYTES } from "@/server/domain/feeds";
import { busyFeed, feedOfToken, fullFeed, titlesFeed } from "@/server/store/feeds/feeds.sql";
import { readByIcalJs } from "../fakes/feed-readers/feed-readers";
import { addCalendars, changeEvents, type ProviderEvent, storeProviderEvents } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { allEvents, linesOf, openFeed, readFeed } from "./feeds";
import { ownDatabase } from "./own-database";
import { writeSeries } from "./series-of-feeds";
import { type Opened, openCalendar } from "./service";

ownDatabase();

const DAY_MS = 86_400_000;
const SHOWN = { days_back: 40, days_ahead: 190 };
/** What only a person can have written: it stands nowhere else. */
const WORD = "xyzzy";

const midnight = (days: number) => Date.parse(`${dayFromNow(days)}T00:00:00Z`);
const instant = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");

const spans = fc.oneof(
  fc
    .tuple(fc.integer({ min: -60 * 48, max: 210 * 48 }), fc.constantFrom(0, 1, 2, 47, 48, 49, 192, 800, 3_100, 12_500))
    .map(([half, length]) => {
      const at = midnight(0) + half * 1_800_000;
      return { start: instant(at), end: instant(at + length * 1_800_000) };
    }),
  fc
    .tuple(fc.integer({ min: -60, max: 210 }), fc.constantFrom(0, 1, 2, 5, 40, 260))
    .map(([day, length]) => ({ start: dayFromNow(day), end: dayFromNow(day + length) })),
);

const event = fc.record({
  span: spans,
  own: fc.boolean(),
  state: fc.constantFrom("live", "live", "live", "declined", "deleted"),
  transparency: fc.constantFrom("opaque", "opaque", "transparent"),
  status: fc.constantFrom("confirmed", "confirmed", "tentative"),
});

type GivenEvent = typeof event extends fc.Arbitrary<infer Given> ? Given : never;

/** Events of every kind, with a word in all texts that an event has. */
async function fill({ calendarId }: Opened, events: readonly GivenEvent[], prefix: string): Promise<void> {
  const stored = events.map(({ span, own, ...rest }, i) => ({
    ...{
      calendarId,
      ...span,
      ...rest,
      summary: `${WORD} ${prefix} ${i}`,
      eventId: own ? `${WORD}-${prefix}-${i}` : null,
    },
  }));
  await storeProviderEvents(stored as ProviderEvent[]);
  await changeEvents(
    { calendarId },
    {
      ...{ description: `${WORD} description`, location: `${WORD} location`, url: `https://${WORD}.example.com/` },
      ...{ categories: [`${WORD} category`], organizer: { email: `${WORD}@acme.io`, display_name: WORD } },
      ...{ attendees: [{ email: `guest-${WORD}@acme.io`, display_name: WORD, status: "accepted" }] },
      ...{ tzid: "America/Santiago", conferencing: { provider: "other", join_url: `https://meet.${WORD}.io/1` } },
    },
  );
  await db().query(
    `UPDATE occurrences SET changes = jsonb_build_object('summary', '${WORD} changed', 'location', '${WORD} elsewhere', 'description', '${WORD} other')
WHERE calendar_id = $1 AND uid < 'evt_' || repeat('8', 24) AND ends - starts < interval '1 hour'`,
    [calendarId],
  );
  await db().prisma.calendar.update({ where: { id: calendarId }, data: { name: `${WORD} calendar` } });
}

/** What an event of GET /v1/events or a period of GET /v1/free_busy says of its time, as a calendar program sees it. */
function timesOf(found: { start: string; end: string }[]): string[] {
  const isDay = (text: string) => text.length === 10;
  const ends = ({ start, end }: { start: string; end: string }) =>
    isDay(start) && start === end ? new Date(Date.parse(end) + DAY_MS).toISOString().slice(0, 10) : end;
  return found.map((one) => `${one.start} ${ends(one)}`).sort();
}

const isShown = ({ start, end }: { start: string; end: string }) => {
  const [from, to] = [midnight(-SHOWN.days_back), midnight(SHOWN.days_ahead + 1)];
  return Date.parse(start) < to && (Date.parse(end) > from || Date.parse(start) >= from);
};

describe("a feed", () => {
  it("has the occurrences of GET /v1/events, and a busy one the periods of GET /v1/free_busy", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
        const opened = await openCalendar();
        await fill(opened, events, "one");
        const expected = (await allEvents(opened)).filter(isShown);
        const periods = (await allEvents(opened, "free_busy")).filter(isShown);
        const taken = periods.filter(({ free_busy_status: status }) => status !== "free");
        for (const detail of ["titles", "full"] as const) {
          const { text } = await readFeed(await openFeed(opened, { detail, ...SHOWN }));
          const seen = readByIcalJs(text);
          expect(timesOf(seen)).toEqual(timesOf(expected));
          expect(seen.map(({ summary }) => summary).sort()).toEqual(expected.map(({ summary }) => summary).sort());
          expect(new Set(seen.map(({ uid }) => uid)).size).toBe(seen.length);
        }
        const { text } = await readFeed(await openFeed(opened, { detail: "busy", ...SHOWN }));
        expect(timesOf(readByIcalJs(text))).toEqual(timesOf(taken));
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it("has the series that the application writes, without the days that it skips and with those that it changes", async () => {
    const opened = await openCalendar();
    await writeSeries(opened);
    const expected = await allEvents(opened);
    expect(expected.length).toBeGreaterThan(140);
    const { text } = await readFeed(await openFeed(opened, { detail: "full" }));
    expect(timesOf(readByIcalJs(text))).toEqual(timesOf(expected));
    expect(linesOf(text).filter((line) => line.startsWith("BEGIN:VTIMEZONE"))).toHaveLength(1);
  });
});

const BUSY_LINES = [
  ...["BEGIN:VCALENDAR", "VERSION:2\\.0", "PRODID:-//Almanac//Almanac//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"],
  ...["NAME:Busy", "X-WR-CALNAME:Busy", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"],
  ...["BEGIN:VEVENT", "UID:[0-9a-f]{32}", "DTSTAMP:\\d{8}T\\d{6}Z", "LAST-MODIFIED:\\d{8}T\\d{6}Z"],
  ...["DT(START|END):\\d{8}T\\d{6}Z", "DT(START|END);VALUE=DATE:\\d{8}", "SUMMARY:Busy"],
  ...["STATUS:(CONFIRMED|TENTATIVE)", "TRANSP:OPAQUE", "END:VEVENT", "END:VCALENDAR", ""],
];

describe("what a feed does not show", () => {
  it("is in no line of a busy one, whatever the events say, and only their titles in one of titles", async () => {
    const isBusy = new RegExp(`^(?:${BUSY_LINES.join("|")})$`);
    const isTitled = new RegExp(
      `^(?:${BUSY_LINES.join("|")}|(X-WR-CAL)?NAME:Calendar|TRANSP:TRANSPARENT|SUMMARY:${WORD} (?:one \\d+|changed))$`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
        const opened = await openCalendar();
        await fill(opened, events, "one");
        const { text } = await readFeed(await openFeed(opened, { detail: "busy", ...SHOWN }));
        expect(linesOf(text).filter((line) => !isBusy.test(line))).toEqual([]);
        const titles = await readFeed(await openFeed(opened, { detail: "titles", ...SHOWN }));
        expect(linesOf(titles.text).filter((line) => !isTitled.test(line))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it("is not in the headers either, and private events say nothing in any feed", async () => {
    const opened = await openCalendar();
    await storeProviderEvents([
      { calendarId: opened.calendarId, start: `${dayFromNow(1)}T10:00:00Z`, end: `${dayFromNow(1)}T11:00:00Z` },
    ]);
    await changeEvents(
      { calendarId: opened.calendarId },
      { ...{ summary: WORD, description: WORD, location: WORD, url: `https://${WORD}.io` }, private: true },
    );
    for (const detail of ["busy", "titles", "full"] as const) {
      const { text, headers } = await readFeed(await openFeed(opened, { detail }));
      expect(text).toContain("BEGIN:VEVENT");
      expect(`${text}${JSON.stringify([...headers])}`).not.toContain(WORD);
    }
  });
});

describe("a feed that is read while its calendar is written", () => {
  it("is one state of it", async () => {
    const opened = await openCalendar();
    const write = (hour: string, summary: string) =>
      opened.write({
        ...{
          event_id: "series",
          summary,
          start: `${dayFromNow(1)}T${hour}:00:00Z`,
          end: `${dayFromNow(1)}T${hour}:30:00Z`,
        },
        ...{ tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "daily", count: 100 }] } },
      });
    await write("08", "eight");
    const feeds = await Promise.all(Array.from({ length: 4 }, () => openFeed(opened, { detail: "titles" })));
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; i < 12; i += 1) await (i % 2 === 0 ? write("16", "sixteen") : write("08", "eight"));
      isOver = true;
    })();
    const states = new Set<string>();
    const tags = new Map<string, string>();
    for (let i = 0; !isOver && i < 200; i += 1) {
      const feed = feeds[i % feeds.length];
      const { status, text, headers } = await readFeed(feed ?? { path: "" });
      if (status === 429) break;
      const seen = readByIcalJs(text);
      expect(seen).toHaveLength(100);
      const kinds = new Set(seen.map(({ start, summary }) => `${start.slice(11, 13)} ${summary}`));
      expect([...kinds]).toHaveLength(1);
      states.add([...kinds][0] ?? "");
      const tag = headers.get("etag") ?? "";
      expect(tags.get(tag) ?? text).toBe(text);
      tags.set(tag, text);
    }
    await writing;
    for (const state of states) expect(["08 eight", "16 sixteen"]).toContain(state);
  }, 60_000);
});

describe("a feed of 5,000 events", () => {
  it("is read whole in two statements by the index of its calendar, and stays small however long the texts are", async () => {
    const opened = await openCalendar();
    const others = await addCalendars(opened, 20);
    await insertMany([opened.calendarId], 5_000);
    await insertMany(others, 500);
    const feed = await openFeed(opened, { detail: "full" });
    await readFeed(feed);
    const sent = statementsSent();
    const { text, headers } = await readFeed(feed);
    expect(readByIcalJs(text)).toHaveLength(5_000);
    expect(sent.splice(0)).toEqual([feedOfToken.text, fullFeed.text]);
    // What has not changed is not even read.
    expect((await readFeed(feed, { headers: { "if-none-match": headers.get("etag") ?? "" } })).status).toBe(304);
    expect(sent.splice(0)).toEqual([feedOfToken.text]);
    await db().query("ANALYZE");
    for (const { text: asked } of [busyFeed, titlesFeed, fullFeed]) {
      const values = [opened.calendarId, new Date(midnight(-10)), new Date(midnight(20))];
      const plan = await db().query<{ "QUERY PLAN": string }>(`EXPLAIN ${asked}`, values);
      const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
      expect(lines).toContain("occurrences_window");
      expect(lines).toContain("occurrences_long");
      expect(lines).not.toMatch(/Seq Scan on (occurrences|events)/);
    }
    await changeEvents({ calendarId: opened.calendarId }, { description: "long ".repeat(2_000) });
    const long = await readFeed(await openFeed(opened, { detail: "full" }));
    expect(long.status).toBe(200);
    expect(long.text.length).toBeLessThan(MAX_FEED_BYTES * 1.25);
    const kept = readByIcalJs(long.text);
    expect(kept.length).toBeGreaterThan(500);
    // What lies furthest ahead is left out.
    const [first] = await allEvents(opened);
    expect(kept[0]?.start).toBe(first.start);
    expect(readByIcalJs((await readFeed(await openFeed(opened, { detail: "busy" }))).text)).toHaveLength(5_000);
  }, 120_000);
});

/** The statements about calendars that are sent until the test is over. What Prisma Client sends is not among them. */
function statementsSent(): string[] {
  const sent: string[] = [];
  const database = db();
  const query: typeof database.query = (text, values) => {
    if (/\b(?:calendar_feeds|calendars|events|occurrences)\b/.test(text)) sent.push(text);
    return database.query(text, values);
  };
  context.database = { ...database, query };
  onTestFinished(() => {
    context.database = database;
  });
  return sent;
}

async function insertMany(calendars: readonly string[], count: number): Promise<void> {
  await db().query(
    `WITH e AS (INSERT INTO events (id, calendar_id, event_id, external_id, summary, all_day, starts, ends)
  SELECT 'evt_' || substr(md5(c || '/' || i), 1, 24), c, c || i, c || i, 'Event ' || i, false, t, t + interval '20 minutes'
  FROM unnest($1::text[]) c, generate_series(1, $2::int) i, LATERAL (SELECT $3::timestamptz + i * interval '50 minutes' AS t) t RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, managed, starts, ends)
SELECT id, id, calendar_id, event_id, false, true, starts, ends FROM e`,
    [calendars, count, new Date(midnight(-20))],
  );
}
