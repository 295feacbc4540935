import { beforeAll, describe, expect, it } from "vitest";
import { db, type Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { eventsRead } from "@/server/services/reads/events/list";
import { freeBusyRead } from "@/server/services/reads/free-busy/list";
import type { ReadDefinition } from "@/server/services/reads/page";
import { namedEvent } from "@/server/store/events/named-event.sql";
import {
  agreeOnSeries,
  eventsByName,
  eventsWithoutName,
  forgetEtags,
  namesWithin,
  renameEvents,
  storedEtags,
} from "@/server/store/events/received.sql";
import { addCalendars } from "../fakes/stored-events";
import { ownDatabase } from "./own-database";
import { following, pageReader } from "./page-reader";
import { openCalendar } from "./service";

/** Plans of the two hot reads (ADR 4), as PostgreSQL makes and runs them, in a calendar of 9,000 occurrences beside others. */
const DAY_MS = 86_400_000;
const PAGE = 50;
const PER_DAY = 36;
const MANY = 20;
const IN_WINDOW = 243 * PER_DAY;
const HISTORY = 400 * PER_DAY;
const CHANGED = Math.ceil(IN_WINDOW / 50) + HISTORY / 50;
const now = Date.now();
const events: ReadDefinition = { ...eventsRead, pageSize: PAGE };
const freeBusy: ReadDefinition = { ...freeBusyRead, pageSize: PAGE };

// What others store beside it would be in the way of the plans, and its thousands of rows in the way of others.
ownDatabase();

let accountId = "";
let calendarId = "";

beforeAll(async () => {
  const account = await openCalendar();
  ({ accountId, calendarId } = account);
  const strangers = await addCalendars(await openCalendar(), 20);
  await fill(calendarId, { count: HISTORY, from: -442, days: 400 });
  await fill(calendarId, { count: IN_WINDOW, from: -42, days: 243 });
  await fill(calendarId, { count: IN_WINDOW + 1, from: -42, days: 243, state: 2 });
  for (const stranger of strangers) await fill(stranger, { count: 200, from: -42, days: 243 });
  // The service learns that the calendar has long spans.
  await pageReader(events, accountId, { now }).page({ tzid: "Etc/UTC" });
}, 300_000);

/** Two of ten all-day, one over three days long, one our own; one of fifty changed in the last hour. */
async function fill(
  calendar: string,
  { count, from, days, state = 0 }: { count: number; from: number; days: number; state?: number },
) {
  await db().query(
    `WITH g AS (SELECT i, i % 10 IN (3, 4) AS all_day, i % 10 = 5 AS long, i % 10 = 6 AS own,
  to_timestamp($2) + i * interval '1 second' * $3 AS at FROM generate_series(0, $4::int - 1) i),
t AS (SELECT *, CASE WHEN all_day THEN date_trunc('day', at, 'UTC') ELSE date_trunc('second', at) END AS starts FROM g),
e AS (INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends, updated_at)
  SELECT 'evt_' || substr(md5($1 || '/' || $2 || '/' || $6::int || '/' || i), 1, 24), $1, CASE WHEN own THEN 'own-' || $2 || $6::int || i END, '', all_day, starts,
    starts + CASE WHEN all_day THEN interval '24 hours' WHEN long THEN interval '80 hours' ELSE interval '45 minutes' END,
    to_timestamp($5) - CASE WHEN i % 50 = 0 AND $6::int = 0 THEN interval '1 minute' ELSE interval '30 days' END FROM t RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, is_long, managed, state, starts, ends, updated_at)
SELECT id, id, calendar_id, event_id, all_day, ends - starts > interval '24 hours', event_id IS NOT NULL, $6::int, starts, ends, updated_at FROM e`,
    [calendar, Math.floor((now + from * DAY_MS) / 1000), (days * 86_400) / count, count, Math.floor(now / 1000), state],
  );
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "CTE Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
}

interface Planned {
  /** By which index, or else how, `occurrences` and `events` are read. */
  paths: Set<string>;
  /** Rows of `occurrences` that were read, kept or not. */
  read: number;
}

/** The plan of the n-th page of a read, taken from the statement that the service sends. */
async function plan(read: ReadDefinition, query: object, { page = 1, kept = false } = {}): Promise<Planned> {
  const reader = pageReader(read, accountId, { now });
  const { sent } = reader;
  let raw: object = { tzid: "Europe/Berlin", ...query };
  for (let current = 1; current <= page; current++) {
    const { pages, rows } = await reader.page(raw);
    expect(rows).toHaveLength(PAGE);
    raw = following(pages);
  }
  expect(sent).toHaveLength(page);
  const { text = "", values = [] } = sent.at(-1) ?? {};
  const [row] = await db().transaction((query) => explained(query, { text, values }, kept));
  const nodes = flat(row?.["QUERY PLAN"][0]?.Plan);
  return {
    paths: new Set(nodes.flatMap(pathOf)),
    read: nodes
      .filter((node) => node["Relation Name"] === "occurrences")
      .reduce((sum, node) => sum + rowsRead(node), 0),
  };
}

/** `kept`: by the plan for any values, which a connection keeps. */
async function explained(
  query: Query,
  { text, values }: { text: string; values: readonly unknown[] },
  kept: boolean,
): Promise<{ "QUERY PLAN": { Plan: Node }[] }[]> {
  if (!kept) return query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const given = values.map((value) => (Array.isArray(value) ? `{${value.map((one) => `"${one}"`).join(",")}}` : value));
  await query("SET LOCAL plan_cache_mode = force_generic_plan");
  await query(`PREPARE page AS ${text}`);
  const [call] = await query<{ text: string }>(
    "SELECT format('EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page(%s)', string_agg(quote_nullable(v), ', ' ORDER BY n)) AS text FROM unnest($1::text[]) WITH ORDINALITY AS g(v, n)",
    [given.map((value) => (value === null ? null : String(value)))],
  );
  const plans = await query<{ "QUERY PLAN": { Plan: Node }[] }>(call?.text ?? "");
  await query("DEALLOCATE page");
  return plans;
}

function pathOf({ "Node Type": type, "Index Name": index, "Relation Name": relation }: Node): string[] {
  if (type === "Bitmap Index Scan") return index?.match(/^(occurrences|events)_/) ? [index] : [];
  return (relation === "occurrences" || relation === "events") && type !== "Bitmap Heap Scan" ? [index ?? type] : [];
}

function flat(node: Node | undefined): Node[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(flat)] : [];
}

