import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Statement } from "@/server/db/statement";
import { bookingOfEvent, bookingOfId, lockCalendars } from "@/server/store/bookings/bookings.sql";
import { askedOfProviders } from "@/server/store/busy/ask-providers.sql";
import { busyOfAll, busyOfSome } from "@/server/store/busy/busy.sql";
import { addCalendars } from "../fakes/stored-events";
import { ownDatabase } from "./own-database";
import { openCalendar } from "./service";

/** Plans of what bookings and availability ask for, as PostgreSQL makes and runs them, beside what others have stored. */
const DAY_MS = 86_400_000;
const CALENDARS = 50;
const STRANGERS = 200;
/** Calendars without events, of others. */
const EMPTY = 5_000;
const DAYS = 70;
const A_DAY = 8;
const BOOKED = 200;
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;

// Its rows would be in the way of others.
ownDatabase();

let calendars: string[] = [];

beforeAll(async () => {
  const ada = await openCalendar();
  calendars = [ada.calendarId, ...(await addCalendars(ada, CALENDARS - 1))];
  const other = await openCalendar();
  const strangers = await addCalendars(other, STRANGERS);
  await addCalendars(other, EMPTY, { firstNumber: 1_000 });
  await fill([...calendars, ...strangers]);
  await fillBookings([...calendars, ...strangers]);
}, 300_000);

/** Eight hours a day, of the 35 days before today and after. */
async function fill(into: readonly string[]): Promise<void> {
  await db().query(
    `WITH e AS (INSERT INTO events (id, calendar_id, event_id, external_id, summary, all_day, starts, ends)
  SELECT 'evt_' || substr(md5(c || '/' || i), 1, 24), c, c || i, c || i, '', false, t, t + interval '45 minutes'
  FROM unnest($1::text[]) c, generate_series(0, $2::int * $3::int - 1) i, LATERAL (SELECT to_timestamp($4) + (i / $3::int) * interval '1 day' + (i % $3::int) * interval '1 hour' AS t) t
  RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, managed, starts, ends)
SELECT id, id, calendar_id, event_id, false, true, starts, ends FROM e`,
    [into, DAYS, A_DAY, now / 1_000 - 35 * 86_400],
  );
}

/** The last events of each calendar are bookings that take the time of the next one, too. */
async function fillBookings(into: readonly string[]): Promise<void> {
  await db().query(
    `WITH c AS (SELECT id, coalesce(lead(id) OVER (ORDER BY id), min(id) OVER ()) AS other FROM unnest($1::text[]) id),
b AS (INSERT INTO bookings (id, application_id, account_id, calendar_id, event_id, event_row, event_uid, digest)
  SELECT 'bkg_' || substr(e.id, 5), 'app', 'acc', c.id, e.event_id, e.id, e.id, '' FROM c CROSS JOIN LATERAL (
    SELECT e.id, e.event_id FROM events e WHERE e.calendar_id = c.id ORDER BY e.starts DESC LIMIT $2) e RETURNING *)
INSERT INTO booking_calendars (booking_id, calendar_id, event_calendar_id, event_row)
SELECT b.id, k.id, b.calendar_id, b.event_row FROM b JOIN c ON c.id = b.calendar_id, LATERAL (VALUES (c.id), (c.other)) k(id)`,
    [into, BOOKED],
  );
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
}

/** The others have a few rows here. */
const large = new Set(["calendars", "events", "occurrences", "bookings", "booking_calendars"]);
const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
const readBy = (node: Node) =>
  Math.round((node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]);

/** What a statement reads of tables: how, and how many rows. `kept`: by the plan for any values. */
async function planOf({ text }: Pick<Statement<object>, "text">, values: readonly unknown[], kept: boolean) {
  const [row] = await db().transaction(async (query) => {
    await query(`SET LOCAL plan_cache_mode = ${kept ? "force_generic_plan" : "force_custom_plan"}`);
    return await query<{ "QUERY PLAN": { Plan: Node }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  });
  const [plan] = row?.["QUERY PLAN"] ?? [];
  const nodes = plan ? flat(plan.Plan) : [];
  const reading = nodes.filter((node) => large.has(node["Relation Name"] ?? ""));
  const rows = (table: string) =>
    reading.filter((node) => node["Relation Name"] === table).reduce((sum, node) => sum + readBy(node), 0);
  const scans = reading.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);
  return { scans: [...new Set(scans)], rows };
}

const statistics: [string, () => Promise<unknown>][] = [
  ["without statistics", async () => {}],
  ["with statistics", () => db().query("ANALYZE")],
];
const kinds = statistics.flatMap(([name, prepare]) => [false, true].map((kept) => ({ name, prepare, kept })));

describe.each(kinds)("the plan, $name, kept: $kept,", ({ prepare, kept }) => {
  beforeAll(prepare);

  const asked = (days: number, ids = calendars) => [
    ids,
    ids.map((_, place) => place),
    ids.map(() => false),
    new Date(now),
    new Date(now + days * DAY_MS),
    null,
    [],
  ];

  it.each([
    ["a booking", 1, 3],
    ["availability", 35, CALENDARS],
  ])("of the time that is taken reads what lies in the range, and what is booked: for %s", async (_, days, count) => {
    const ids = calendars.slice(0, count);
    for (const [statement, more] of [
      [busyOfAll, []],
      [busyOfSome, [true, true]],
    ] as const) {
      const { scans, rows } = await planOf(statement, [...asked(days, ids), ...more], kept);
      expect(scans).toEqual([]);
      expect(rows("occurrences")).toBeLessThan(count * (A_DAY * (days + 2) + BOOKED + 1));
      expect(rows("booking_calendars")).toBeLessThanOrEqual(count * BOOKED);
      expect(rows("bookings")).toBe(0);
    }
  });

  it("of a booking reads that one", async () => {
    const [calendarId = ""] = calendars;
    const [one] = await db().query<{ id: string; event_id: string }>(
      "SELECT id, event_id FROM bookings WHERE calendar_id = $1 LIMIT 1",
      [calendarId],
    );
    const statements: [Pick<Statement<object>, "text">, unknown[]][] = [
      [bookingOfId, [one?.id, null, "app", null]],
      [bookingOfEvent, [calendarId, null, one?.event_id]],
      [lockCalendars, [calendars.slice(0, 3)]],
      [askedOfProviders, [calendars.slice(0, 3), null, ["evt_new"]]],
    ];
    for (const [statement, values] of statements) {
      const { scans, rows } = await planOf(statement, values, kept);
      expect(scans, statement.text).toEqual([]);
      expect(rows("bookings")).toBeLessThanOrEqual(1);
      expect(rows("events")).toBeLessThanOrEqual(1);
    }
  });
});
