import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { newId } from "@/server/db/new-id";
import type { Opened } from "@/tests/bench/cost/accounts";
import { type Cost, measure, nameOf, TAIL_MS } from "@/tests/bench/cost/stage";
import { middle, total, written } from "@/tests/bench/cost/table";
import type { Row } from "@/tests/bench/measure";
import { processorTime } from "@/tests/bench/processor-time";
import { fill, type Seeded, seedCalendar } from "@/tests/bench/seed";
import { type Server, startAlmanac } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";

const ACCOUNTS = 8;
const CALENDARS = 50;
const OCCURRENCES = 400;
const ROUNDS = 5;
const SECONDS = 3;
const WARMING_S = 6;
/** The accounts' own rate limits fill again. */
const REFILL_MS = 3_000;
const MOST_MS = 8;

/** A first page of accounts with 50 full calendars, measured as the requests of the first rows are: processor milliseconds at 16 connections. */
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
    const [many, one]: [Opened[], Opened[]] = [[], []];
    for (let n = 0; n < ACCOUNTS; n += 1) {
      many.push(openedOf(await seedMany(db)));
      one.push(openedOf(await seedCalendar(db, CALENDARS * OCCURRENCES)));
    }
    await db.query("VACUUM ANALYZE");
    server = await startAlmanac({ DATABASE_URL: database.url });
    const side = { server, database: nameOf(database.url), probe, tailMs: TAIL_MS };
    const rows: Row[] = [];
    for (const what of ["events", "free_busy"]) {
      say(`GET /v1/${what} of ${CALENDARS} calendars …`);
      const make = () => ({ method: "GET" as const, path: `/v1/${what}?tzid=Etc/UTC` });
      const cost = async (accounts: readonly Opened[], seconds: number) => {
        const measured = await measure({ ...side, accounts }, make, seconds);
        await new Promise((resolve) => setTimeout(resolve, REFILL_MS));
        return measured;
      };
      await cost(many, WARMING_S);
      await cost(one, SECONDS);
      const [ours, single]: [Cost[], Cost[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await cost(many, SECONDS));
        single.push(await cost(one, SECONDS));
      }
      const value = total(middle(ours));
      rows.push({
        what: `GET /v1/${what}, first page of ${CALENDARS} calendars`,
        ours: written(middle(ours)),
        other: `${written(middle(single))} of one calendar`,
        ...{ value, limit: MOST_MS, unit: "ms" },
      });
    }
    return rows;
  } finally {
    await server?.stop();
    await probe.close();
    await db.close();
    await database.close();
  }
}

function openedOf({ token, calendarId }: Seeded): Opened {
  return { accessToken: token, calendarId };
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
