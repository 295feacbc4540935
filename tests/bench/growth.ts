import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Database } from "@/server/db/client";
import { flatRows, flatTables } from "@/tests/bench/cost/bare-tables";
import { CHANGED_AT, changesSince, LATER } from "@/tests/bench/cost/requests";
import { TAIL_MS } from "@/tests/bench/cost/stage";
import { total } from "@/tests/bench/cost/table";
import { type Call, hangUp, type Row, timed } from "@/tests/bench/measure";
import { recurrenceRatio } from "@/tests/bench/recurrence";
import { changeOne, seedCalendar, seedSeries, seedSingles } from "@/tests/bench/seed";
import { startAlmanac } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";
import { nameOf, openDatabase } from "@/tests/rig/database";
import { costOf, processorTime, type Used, usedBy } from "@/tests/rig/processor-time";
import type { Seeded } from "@/tests/rig/seed";
import { passed } from "@/tests/rig/until";

/** The first one warms. */
const ROUNDS = 9;
const CALLS = 48;
/** An account's rate limit gives back as many calls as a round takes of it in two seconds, of which both tails are a part. */
const REFILL_MS = 700;
const AT_ONCE = 4;
const SERIES_OF_PAGE = 12;

/**
 * How reads and writes grow with the calendar, and with series instead of single events: processor time of one of many calls, of the process and of its
 * PostgreSQL connections, both sides in turns.
 */
export async function growthRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const probe = await processorTime(address);
  const closing: (() => unknown)[] = [() => probe.close()];
  try {
    const database = await openDatabase(address, "almanac_bench");
    closing.push(database.close);
    const { db } = database;
    const flat = await newDatabase(address, "bare_bench");
    closing.push(flat.close);
    const bare = new pg.Pool({ connectionString: flat.url, max: AT_ONCE });
    closing.push(() => bare.end());
    await bare.query(flatTables);
    say("Seeding calendars of 5,000 and 500,000 occurrences …");
    const calendars = {
      small: await seedCalendar(db, 5_000),
      large: await seedCalendar(db, 500_000),
      written: await hosted(db, await seedCalendar(db, 10)),
      series: await seedSeries(db, SERIES_OF_PAGE),
      singles: await seedSingles(db, SERIES_OF_PAGE),
    };
    for (const { calendarId } of [calendars.small, calendars.large]) await changeOne(db, calendarId, CHANGED_AT);
    await db.query("VACUUM ANALYZE");
    const server = await startAlmanac({ DATABASE_URL: database.url });
    closing.push(server.end);
    const ours = {
      origin: server.origin,
      used: () => usedBy(probe, [server.child.pid], database.url),
      occurrences: () => occurrencesOfSeries(db, calendars.written),
    };
    const theirs = {
      pool: bare,
      used: async () => ({ process: ownMs(), connections: await probe.ofConnections(nameOf(flat.url)) }),
    };
    const rows: Row[] = [];
    for (const { what, limit, a, b } of await pairsOf(ours, theirs, calendars)) {
      say(`${what} …`);
      rows.push(rowOf({ what, limit }, await inTurns(a, b)));
    }
    return [...rows, expansion()];
  } finally {
    hangUp();
    for (const step of closing.reverse()) await step();
  }
}

interface Calendars {
  small: Seeded;
  large: Seeded;
  written: Seeded;
  /** The same number of occurrences in series, and as single events. */
  series: Seeded;
  singles: Seeded;
}

interface Side {
  once(): Promise<unknown>;
  used(): Promise<Used>;
}

interface Pair {
  what: string;
  a: Side;
  b: Side;
  limit: number;
}

