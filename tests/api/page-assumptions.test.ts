import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { eventsRead } from "@/server/services/reads/events/list";
import { freeBusyRead } from "@/server/services/reads/free-busy/list";
import type { ReadDefinition } from "@/server/services/reads/page";
import { PAGE_BYTES } from "@/server/store/events/pages/returned";
import { storeProviderEvents } from "../fakes/stored-events";
import { pageReader } from "./page-reader";
import { openCalendar } from "./service";

/** What the statement of a page assumes, and what happens where it is not so (ADR 56). */
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 5, 10, 9);
const now = START;
const at = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();

let accountId = "";
let calendarId = "";

beforeEach(async () => {
  ({ accountId, calendarId } = await openCalendar());
  await storeProviderEvents([{ calendarId, start: at(1), end: at(2), summary: "Short" }]);
});

/** A page of the account, and how many statements it took. */
async function page(read: ReadDefinition, query: object = {}, time = now, calendarCount = 1) {
  const reader = pageReader(read, accountId, { now: time, calendarCount });
  const { rows, pages } = await reader.page({ tzid: "Etc/UTC", ...query });
  const looks = reader.sent.map(({ text }) => text.includes("upto"));
  return {
    rows: rows.length,
    starts: rows.map(({ starts }) => starts * 1_000),
    pages,
    statements: looks.length,
    looks,
  };
}

const addLong = () => storeProviderEvents([{ calendarId, start: at(-60), end: at(30), summary: "Long" }]);

describe.each<[string, ReadDefinition]>([
  ["events", eventsRead],
  ["free/busy", freeBusyRead],
])("a page of %s", (_name, read) => {
  it("is one statement where no span is over 24 hours", async () => {
    for (let i = 0; i < 3; i += 1) expect(await page(read)).toMatchObject({ rows: 1, statements: 1 });
  });

  it("with a long span that came since the last one is read again, and then in one", async () => {
    expect(await page(read)).toMatchObject({ rows: 1, statements: 1 });
    await addLong();
    const from = at(0);
    expect(await page(read, { from })).toMatchObject({ rows: 2, pages: { total: 1 }, statements: 2 });
    expect(await page(read, { from })).toMatchObject({ rows: 2, pages: { total: 1 }, statements: 1 });
  });

  it("is asked for again as most are an hour later", async () => {
    await addLong();
    expect(await page(read)).toMatchObject({ rows: 2, statements: 2 });
    await db().query("DELETE FROM events WHERE calendar_id = $1 AND summary = 'Long'", [calendarId]);
    expect(await page(read, {}, now + HOUR_MS)).toMatchObject({ rows: 1, statements: 1 });
    await addLong();
    expect(await page(read, {}, now + HOUR_MS)).toMatchObject({ rows: 2, statements: 2 });
  });
});

describe("a page of events that is larger than one may be", () => {
  const LARGE = 40;

  beforeEach(async () => {
    const summary = "x".repeat(Math.ceil(PAGE_BYTES / (LARGE / 2)));
    await storeProviderEvents(
      Array.from({ length: LARGE }, (_, i) => ({ calendarId, start: at(2 + i), end: at(3 + i), summary })),
    );
  });

  it("is read again as many rows as fit, and then in one statement", async () => {
    const first = await page(eventsRead);
    expect(first.statements).toBe(2);
    expect(first.rows).toBeGreaterThan(LARGE / 3);
    expect(first.rows).toBeLessThan(LARGE);
    expect(first.pages.next_page).toBeDefined();
    expect(await page(eventsRead)).toMatchObject({ rows: first.rows, statements: 1 });
  });

  it("and has long spans is found out step by step", async () => {
    await addLong();
    const { statements, rows } = await page(eventsRead);
    expect(statements).toBe(3);
    expect(rows).toBeLessThan(LARGE);
    expect(await page(eventsRead)).toMatchObject({ rows, statements: 1 });
  });
});

describe.each<[string, ReadDefinition]>([
  ["events", { ...eventsRead, pageSize: 4 }],
  ["free/busy", { ...freeBusyRead, pageSize: 4 }],
])("the days that fill a first page of many calendars: %s", (_name, read) => {
  const DAY = 24;
  const daily = (count: number, from = 1) =>
    storeProviderEvents(
      Array.from({ length: count }, (_, i) => ({
        ...{ calendarId, start: at((from + i) * DAY + 1), end: at((from + i) * DAY + 2), summary: "Daily" },
      })),
    );
  const first = (query: object = {}, time = now) => page(read, query, time, 50);
  const startsOf = (...days: number[]) => days.map((day) => START + (day * DAY + 1) * HOUR_MS);

  beforeEach(() => daily(20));

  it("are looked up in the statement of the page", async () => {
    const page = { starts: startsOf(0, 1, 2, 3), pages: { total: 6 }, looks: [true] };
    for (let i = 0; i < 2; i += 1) expect(await first()).toMatchObject(page);
    expect(await first({ from: at(10 * DAY) })).toMatchObject({ starts: startsOf(10, 11, 12, 13), looks: [true] });
    expect(await first({ from: at(10 * DAY), to: at(11 * DAY) })).toMatchObject({ rows: 1, statements: 1 });
  });

  it("are others once what filled the page is deleted", async () => {
    await first();
    await db().query("DELETE FROM events WHERE calendar_id = $1 AND starts < $2", [calendarId, at(12 * DAY)]);
    expect(await first()).toMatchObject({ starts: startsOf(12, 13, 14, 15), pages: { total: 3 }, looks: [true] });
  });

  it("are all days where a page is not full, until it is", async () => {
    const from = at(18 * DAY);
    expect(await first({ from })).toMatchObject({ rows: 3, statements: 1 });
    await daily(300, 21);
    const full = { starts: startsOf(18, 19, 20, 21), pages: { total: 46 } };
    expect(await first({ from })).toMatchObject({ ...full, statements: 1 });
  });

  it("hold all that comes before the last row, where local days begin 14 hours before those of UTC", async () => {
    const query = { tzid: "Pacific/Kiritimati", from: at(0) };
    expect(await first(query)).toMatchObject({ starts: startsOf(0, 1, 2, 3), looks: [true] });
    await db().query("DELETE FROM events WHERE calendar_id = $1 AND starts > $2", [calendarId, at(3 * DAY)]);
    const evening = ["2026-06-17T20:00:00Z", "2026-06-17T21:00:00Z"];
    await storeProviderEvents([
      ...evening.map((time) => ({ calendarId, start: time, end: time })),
      { calendarId, start: "2026-06-18", end: "2026-06-19" },
    ]);
    const starts = [...startsOf(0, 1, 2), Date.parse("2026-06-18T00:00:00Z")];
    expect(await first(query)).toMatchObject({ starts, pages: { total: 2 }, looks: [true] });
  });
});