function rowsRead(node: Node): number {
  // Of many loops PostgreSQL gives the mean: of rows to two digits, of removed ones to a whole number.
  return Math.round((node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]);
}

/** Rows of events or occurrences, where most of them were read. */
function mostRead(row: { "QUERY PLAN": { Plan: Node }[] } | undefined): number {
  const nodes = flat(row?.["QUERY PLAN"][0]?.Plan).filter(({ "Relation Name": relation }) => {
    return relation === "events" || relation === "occurrences";
  });
  return Math.max(...nodes.map(rowsRead));
}

const windowReads: [string, ReadDefinition, object, number][] = [
  ["events", events, {}, 1],
  ["events with include_managed", events, { include_managed: "true" }, 1],
  ["events with only_managed", events, { only_managed: "true" }, 1],
  ["events of a named calendar", events, {}, 1],
  ["events from a later day", events, { from: new Date(now + 100 * DAY_MS).toISOString() }, 1],
  ["events with include_deleted", events, { include_deleted: "true" }, 1],
  ["the second page of events", events, {}, 2],
  ["the second page of events with include_deleted", events, { include_deleted: "true" }, 2],
  ["the ninth page of events", events, { include_managed: "true" }, 9],
  ["free/busy", freeBusy, {}, 1],
  ["free/busy with include_managed", freeBusy, { include_managed: "true" }, 1],
  ["free/busy of a named calendar", freeBusy, {}, 1],
  ["the second page of free/busy", freeBusy, {}, 2],
  ["the ninth page of free/busy", freeBusy, { include_managed: "true" }, 9],
];