async function pairsOf(
  { origin, used, occurrences }: { origin: string; used: Side["used"]; occurrences: () => Promise<number> },
  bare: { pool: pg.Pool; used: Side["used"] },
  { small, large, written, series, singles }: Calendars,
): Promise<Pair[]> {
  const sending = (call: () => Omit<Call, "origin">): Side => ({ once: () => timed({ origin, ...call() }), used });
  const get = (path: string, { token }: Seeded) => sending(() => ({ method: "GET", path, token, expect: 200 }));
  const daily = sending(() => ({
    method: "POST",
    path: `/v1/calendars/${written.calendarId}/events`,
    token: written.token,
    body: newEvent({ rules: [{ frequency: "daily" }] }),
    expect: 202,
  }));
  await daily.once();
  const rows = await occurrences();
  const flat: Side = {
    once: () => bare.pool.query({ ...flatRows, values: [randomBytes(12).toString("hex"), "", rows] }),
    used: bare.used,
  };
  const events = "/v1/events?tzid=Etc/UTC";
  const freeBusy = "/v1/free_busy?tzid=Etc/UTC";
  return [
    {
      what: "events page out of 500,000 / out of 5,000",
      ...{ a: get(events, large), b: get(events, small), limit: 1.3 },
    },
    {
      what: "free/busy page out of 500,000 / out of 5,000",
      ...{ a: get(freeBusy, large), b: get(freeBusy, small), limit: 1.3 },
    },
    {
      what: "events with last_modified, nothing changed out of 500,000 / out of 5,000",
      ...{ a: get(changesSince(LATER), large), b: get(changesSince(LATER), small), limit: 1.3 },
    },
    {
      what: "events with last_modified, one changed out of 500,000 / out of 5,000",
      ...{ a: get(changesSince(CHANGED_AT), large), b: get(changesSince(CHANGED_AT), small), limit: 1.3 },
    },
    {
      what: `write of a never-ending daily series / a bare statement that inserts its ${rows} rows`,
      ...{ a: daily, b: flat, limit: 7 },
    },
    {
      what: "page of 300 occurrences of series / of 300 single events",
      a: get(`${events}&only_managed=true`, series),
      b: get(`${events}&only_managed=true`, singles),
      limit: 1.2,
    },
  ];
}

/** Milliseconds that one call costs on each side, of all rounds together: in one of them the ten of a tick count too much. */
async function inTurns(a: Side, b: Side): Promise<{ ours: number; others: number }> {
  const sums = { ours: 0, others: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const others = await costOfOne(b);
    const ours = await costOfOne(a);
    await passed(REFILL_MS);
    if (round === 0) continue;
    sums.others += others / (ROUNDS - 1);
    sums.ours += ours / (ROUNDS - 1);
  }
  return sums;
}

async function costOfOne({ once, used }: Side): Promise<number> {
  const before = await used();
  for (let sent = 0; sent < CALLS; sent += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, once));
  await passed(TAIL_MS); // what is written after the responses, such as the request log
  return total(costOf(before, await used(), CALLS));
}

function rowOf({ what, limit }: Pick<Pair, "what" | "limit">, { ours, others }: { ours: number; others: number }): Row {
  const written = (ms: number) => `${ms.toFixed(2)} ms`;
  return { what, ours: written(ours), other: written(others), value: ours / others, limit, unit: "×" };
}

/** Of the process of this bench, which is the bare statement's. */
function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Without a provider that would have to be told. */
async function hosted(db: Database, seeded: Seeded): Promise<Seeded> {
  await db.query("UPDATE profiles SET provider = 'hosted', service = 'hosted' WHERE account_id = $1", [
    seeded.accountId,
  ]);
  return seeded;
}

async function occurrencesOfSeries(db: Database, { calendarId }: Seeded): Promise<number> {
  const counted = "SELECT count(*)::int AS n FROM occurrences WHERE calendar_id = $1 AND day IS NOT NULL";
  const [found] = await db.query<{ n: number }>(counted, [calendarId]);
  return found?.n ?? 0;
}

function newEvent(recurrence?: object): string {
  const start = new Date(Math.floor(Date.now() / 1000) * 1000 + 864e5).toISOString();
  const event = { event_id: randomBytes(9).toString("hex"), summary: "Planning round", start, end: start };
  return JSON.stringify({ ...event, tzid: "Europe/Berlin", recurrence });
}

/** Rules against the customer's library, both in this process. */
function expansion(): Row {
  const { ours, other } = recurrenceRatio();
  const what = "1,000 daily series begun ten years ago, 243 days / rrule.between";
  const value = ours / other;
  return { what, ours: `${ours.toFixed(0)} ms`, other: `${other.toFixed(0)} ms`, value, limit: 0.1, unit: "×" };
}
