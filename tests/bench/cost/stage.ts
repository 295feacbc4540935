import type { ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { DESCRIPTION, newApplications, type Opened, openAccounts } from "@/tests/bench/cost/accounts";
import { fillBare } from "@/tests/bench/cost/bare-tables";
import { load } from "@/tests/bench/cost/load";
import { type Compared, compared } from "@/tests/bench/cost/requests";
import { type Probe, processorTime } from "@/tests/bench/processor-time";
import { type Server, startAlmanac, startBare } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";

/** Rows of the bare server: 240 days of what two daily series have in the 243 that are read. */
const BARE_ROWS = 480;
/** What Almanac writes after the responses, such as the request log, belongs to them. */
export const TAIL_MS = 700;
/** Until then a new process still compiles what it runs. */
const WARMING_S = 3;

/** Processor milliseconds of one request. */
export interface Cost {
  process: number;
  database: number;
}

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
export async function openStage(address: string, accountCount: number): Promise<Stage | { cannot: string }> {
  const probe = await processorTime(address);
  if ("cannot" in probe) return probe;
  const closing: (() => unknown)[] = [() => probe.close()];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const applications = newApplications(accountCount);
    const [ours, bare] = [await newDatabase(address, "almanac_bench"), await newDatabase(address, "bare_bench")];
    closing.push(ours.close, bare.close);
    const almanac = await startAlmanac({
      DATABASE_URL: ours.url,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(applications),
    });
    closing.push(almanac.stop);
    const accounts = await openAccounts(almanac.origin, applications);
    await fillBare(bare.url, accounts, { description: DESCRIPTION, rows: BARE_ROWS });
    const bareServer = await startBare(resolve(import.meta.dirname, "cost/bare.mjs"), { DATABASE_URL: bare.url });
    closing.push(bareServer.stop);
    const sides = {
      ours: { server: almanac, databaseUrl: ours.url, accounts, probe, tailMs: TAIL_MS },
      bare: { server: bareServer, databaseUrl: bare.url, accounts, probe, tailMs: 0 },
    };
    for (const request of compared) await expectSameLength(request, sides);
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
        const taken = [
          { side: sides.bare, make: request.bare },
          { side: sides.ours, make: request.ours },
        ];
        const [bare = NONE, ours = NONE] = await inTurns(taken, pace);
        return { ours, bare };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A server under load, and the database whose connections are its own. */
export interface Side {
  server: Server;
  databaseUrl: string;
  accounts: readonly Opened[];
  probe: Probe;
  tailMs: number;
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
      const { server, accounts } = side;
      responses[i] = (responses[i] ?? 0) + (await load({ port: portOf(server), seconds, accounts, make }));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, Math.max(...sides.map(({ side }) => side.tailMs))));
  return Promise.all(sides.map(async ({ side }, i) => costOf(begun[i], await usedByServer(side), responses[i])));
}

/** Milliseconds of processor time until now, of a process and of each connection to its database. */
export interface Used {
  process: number;
  connections: ReadonlyMap<number, number>;
}

/** Of a process and of the connections to its database. */
export async function usedBy(probe: Probe, { pid = 0 }: ChildProcess, databaseUrl: string): Promise<Used> {
  return { process: probe.ofProcess(pid), connections: await probe.ofConnections(nameOf(databaseUrl)) };
}

function usedByServer({ probe, server, databaseUrl }: Side): Promise<Used> {
  return usedBy(probe, server.child, databaseUrl);
}

/** What each of so many responses cost. A connection that is gone counts for nothing. */
export function costOf(begun: Used | undefined, ended: Used, responses = 0): Cost {
  const database = [...ended.connections].reduce(
    (total, [one, ms]) => total + ms - (begun?.connections.get(one) ?? 0),
    0,
  );
  return { process: (ended.process - (begun?.process ?? 0)) / responses, database: database / responses };
}

/** The comparison is void unless both respond with as much. */
async function expectSameLength({ what, list, ours, bare }: Compared, sides: Record<"ours" | "bare", Side>) {
  if (!list) return;
  const lengths = await Promise.all([lengthOf(sides.ours, ours, list), lengthOf(sides.bare, bare, list)]);
  const [a = 0, b = 0] = lengths;
  if (b === 0 || a < b) throw new Error(`${what}: ${a} and ${b} ${list}`);
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

export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
