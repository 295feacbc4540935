import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { PAGE_BYTES } from "@/server/db/pages/returned";
import { eventsRead } from "@/server/services/reads/events/list";
import { freeBusyRead } from "@/server/services/reads/free-busy/list";
import type { Read } from "@/server/services/reads/page";
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
async function page(read: Read, query: object = {}, time = now) {
  const reader = pageReader(read, accountId, { now: time });
  const { rows, pages } = await reader.page({ tzid: "Etc/UTC", ...query });
  return { rows: rows.length, pages, statements: reader.sent.length };
}

const addLong = () => storeProviderEvents([{ calendarId, start: at(-60), end: at(30), summary: "Long" }]);

describe.each<[string, Read]>([
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