/** The embedded database is never analysed; a server's statistics speak of the average calendar. */
const statistics: [string, () => Promise<unknown>][] = [
  ["without statistics", async () => {}],
  ["with statistics", () => db().query("ANALYZE occurrences, events, calendar_days, calendars")],
];

describe.each(statistics)("the plan of a read of the window, %s,", (_name, prepare) => {
  beforeAll(prepare);

  const cases = windowReads.flatMap((one) => [false, true].map((kept) => [...one, kept] as const));

  it.each(cases)("walks the window index in its order: %s", async (name, read, query, page, kept) => {
    const named = name.includes("named") ? { calendar_ids: [calendarId, newId("cal")] } : {};
    const { paths, read: rows } = await plan(read, { ...query, ...named }, { page, kept });
    const expected = [
      "occurrences_window",
      ...("include_deleted" in query ? ["occurrences_window_deleted"] : []),
      ...(page === 1 ? ["occurrences_long"] : []),
      ...(read === events ? ["events_pkey"] : []),
    ];
    expect([...paths].sort()).toEqual(expected.sort());
    // A page of each kind and authorship; on a first one also the days that the window cuts and the long ones that reach into it.
    const kinds = "include_deleted" in query ? 8 : 4;
    expect(rows).toBeLessThan(kinds * (PAGE + 1) + (page === 1 ? 3 * kinds : 1) * PER_DAY);
  });
});

const window = [new Date(now).toISOString(), new Date(now + DAY_MS).toISOString()];
/** What a sync asks of stored events, with the values after the calendar for ids and names that it received. */
const ofSync: [string, { text: string }, (ids: string[], names: string[]) => unknown[]][] = [
  ["that have new names", renameEvents, (ids) => [JSON.stringify(ids.map((id) => ({ id, external_id: `new ${id}` })))]],
  ["that take place in a window", namesWithin, (_, names) => [names, ...window]],
  ["whose versions are known", storedEtags, (_, names) => [names]],
  ["that are read", eventsByName, (_, names) => [names, window[0]]],
  ["that have no name", eventsWithoutName, (ids, names) => [[...ids, ...names], window[0]]],
  ["that repeat", agreeOnSeries, (_, names) => [names]],
  ["whose versions are forgotten", forgetEtags, (ids) => [ids]],
];

describe.each(statistics)("a sync of one event of a large calendar, %s,", (_name, prepare) => {
  beforeAll(prepare);

  const names = ["new", ...Array.from({ length: 50 }, (_, i) => `unknown ${i}`)];
  const statements = ofSync.map(
    ([what, asked, valuesOf]) => [what, asked, (id: string) => valuesOf([id], names)] as const,
  );

  it.each(statements.flatMap((one) => [false, true].map((kept) => [...one, kept] as const)))(
    "reads that one: %s",
    async (_what, { text }, valuesOf, kept) => {
      const [event] = await db().query<{ id: string }>(
        "SELECT id FROM events WHERE calendar_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT 1",
        [calendarId],
      );
      const values = [calendarId, ...valuesOf(event?.id ?? "")];
      const [row] = await db().transaction((query) => explained(query, { text, values }, kept));
      expect(mostRead(row)).toBeLessThanOrEqual(1);
    },
  );
});

describe.each(statistics)("the event of a uid, among those of 20 calendars, %s,", (_name, prepare) => {
  beforeAll(prepare);

  it.each([false, true])("is read by the indexes of each calendar alone (with a kept plan: %s)", async (kept) => {
    const account = await openCalendar();
    const calendars = [account.calendarId, ...(await addCalendars(account, MANY - 1))];
    for (const one of calendars) await fill(one, { count: 300, from: 1, days: 30 });
    const [event] = await db().query<{ id: string }>("SELECT min(id) AS id FROM events WHERE calendar_id = $1", [
      calendars[7],
    ]);
    const values = [account.accountId, event?.id ?? "", null];
    const [row] = await db().transaction((query) => explained(query, { text: namedEvent.text, values }, kept));
    expect(mostRead(row)).toBeLessThanOrEqual(1);
  });
});

