import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { eventsRead } from "@/server/services/reads/events/list";
import { addCalendars, deleteOccurrence, storeProviderEvents } from "../fakes/stored-events";
import { following, pageReader } from "./page-reader";
import { NOW, opened } from "./read-under-test";
import { change, daily, repeating, skip, write } from "./written-series";

/** Pages and totals of what changed since a time (`last_modified`), beside a naive look at all that is stored. */
const PAGE = 4;
const SINCE = "2025-11-20T08:00:00.000005Z";
const BEFORE = "2025-11-20T08:00:00.000004Z";
const read = { ...eventsRead, pageSize: PAGE };
const flags = [{}, { include_deleted: "true" }, { include_managed: "true", include_deleted: "true" }];

let calendar: Awaited<ReturnType<typeof opened>>;
beforeEach(async () => {
  calendar = await opened();
});

async function store(count: number, more: object, calendarId = calendar.calendarId): Promise<string[]> {
  const days = Array.from({ length: count }, (_, i) => new Date(NOW + i * 3_600_000).toISOString());
  return storeProviderEvents(days.map((at) => ({ calendarId, start: at, end: at, ...more })));
}

/** Follows the read to its end. */
async function pagesOf(query: object) {
  const reader = pageReader(read, calendar.accountId, { now: NOW });
  const found: { uids: string[]; current: number; total: number }[] = [];
  for (let raw: object = { tzid: "Etc/UTC", last_modified: SINCE, ...query }; ; ) {
    const { rows, pages } = await reader.page(raw);
    found.push({ uids: rows.map(({ uid }) => uid), current: pages.current, total: pages.total });
    if (!pages.next_page) return { found, statements: reader.sent.length };
    raw = following(pages);
  }
}

interface Flags {
  include_deleted?: string;
  include_managed?: string;
  last_modified?: string;
}

/** The same from every stored occurrence: its own change, or that of what all of its series show unless it is deleted. */
async function expected({ include_deleted, include_managed, last_modified = SINCE }: Flags) {
  const rows = await db().query<{ uid: string }>(
    `SELECT o.uid FROM occurrences o JOIN events e ON e.calendar_id = o.calendar_id AND e.id = o.master_id JOIN calendars c ON c.id = o.calendar_id
WHERE c.account_id = $1 AND (o.state <> 2 OR $3) AND (NOT o.managed OR $4)
  AND (o.updated_at >= $2 OR o.state <> 2 AND coalesce(e.content_changed_at >= $2, false)) ORDER BY o.starts, o.uid`,
    [calendar.accountId, last_modified, include_deleted === "true", include_managed === "true"],
  );
  const total = Math.max(1, Math.ceil(rows.length / PAGE));
  const found = Array.from({ length: total }, (_, i) => ({
    uids: rows.slice(i * PAGE, (i + 1) * PAGE).map(({ uid }) => uid),
    ...{ current: i + 1, total },
  }));
  return { found, statements: total };
}

describe.each([0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1, 40 * PAGE + 1])("%s changed events", (count) => {
  it("are on as many pages as hold them, each read by one statement", async () => {
    await store(7, { updated: BEFORE });
    await store(count, { updated: SINCE });
    const { found, statements } = await pagesOf({});
    expect(found.flatMap(({ uids }) => uids)).toHaveLength(count);
    expect({ found, statements }).toEqual(await expected({}));
  });

  it("beside as many deleted and own ones, and in two calendars", async () => {
    const [second = ""] = await addCalendars(calendar, 1);
    for (const updated of [BEFORE, SINCE]) {
      await store(count, { updated, state: "deleted" }, second);
      await store(count, { updated, state: "declined" });
    }
    const own = await store(count, { updated: SINCE });
    await db().query("UPDATE occurrences SET managed = true, event_id = uid WHERE uid = ANY($1)", [own]);
    for (const query of flags) expect(await pagesOf(query), JSON.stringify(query)).toEqual(await expected(query));
  });
});

it("what lies outside the window is on no page and in no total", async () => {
  await store(PAGE, { updated: SINCE });
  const outside = ["2025-10-10T11:59:59Z", "2026-06-10T12:00:00Z", "2024-01-01T00:00:00Z"];
  const { calendarId } = calendar;
  await storeProviderEvents(outside.map((at) => ({ calendarId, start: at, end: at, updated: SINCE })));
  expect((await pagesOf({})).found).toMatchObject([{ current: 1, total: 1 }]);
  await storeProviderEvents([{ calendarId, start: "2025-10-01", end: "2025-10-11", updated: SINCE }]);
  const { found } = await pagesOf({});
  expect(found.map(({ uids, total }) => [uids.length, total])).toEqual([
    [PAGE, 2],
    [1, 2],
  ]);
});

describe("a series of which one thing after the other changes", () => {
  const later = (updatedAt: string) => ({ last_modified: updatedAt });
  const steps: [string, () => Promise<unknown>][] = [
    ["it is new", () => write(calendar, { ...daily, ...repeating({ frequency: "daily", count: 3 * PAGE }) })],
    ["one occurrence says something else", () => change(calendar, "2025-12-02", { summary: "Other" })],
    ["a day is skipped", () => skip(calendar, "2025-12-03")],
    ["its summary", () => write(calendar, { ...daily, summary: "Renamed" })],
    ["an occurrence is deleted", async () => deleteOccurrence(await firstOccurrence())],
    ["its time", () => write(calendar, { ...daily, start: "2025-12-01T15:00:00Z", end: "2025-12-01T16:00:00Z" })],
  ];

  async function firstOccurrence(): Promise<string> {
    const [row] = await db().query<{ uid: string }>(
      "SELECT uid FROM occurrences WHERE calendar_id = $1 AND state <> 2 ORDER BY starts LIMIT 1",
      [calendar.calendarId],
    );
    return row?.uid ?? "";
  }

  /** Every time at which something changed, and a microsecond later. */
  async function times(): Promise<string[]> {
    const rows = await db().query<{ at: string }>(
      `SELECT DISTINCT to_char((at + after) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
FROM (SELECT updated_at AS at FROM occurrences WHERE calendar_id = $1 UNION SELECT content_changed_at FROM events WHERE calendar_id = $1) t,
  (VALUES (interval '0'), (interval '1 microsecond')) v(after) WHERE at IS NOT NULL ORDER BY at`,
      [calendar.calendarId],
    );
    return rows.map(({ at }) => at);
  }

  it("each time finds what changed at it or after it, once", async () => {
    const counts = new Set<number>();
    for (const [what, step] of steps) {
      await step();
      for (const at of await times()) {
        for (const more of flags) {
          const query = { ...more, ...later(at) };
          const { found, statements } = await pagesOf(query);
          const naive = await expected(query);
          expect({ found, statements }, `${what}, ${JSON.stringify(query)}`).toEqual(naive);
          counts.add(found.flatMap(({ uids }) => uids).length);
        }
      }
    }
    expect(counts.size).toBeGreaterThan(3);
  });
});
