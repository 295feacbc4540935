import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { type Database, db, type Query } from "@/server/db/client";
import { binding } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { eventState } from "@/server/services/staff/requests/requests.sql";
import { objectsById } from "@/server/services/staff/search/things.sql";
import { continueCalendar } from "@/server/store/events/continue-series";
import { undoRefused } from "@/server/store/events/revert-refused";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { notePart, storePushed } from "@/server/store/provider-writes/stored-push";
import { claimWrites } from "@/server/sync/claim-writes";
import { dayFromNow } from "../api/dates";
import { icalSeries, receive, state } from "../api/event-states";
import { ownDatabase } from "../api/own-database";
import { providerCalendar, type WritableCalendar } from "../api/provider-calendar";
import { change, eventsOf, eventsPath, repeating, skip, write } from "../api/written-series";
import { openSlots } from "../fakes/open-slots";
import { PARTITIONS, partitionByCalendar, partitionsTouched } from "../fakes/partitioned-tables";
import { eventIds } from "../fakes/stored-events";
import { refuseWrites, storedWrites } from "../fakes/stored-writes";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

type Plan = { "QUERY PLAN": string };

const now = Date.now() as Instant;
const EACH = 400;

const single = {
  event_id: "one",
  summary: "Planning",
  start: `${dayFromNow(3)}T09:00:00Z`,
  end: `${dayFromNow(3)}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const series = { ...single, event_id: "series", ...repeating({ frequency: "daily" }) };

/** The partitions that hold a whole calendar of others. By chance a dozen of calendars can leave one without any. */
const filled = () =>
  db().query("SELECT DISTINCT tableoid FROM events GROUP BY tableoid, calendar_id HAVING count(*) >= $1", [EACH]);

/** Both tables with enough rows of others in each partition that a plan which reads them all would be a bad one. */
beforeAll(async () => {
  await db().transaction((query) => partitionByCalendar(query));
  while ((await filled()).length < PARTITIONS) {
    const calendar = await providerCalendar("icloud");
    const events = Array.from({ length: EACH }, (_, n) => [`/${n}.ics`, { summary: `Event ${n}` }] as const);
    await receive(calendar, Object.fromEntries(events));
  }
  await db().query("ANALYZE events, occurrences, provider_writes, calendars");
});

let calendar: WritableCalendar;
beforeEach(async () => {
  calendar = await providerCalendar("icloud");
  await write(calendar, single);
  await write(calendar, series);
  await receive(calendar, { "/a.ics": { summary: "A" }, "/b.ics": { icalRecurrence: icalSeries() } });
});

/** What a transaction touches in which all of `work` runs, each of its statements planned by its values or for any. */
async function touchedBy(mode: string, work: () => Promise<unknown>): Promise<string[]> {
  const whole = db();
  return await whole.transaction(async (query) => {
    await query(`SET LOCAL plan_cache_mode = ${mode}`);
    const one: Database = {
      ...whole,
      query,
      transaction: (inside) => inside(query, whole.prisma),
      counting: () => one,
    };
    context.database = one;
    try {
      return await partitionsTouched(query, work);
    } finally {
      context.database = whole;
    }
  });
}

/** The partition in which the calendar's rows are, of each table. */
async function own(tables = ["events", "occurrences"]): Promise<string[]> {
  const found = await Promise.all(
    tables.map((table) =>
      db().query<{ name: string }>(
        `SELECT DISTINCT tableoid::regclass::text AS name FROM ${table} WHERE calendar_id = $1`,
        [calendar.calendarId],
      ),
    ),
  );
  return found.flat().map(({ name }) => name);
}

const push = async () => {
  const writes = await claimWrites(db(), [openSlots("icloud", 50)]);
  const write = writes.find(({ calendarId }) => calendarId === calendar.calendarId);
  if (!write) throw new Error("the calendar's write is not claimed");
  return write;
};

/** The account has another calendar. */
const named = () => ({ "calendar_ids[]": calendar.calendarId });

const works: [string, () => Promise<unknown>][] = [
  ["a page of events", () => eventsOf(calendar, named())],
  [
    "a page of what changed",
    () => eventsOf(calendar, { ...named(), last_modified: new Date(now - 3_600_000).toISOString() }),
  ],
  ["a page with deleted events", () => eventsOf(calendar, { ...named(), include_deleted: "true" })],
  ["free/busy", () => calendar.get("/v1/free_busy", { ...named(), tzid: "Etc/UTC", include_managed: "true" })],
  ["a new event", () => write(calendar, { ...single, event_id: "new" })],
  ["a new series", () => write(calendar, { ...series, event_id: "new" })],
  ["an event that is changed", () => write(calendar, { ...single, summary: "Other" })],
  ["the words of a series", () => write(calendar, { ...series, summary: "Other" })],
  ["the times of a series", () => write(calendar, { ...series, end: `${dayFromNow(3)}T11:00:00Z` })],
  ["a day that is changed", () => change(calendar, dayFromNow(4), { summary: "Other" })],
  ["a day that is skipped", () => skip(calendar, dayFromNow(4))],
  ["an event that is deleted", () => calendar.remove(eventsPath(calendar.calendarId), { event_id: "one" })],
  [
    "a batch of a sync",
    () =>
      receive(
        calendar,
        { "/a.ics": { summary: "Other" }, "/c.ics": {}, "/d.ics": { icalRecurrence: icalSeries() } },
        { gone: ["/b.ics"], seen: new Map() },
      ),
  ],
  ["occurrences further on", () => continueCalendar(db(), calendar.calendarId, (now + 200 * 86_400_000) as Instant)],
  [
    "a push",
    async () => {
      const claimed = await push();
      const { id: writeId, revision, lease } = claimed;
      const target = await readForPush(db().query, claimed);
      expect(target?.state).not.toBeNull();
      await notePart(db(), claimed, { externalId: "/p.ics", part: null, version: "v1" });
      const pushed = { externalId: "/p.ics", version: "v1", state: state(), pushedState: target?.state };
      expect(await storePushed(db(), { writeId, revision, lease, keepsSeries: () => null, pushed, now })).toBe(true);
    },
  ],
  ["what staff see of a write", () => run(db().query, eventState, [calendar.calendarId, "one"])],
];

describe("with tables that are partitioned by calendar", () => {
  const modes = ["force_custom_plan", "force_generic_plan"];
  it.each(modes.flatMap((mode) => works.map(([name, work]) => [name, mode, work] as const)))(
    "%s looks into one partition of each: %s",
    async (_, mode, work) => {
      const partitions = await own();
      expect(partitions).toHaveLength(2);
      const touched = await touchedBy(mode, work);
      expect(touched.length).toBeGreaterThan(0);
      expect(partitions).toEqual(expect.arrayContaining(touched));
    },
  );

  it("rejected writes are reverted in one partition", async () => {
    const writes = await storedWrites(calendar.calendarId);
    await refuseWrites(calendar.calendarId, "http_403");
    const refused = writes.map(({ id, revision }) => `${id}.${revision}`);
    const touched = await touchedBy("auto", () => undoRefused(db(), { calendarId: calendar.calendarId, refused }));
    expect(touched).toEqual(await own());
  });

  it("every unique index has the calendar, and each partition has all indexes", async () => {
    const indexes = await db().query<{ table: string; isUnique: boolean; columns: string[] }>(
      `SELECT t.relname AS table, i.indisunique AS "isUnique", ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = i.indexrelid) AS columns
FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid WHERE t.relname ~ '^(events|occurrences)_(whole|p0)$' AND i.indisvalid`,
    );
    const of = (name: string) => indexes.filter(({ table }) => table === name);
    const unique = indexes.filter(({ isUnique }) => isUnique);
    expect(unique.filter(({ columns }) => !columns.includes("calendar_id"))).toEqual([]);
    expect(of("events_p0").length).toBe(of("events_whole").length);
    expect(of("occurrences_p0").length).toBe(of("occurrences_whole").length);
    expect(unique.length).toBe(6);
  });

  it("an event that staff search without its calendar is found by an index of each partition", async () => {
    const [id = ""] = await eventIds(calendar.calendarId);
    const given = binding();
    const text = objectsById.compose({ kind: "evt", id, applications: null }, given);
    expect(await db().query(text, given.values)).toMatchObject([{ id }]);
    const plan = await db().query<Plan>(`EXPLAIN ${text}`, given.values);
    const scans = plan.map((row) => row["QUERY PLAN"]).filter((line) => line.includes(" on events_p"));
    expect(scans.length).toBeGreaterThanOrEqual(PARTITIONS);
    const byIndex = expect.stringMatching(/Index Scan using events_p\d_(id_idx\d?|pkey) /);
    expect(scans).toEqual(scans.map(() => byIndex));
  });

  it("the calendars of the test are in all of them", async () => {
    const rows = await db().query("SELECT DISTINCT tableoid FROM events");
    expect(rows).toHaveLength(PARTITIONS);
  });

  it("occurrences and queued writes go with their event, and are no longer counted", async () => {
    const counted = () =>
      db().query<{ n: number }>(
        "SELECT coalesce(sum(live + declined + deleted), 0)::int AS n FROM calendar_days WHERE calendar_id = $1",
        [calendar.calendarId],
      );
    expect((await counted())[0]?.n).toBeGreaterThan(5);
    await db().query("DELETE FROM events WHERE calendar_id = $1", [calendar.calendarId]);
    expect(await own(["occurrences", "provider_writes"])).toEqual([]);
    expect(await counted()).toEqual([{ n: 0 }]);
    expect(await eventIds(calendar.calendarId)).toEqual([]);
  });
});

describe("the plan for any values", () => {
  const explained = (statement: string, values: string) =>
    db().transaction(async (query: Query) => {
      await query("SET LOCAL plan_cache_mode = force_generic_plan");
      await query(`PREPARE asked AS ${statement}`);
      const rows = await query<Plan>(`EXPLAIN (COSTS OFF) EXECUTE asked(${values})`);
      await query("DEALLOCATE asked");
      return rows.map((row) => row["QUERY PLAN"]);
    });

  it.each([
    ["an update", "UPDATE events SET etag = NULL WHERE calendar_id = $1 AND id = $2", "'c', 'e'", "events"],
    ["a read", "SELECT uid FROM occurrences WHERE calendar_id = $1 AND master_id = $2", "'c', 'e'", "occurrences"],
    ["the key", "SELECT FROM occurrences WHERE calendar_id = $1 AND uid = $2", "'c', 'e'", "occurrences"],
  ])("of %s removes all partitions but one when it begins", async (_, statement, values, table) => {
    const lines = (await explained(statement, values)).filter(
      (line) => line.includes("Scan") || line.includes("Subplans"),
    );
    expect(lines[0]).toContain(`Subplans Removed: ${PARTITIONS - 1}`);
    expect(lines.filter((line) => line.includes("Scan"))).toEqual([expect.stringContaining(`on ${table}_p`)]);
    expect(lines.filter((line) => line.includes("Seq Scan"))).toEqual([]);
  });
});