it.each(ofSync)(
  "a sync of events of a calendar that is newer than the statistics reads those: %s",
  async (_what, { text }, valuesOf) => {
    const { calendarId: calendar } = await openCalendar();
    await db().query("ANALYZE events, occurrences, provider_writes");
    await fill(calendar, { count: 3_000, from: 1, days: 30 });
    await db().query("UPDATE events SET external_id = id WHERE calendar_id = $1 AND event_id IS NULL", [calendar]);
    const some = await db().query<{ id: string }>(
      "SELECT id FROM events WHERE calendar_id = $1 AND event_id IS NULL ORDER BY id LIMIT 5",
      [calendar],
    );
    const ids = some.map(({ id }) => id);
    const names = [...ids, "unknown"];
    const [row] = await db().transaction((query) =>
      explained(query, { text, values: [calendar, ...valuesOf(ids, names)] }, false),
    );
    expect(mostRead(row)).toBeLessThanOrEqual(names.length);
  },
);

/** How occurrences are found whose series alone says something else. */
const saidPaths = ["events_content_changed", "occurrences_calendar_id_master_id_day_idx"];

describe.each(statistics)("the plan of a read of what changed, %s,", (_name, prepare) => {
  beforeAll(prepare);

  it.each([
    { page: 1, kept: false },
    { page: 1, kept: true },
    { page: 2, kept: false },
  ])("reads by the index of change times what changed alone: %o", async ({ page, kept }) => {
    const last_modified = new Date(now - 3_600_000).toISOString();
    const { paths, read } = await plan(events, { last_modified, include_managed: "true" }, { page, kept });
    expect([...paths].sort()).toEqual([...saidPaths, "events_pkey", "occurrences_calendar_id_updated_at_idx"].sort());
    // Once for the page, on a first one again for the total.
    const changed = CHANGED * (page === 1 ? 2 : 1);
    expect(read).toBeGreaterThanOrEqual(changed);
    expect(read).toBeLessThan(changed * 1.1);
  });

  it.each([
    { since: 3_600_000, changed: 0, kept: false },
    { since: 3_600_000, changed: 0, kept: true },
    { since: -60_000, changed: 1, kept: false },
    { since: -60_000, changed: 1, kept: true },
  ])("reads what changed alone where that is next to nothing: %o", async ({ since, changed, kept }) => {
    await db().query(
      "UPDATE occurrences SET updated_at = $2 WHERE uid = (SELECT min(uid) FROM occurrences WHERE calendar_id = $1 AND state = 0 AND NOT managed AND starts > $3)",
      [calendarId, new Date(now), new Date(now)],
    );
    const { sent, page } = pageReader(events, accountId, { now });
    const last_modified = new Date(now + since).toISOString();
    const { pages, rows } = await page({ tzid: "Europe/Berlin", last_modified, include_deleted: "true" });
    expect([rows.length, pages]).toEqual([changed, { current: 1, total: 1 }]);
    const [row] = await db().transaction((query) => explained(query, sent[0] ?? { text: "", values: [] }, kept));
    const nodes = flat(row?.["QUERY PLAN"][0]?.Plan);
    const reading = nodes.filter((node) => node["Relation Name"] !== undefined);
    expect(new Set(reading.map((node) => node["Relation Name"]))).toEqual(
      new Set(["calendars", "occurrences", "events"]),
    );
    const ofEvents = (node: Node) => node["Relation Name"] !== "calendars";
    // The change, and its event.
    expect(reading.filter(ofEvents).reduce((sum, node) => sum + rowsRead(node), 0)).toBe(2 * changed);
    expect(sent).toHaveLength(1);
  });

  it("walks the window index where much changed", async () => {
    const { paths, read } = await plan(events, { last_modified: "2020-01-01T00:00:00Z" }, { page: 2 });
    expect([...paths].sort()).toEqual(["events_content_changed", "events_pkey", "occurrences_window"]);
    expect(read).toBeLessThan(4 * (PAGE + 1) + PER_DAY);
  });
});

