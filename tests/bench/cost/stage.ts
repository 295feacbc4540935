import { resolve } from "node:path";
import { connect } from "@/server/db/client";
import { DESCRIPTION, newApplications, type Opened, openAccounts } from "@/tests/bench/cost/accounts";
import { fillBare } from "@/tests/bench/cost/bare-tables";
import { load } from "@/tests/bench/cost/load";
import { CHANGED_AT, type Compared, compared } from "@/tests/bench/cost/requests";
import { changeOne, fill } from "@/tests/bench/seed";
import { type Server, startAlmanac, startBare } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";
import { type Cost, costOf, type Probe, processorTime, type Used, usedBy } from "@/tests/rig/processor-time";
import { passed } from "@/tests/rig/until";

/** Rows of the bare server: 240 days of what two daily series have in the 243 that are read. */
const BARE_ROWS = 480;
/** Beside the accounts of all other rows, so many with so many events: fewer than those, since they take long to seed. */
const LARGE_ACCOUNTS = 12;
const LARGE = 5_000;
/** Requests of those in a turn, which their rate limits give back until the next. */
const MOST_OF_LARGE = 100;
/** What Almanac writes after the responses, such as the request log, belongs to them. */
export const TAIL_MS = 700;
/** Until then a new process still compiles what it runs. */
const WARMING_S = 3;

const NONE: Cost = { process: Number.NaN, database: Number.NaN };

/** How often each side takes its turn, and for how long. */
export interface Pace {
  turns: number;
  seconds: number;
}

export interface Stage {
  ours: Server;
  accounts: readonly Opened[];
  /** Sends requests for so long to one of the two servers. */
  warm(request: Compared, side: "ours" | "bare", seconds: number): Promise<void>;
  measure(request: Compared, side: "ours" | "bare", seconds: number): Promise<Cost>;
  /** Both, while they take turns. */
  compare(request: Compared, pace: Pace): Promise<{ ours: Cost; bare: Cost }>;
  close(): Promise<void>;
}

/** Almanac and the bare server with the same accounts, each on a database of its own on the given PostgreSQL server. */
export async function openStage(address: string, accountCount: number): Promise<Stage> {
  const probe = await processorTime(address);
  const closing: (() => unknown)[] = [() => probe.close()];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const applications = newApplications(accountCount + LARGE_ACCOUNTS);
    const [ours, bare] = [await newDatabase(address, "almanac_bench"), await newDatabase(address, "bare_bench")];
    closing.push(ours.close, bare.close);
    const almanac = await startAlmanac({
      DATABASE_URL: ours.url,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(applications),
    });
    closing.push(almanac.end);
    const opened = await openAccounts(almanac.origin, applications);
    const [accounts, large] = [opened.slice(0, accountCount), opened.slice(accountCount)];
    await fillLarge(ours.url, large);
    await fillBare(bare.url, opened, { description: DESCRIPTION, rows: BARE_ROWS });
    const bareServer = await startBare(resolve(import.meta.dirname, "cost/bare.mjs"), { DATABASE_URL: bare.url });
    closing.push(bareServer.end);
    const sides = {
      ours: { server: almanac, databaseUrl: ours.url, accounts, probe, tailMs: TAIL_MS },
      bare: { server: bareServer, databaseUrl: bare.url, accounts, probe, tailMs: 0 },
    };
    for (const request of compared) {
      await expectSameLength(request, sides);
      await expectChanged(request, { ...sides.ours, accounts: large });
    }
    const [small] = compared;
    for (const { server } of Object.values(sides)) {
      const make = server === almanac ? small.ours : small.bare;
      await load({ port: portOf(server), seconds: WARMING_S, accounts, make });
    }
    return {
      ours: almanac,
      accounts,
      warm: async (request, side, seconds) => {
        await load({ port: portOf(sides[side].server), seconds, accounts, make: request[side] });
      },
      measure: (request, side, seconds) => measure(sides[side], request[side], seconds),
      compare: async (request, pace) => {
        const ours =
          request.changed !== undefined ? { ...sides.ours, accounts: large, most: MOST_OF_LARGE } : sides.ours;
        const taken = [
          { side: sides.bare, make: request.bare },
          { side: ours, make: request.ours },
        ];
        const [ofBare = NONE, ofOurs = NONE] = await inTurns(taken, pace);
        return { ours: ofOurs, bare: ofBare };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Events of others, of which one has changed at `CHANGED_AT`. */
async function fillLarge(url: string, accounts: readonly Opened[]): Promise<void> {
  const db = connect(url);
  try {
    for (const { calendarId } of accounts) {
      await fill(db, calendarId, LARGE);
      await changeOne(db, calendarId, CHANGED_AT);
    }
    await db.query("VACUUM ANALYZE events, occurrences");
  } finally {
    await db.close();
  }
}

/** A server under load, and the database whose connections are its own. */
export interface Side {
  server: Server;
  databaseUrl: string;
  accounts: readonly Opened[];
  probe: Probe;
  tailMs: number;
  /** Requests in a turn. */
  most?: number;
}

/** What one of many requests costs, sent for so long. */
export async function measure(side: Side, make: Compared["ours"], seconds: number): Promise<Cost> {
  const [cost = NONE] = await inTurns([{ side, make }], { turns: 1, seconds });
  return cost;
}

/**
 * What one of many requests costs on each side, sent for so long in each of so many turns. The speed of a machine changes within seconds: the
 * shorter the turns, the more alike is what both sides meet.
 */
export async function inTurns(
  sides: readonly { side: Side; make: Compared["ours"] }[],
  { turns, seconds }: Pace,
): Promise<Cost[]> {
  const begun = await Promise.all(sides.map(({ side }) => usedByServer(side)));
  const responses = sides.map(() => 0);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [i, { side, make }] of sides.entries()) {
      const { server, accounts, most } = side;
      responses[i] = (responses[i] ?? 0) + (await load({ port: portOf(server), seconds, accounts, make, most }));
    }
  }
  await passed(Math.max(...sides.map(({ side }) => side.tailMs)));
  return Promise.all(sides.map(async ({ side }, i) => costOf(begun[i], await usedByServer(side), responses[i])));
}

function usedByServer({ probe, server, databaseUrl }: Side): Promise<Used> {
  return usedBy(probe, [server.child.pid], databaseUrl);
}

/** The comparison is void unless both respond with as much. */
async function expectSameLength({ what, list, ours, bare }: Compared, sides: Record<"ours" | "bare", Side>) {
  if (!list) return;
  const lengths = await Promise.all([lengthOf(sides.ours, ours, list), lengthOf(sides.bare, bare, list)]);
  const [a = 0, b = 0] = lengths;
  if (b === 0 || a < b) throw new Error(`${what}: ${a} and ${b} ${list}`);
}

async function expectChanged({ what, changed, ours }: Compared, large: Side) {
  if (changed === undefined) return;
  const found = await lengthOf(large, ours, "events");
  if (found !== changed) throw new Error(`${what}: ${found} events`);
}

async function lengthOf({ server, accounts }: Side, make: Compared["ours"], list: string): Promise<number> {
  const [account] = accounts;
  if (!account) throw new Error("there is no account");
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const response = await fetch(server.origin + make(account).path, { headers });
  return ((await response.json()) as Record<string, unknown[]>)[list]?.length ?? 0;
}

export function portOf({ origin }: Server): number {
  return Number(new URL(origin).port);
}
