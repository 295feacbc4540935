import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { newId } from "@/server/db/new-id";
import { hangUp, median, type Row, timed } from "@/tests/bench/measure";
import { processorTime } from "@/tests/bench/processor-time";
import { fill, type Seeded, seedCalendar } from "@/tests/bench/seed";
import { type Server, startAlmanac } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";

const ACCOUNTS = 8;
const CALENDARS = 50;
const OCCURRENCES = 400;
const ROUNDS = 7;
const READS = 60;
const AT_ONCE = 4;
/** The accounts' own rate limits fill again, and what follows the responses is written. */
const REFILL_MS = 3_000;
const MOST_MS = 8;

/**
 * A first page of accounts with 50 full calendars: processor milliseconds of the whole request, process and PostgreSQL together, less what the
 * service costs in that time while nobody asks it.
 */
export async function manyCalendarsRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const probe = await processorTime(address);
  if ("cannot" in probe) {
    say(`Not measured: accounts with many calendars, because ${probe.cannot}.`);
    return [];
  }
  const database = await newDatabase(address, "almanac_bench");
  const db = connect(database.url);
  let server: Server | undefined;
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    say(`Seeding ${ACCOUNTS} accounts of ${CALENDARS} calendars and one calendar with as many events …`);
    const many: Seeded[] = [];
    const one: Seeded[] = [];
    for (let n = 0; n < ACCOUNTS; n += 1) {
      many.push(await seedMany(db));
      one.push(await seedCalendar(db, CALENDARS * OCCURRENCES));
    }
    await db.query("VACUUM ANALYZE");
    server = await startAlmanac({ DATABASE_URL: database.url });
    const { origin, child } = server;
    const name = new URL(database.url).pathname.slice(1);
    const used = async () => {
      const connections = await probe.ofConnections(name);
      return probe.ofProcess(child.pid ?? 0) + [...connections.values()].reduce((sum, ms) => sum + ms, 0);
    };
    const quiet = () => new Promise((resolve) => setTimeout(resolve, REFILL_MS));
    const cost = async (path: string, accounts: readonly Seeded[]) => {
      const earlier = await used();
      await quiet();
      const before = await used();
      const idle = before - earlier;
      for (let at = 0; at < READS; at += AT_ONCE) {
        const some = Array.from({ length: AT_ONCE }, (_, i) => accounts[(at + i) % accounts.length]);
        await Promise.all(
          some.map((seeded) => timed({ origin, method: "GET", path, token: seeded?.token, expect: 200 })),
        );
      }
      await quiet();
      return ((await used()) - before - idle) / READS;
    };
    const rows: Row[] = [];
    for (const what of ["events", "free_busy"]) {
      say(`GET /v1/${what} of ${CALENDARS} calendars …`);
      const path = `/v1/${what}?tzid=Etc/UTC`;
      await cost(path, many);
      await cost(path, one);
      const [ours, single]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await cost(path, many));
        single.push(await cost(path, one));
      }
      const value = median(ours);
      rows.push({
        what: `GET /v1/${what}, first page of ${CALENDARS} calendars`,
        ours: `${value.toFixed(2)} ms`,
        other: `${median(single).toFixed(2)} ms of one calendar`,
        ...{ value, limit: MOST_MS, unit: "ms" },
      });
    }
    return rows;
  } finally {
    hangUp();
    await server?.stop();
    await probe.close();
    await db.close();
    await database.close();
  }
}

/** An account with many calendars, each of which fills a page. */
async function seedMany(db: Database): Promise<Seeded> {
  const seeded = await seedCalendar(db, OCCURRENCES);
  for (let number = 2; number <= CALENDARS; number += 1) {
    const id = newId("cal");
    await db.query(
      `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name)
SELECT $1, account_id, profile_id, $3, $1, 'More' FROM calendars WHERE id = $2`,
      [id, seeded.calendarId, number],
    );
    await fill(db, id, OCCURRENCES);
  }
  return seeded;
}
