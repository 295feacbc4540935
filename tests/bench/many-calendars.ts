import type { Database } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { Opened } from "@/tests/bench/cost/accounts";
import { load, type Sent } from "@/tests/bench/cost/load";
import { compared } from "@/tests/bench/cost/requests";
import { measure, openStage, portOf, TAIL_MS } from "@/tests/bench/cost/stage";
import { middle, total, written } from "@/tests/bench/cost/table";
import type { Row } from "@/tests/bench/measure";
import { fill, seedCalendar } from "@/tests/bench/seed";
import { type Server, startAlmanac } from "@/tests/bench/servers";
import { openDatabase } from "@/tests/rig/database";
import { median } from "@/tests/rig/durations";
import { type Cost, processorTime } from "@/tests/rig/processor-time";
import type { Seeded } from "@/tests/rig/seed";
import { passed } from "@/tests/rig/until";

/** The limits on half of them would refuse what a fast machine is asked. */
const ACCOUNTS = 16;
/** With one calendar, whose pages take so little that the limits on those would refuse them. */
const SINGLES = 40;
/** The limits on one of fewer would refuse what the bare server is asked. */
const BARE_ACCOUNTS = 200;
const CALENDARS = 50;
const OCCURRENCES = 400;
const ROUNDS = 5;
const SECONDS = 3;
const WARMING_S = 6;
/** The system takes back memory of what did nothing for seconds, here the others' turn. */
const AGAIN_S = 1.5;
/** Events are kept since so many days before today. */
const DAYS_BACK = 41;
/** Of so many days from then on every other is for connections to plan the statement that looks up the days, and those between are measured. */
const NEW_DAYS = 120;
/** Of the pages from those, so many are read in all rounds at the speed of the others. */
const READ_OF_NEW = 0.8;
/** The accounts' own rate limits fill again. */
const REFILL_MS = 3_000;
const MOST_MS = 8;
const DAY_MS = 86_400_000;
/** What the bare server takes for a page of 300 on the machine that those are of. On a slower one they are as much more. */
const BARE_MS = 5.27;
/** The total of a first page costs no more than the page. */
const MOST_OF_TOTAL = 2;
/** A page of single events looks each of them up, which one of a series does not (ADR 56). */
const MOST_OF_SINGLES = 1.2;
const barePage = compared[1];

/**
 * A first page of accounts with 50 full calendars, measured as the requests of the first rows are: processor time at 16 connections, beside a page of
 * the bare server in the same rounds.
 */