it.each([
  ["events", events],
  ["free/busy", freeBusy],
])("a first page that is not full looks once for long spans, and adds up no counts: %s", async (_name, read) => {
  const account = await openCalendar();
  await fill(account.calendarId, { count: 5, from: 1, days: 5 });
  const { sent, page } = pageReader(read, account.accountId, { now });
  const { pages, rows } = await page({ tzid: "Europe/Berlin" });
  expect([rows.length, pages]).toEqual([5, { current: 1, total: 1 }]);
  const [row] = await db().transaction((query) => explained(query, sent[0] ?? { text: "", values: [] }, false));
  const nodes = flat(row?.["QUERY PLAN"][0]?.Plan);
  const loops = (isOne: (node: Node) => boolean) =>
    nodes.filter(isOne).reduce((sum, node) => sum + node["Actual Loops"], 0);
  expect(loops((node) => ["calendar_days", "calendar_months"].includes(node["Relation Name"] ?? ""))).toBe(0);
  expect(loops((node) => node["Index Name"] === "occurrences_long")).toBe(1);
});

it.each([
  ["events", events, 1],
  ["events", events, 3],
  ["free/busy", freeBusy, 1],
  ["free/busy", freeBusy, 3],
])(
  "a page of many calendars reads the days that fill it, not a page of each: %s, page %s",
  async (_name, read, page) => {
    const account = await openCalendar();
    const calendars = [account.calendarId, ...(await addCalendars(account, MANY - 1))];
    for (const one of calendars) await fill(one, { count: 400, from: 1, days: 40 });
    const reader = pageReader(read, account.accountId, { now, calendarCount: MANY });
    const { sent } = reader;
    let raw: object = { tzid: "Europe/Berlin", from: new Date(now).toISOString().slice(0, 10) };
    for (let current = 1; current <= page; current++) {
      const { pages, rows } = await reader.page(raw);
      expect(rows).toHaveLength(PAGE);
      raw = following(pages);
    }
    const [row] = await db().transaction((query) => explained(query, sent.at(-1) ?? { text: "", values: [] }, false));
    const nodes = flat(row?.["QUERY PLAN"][0]?.Plan);
    const walked = nodes
      .filter((node) => node["Relation Name"] === "occurrences")
      .reduce((sum, node) => sum + rowsRead(node), 0);
    expect(walked).toBeGreaterThanOrEqual(PAGE);
    expect(walked).toBeLessThan(PAGE + 4 * 10 * MANY);
    // The total of a first page has those days too, and they are read once. A look that is not taken is prepared all the same.
    const days = nodes.filter((node) => node["Relation Name"] === "calendar_days" && node["Actual Loops"] > 0);
    expect(days).toHaveLength(1);
    expect(nodes.filter((node) => node["CTE Name"] === "whole").length).toBeLessThan(5);
  },
);

/** Of four calendars with about one a day, the days from the 20th of a month to its end hold 48. */
it.each([
  ["events", { ...events, pageSize: 2 * PAGE }],
  ["free/busy", { ...freeBusy, pageSize: 2 * PAGE }],
])(
  "where few days do not fill a page of many calendars, more are looked at: %s",
  async (_name, read: ReadDefinition) => {
    const account = await openCalendar();
    const calendars = [account.calendarId, ...(await addCalendars(account, 3))];
    for (const one of calendars) await fill(one, { count: 190, from: 1, days: 190 });
    const { sent, page } = pageReader(read, account.accountId, { now, calendarCount: 4 });
    const today = new Date(now);
    const from = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 20)).toISOString().slice(0, 10);
    const { rows } = await page({ tzid: "Europe/Berlin", from });
    expect(rows).toHaveLength(2 * PAGE);
    const [row] = await db().transaction((query) => explained(query, sent.at(-1) ?? { text: "", values: [] }, false));
    const nodes = flat(row?.["QUERY PLAN"][0]?.Plan).filter((node) => node["Relation Name"] === "occurrences");
    expect(nodes.reduce((sum, node) => sum + rowsRead(node), 0)).toBeLessThan(5 * PAGE);
  },
);