export async function manyCalendarsRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const probe = await processorTime(address);
  const stage = await openStage(address, BARE_ACCOUNTS);
  const database = await openDatabase(address, "almanac_bench");
  const { db } = database;
  let server: Server | undefined;
  try {
    say(`Seeding ${ACCOUNTS} accounts of ${CALENDARS} calendars and ${SINGLES} of one calendar with as many events …`);
    const [many, one]: [Opened[], Opened[]] = [[], []];
    for (let n = 0; n < ACCOUNTS; n += 1) many.push(openedOf(await seedMany(db)));
    for (let n = 0; n < SINGLES; n += 1) {
      one.push(openedOf(await seedCalendar(db, CALENDARS * OCCURRENCES)));
    }
    await db.query("VACUUM ANALYZE");
    server = await startAlmanac({ DATABASE_URL: database.url });
    const side = { server, databaseUrl: database.url, probe, tailMs: TAIL_MS };
    const rows: Row[] = [];
    for (const what of ["events", "free_busy"]) {
      say(`GET /v1/${what} of ${CALENDARS} calendars …`);
      const path = `/v1/${what}?tzid=Etc/UTC`;
      const first = () => ({ method: "GET" as const, path });
      const cost = async (
        accounts: readonly Opened[],
        seconds: number,
        make: (account: Opened) => Sent = first,
        again = make,
      ) => {
        await load({ port: portOf(side.server), seconds: AGAIN_S, accounts, make: again });
        const measured = await measure({ ...side, accounts }, make, seconds);
        await passed(REFILL_MS);
        return measured;
      };
      await cost(many, WARMING_S);
      await cost(one, SECONDS);
      await stage.warm(barePage, "bare", SECONDS);
      const next = await nextPages(side.server, path, one);
      const nextOfMany = await nextPages(side.server, path, many);
      await cost(one, SECONDS, next);
      await cost(many, SECONDS, nextOfMany);
      const planning = fromOtherDays(path, 0);
      await cost(many, SECONDS, planning.make);
      const perSecond = planning.count() / (AGAIN_S + SECONDS);
      const newSeconds = Math.min(1, (READ_OF_NEW * ACCOUNTS * NEW_DAYS) / 2 / ROUNDS / perSecond);
      const newPage = fromOtherDays(path, 1);
      const [ours, unknown, laterOfMany]: [Cost[], Cost[], Cost[]] = [[], [], []];
      const [single, later, bare]: [Cost[], Cost[], Cost[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        bare.push(await stage.measure(barePage, "bare", SECONDS));
        ours.push(await cost(many, SECONDS));
        unknown.push(await cost(many, newSeconds, newPage.make, first));
        single.push(await cost(one, SECONDS));
        later.push(await cost(one, SECONDS, next));
        laterOfMany.push(await cost(many, SECONDS, nextOfMany));
      }
      rows.push({
        what: `GET /v1/${what}, first page of ${CALENDARS} calendars, where a bare page of 300 takes ${BARE_MS} ms at most`,
        ours: `${written(middle(ours))}, of one calendar ${written(middle(single))}`,
        other: written(middle(bare)),
        ...{ value: Math.min(ratio(ours, bare) * BARE_MS, total(middle(ours))), limit: MOST_MS, unit: "ms" },
      });
      rows.push({
        what: `GET /v1/${what}, first page of ${CALENDARS} calendars that was not asked for before, with the same bare page`,
        ours: written(middle(unknown)),
        other: written(middle(bare)),
        ...{ value: Math.min(ratio(unknown, bare) * BARE_MS, total(middle(unknown))), limit: MOST_MS, unit: "ms" },
      });
      if (what === "events")
        rows.push({
          what: "GET /v1/events, a page of 300 single events / bare",
          ours: written(middle(single)),
          other: written(middle(bare)),
          ...{ value: ratio(single, bare), limit: MOST_OF_SINGLES, unit: "×" },
        });
      rows.push({
        what: `GET /v1/${what}, first page with its total / the next page`,
        ours: written(middle(single)),
        other: written(middle(later)),
        ...{ value: ratio(single, later), limit: MOST_OF_TOTAL, unit: "×" },
      });
      rows.push({
        what: `GET /v1/${what}, first page of ${CALENDARS} calendars with its total / the next page`,
        ours: written(middle(ours)),
        other: written(middle(laterOfMany)),
        ...{ value: ratio(ours, laterOfMany), limit: MOST_OF_TOTAL, unit: "×" },
      });
    }
    return rows;
  } finally {
    await server?.end();
    await probe.close();
    await database.close();
    await stage.close();
  }
}

/** Of what was measured in turns. */
function ratio(ours: readonly Cost[], others: readonly Cost[]): number {
  return median(ours.map((one, i) => total(one) / total(others[i] ?? { process: 0, database: 0 })));
}

/** First pages from every other day, so that which days fill a page of that account is not known from an earlier one. */
function fromOtherDays(path: string, first: 0 | 1): { make(account: Opened): Sent; count(): number } {
  const asked = new Map<Opened, number>();
  let count = 0;
  const make = (account: Opened): Sent => {
    const days = asked.get(account) ?? 0;
    asked.set(account, days + 1);
    count += 1;
    const day = first + ((2 * days) % NEW_DAYS);
    const from = new Date(Date.now() + (day - DAYS_BACK) * DAY_MS).toISOString().slice(0, 10);
    return { method: "GET", path: `${path}&from=${from}` };
  };
  return { make, count: () => count };
}

/** The page after the first one of each account. */
async function nextPages(
  server: Server,
  path: string,
  accounts: readonly Opened[],
): Promise<(account: Opened) => Sent> {
  const paths = new Map<Opened, string>();
  for (const account of accounts) {
    const headers = { authorization: `Bearer ${account.accessToken}` };
    const response = await fetch(server.origin + path, { headers });
    const { pages }: { pages?: { next_page?: string } } = await response.json();
    const { pathname, search } = new URL(pages?.next_page ?? "");
    paths.set(account, pathname + search);
  }
  return (account) => ({ method: "GET", path: paths.get(account) ?? "" });
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
