import { type Compared, compared } from "@/tests/bench/cost/requests";
import { openStage, type Pace, type Stage } from "@/tests/bench/cost/stage";
import type { Row } from "@/tests/bench/measure";
import { median } from "@/tests/rig/durations";
import { type Cost, residentMegabytes } from "@/tests/rig/processor-time";
import { passed } from "@/tests/rig/until";

const ACCOUNTS = 200;
const TURNS = 40;
const SECONDS = 0.4;
const WARMING: Warming = { ours: 5, bare: 2 };
/** The accounts' own rate limits fill again. */
const REFILL_MS = 3_000;
const SERVER_MEGABYTES = 450;

/** Seconds of requests before those that are measured: until then the process compiles what it runs, and we have more of that. */
export type Warming = Readonly<Record<"ours" | "bare", number>>;

/** Both sides of a request. */
export interface Comparison {
  ratio: number;
  ours: Cost;
  bare: Cost;
}

/** What a request costs beside a bare server, in processor time of the process and of PostgreSQL. */
export async function costRows(address: string, say: (text: string) => void): Promise<Row[]> {
  say(`Opening ${ACCOUNTS} accounts …`);
  const stage = await openStage(address, ACCOUNTS);
  try {
    const rows: Row[] = [];
    for (const request of compared) {
      say(`${request.what} …`);
      rows.push(rowOf(request, await compare(stage, request, { turns: TURNS, seconds: SECONDS }, WARMING)));
      await passed(REFILL_MS);
    }
    const value = residentMegabytes(stage.ours.child.pid ?? 0);
    const what = "memory of the process after all this";
    return [...rows, { what, ours: `${value.toFixed(0)} MB`, other: "", value, limit: SERVER_MEGABYTES, unit: "MB" }];
  } finally {
    await stage.close();
  }
}

/** Warms both sides, which then take turns. */
export async function compare(stage: Stage, request: Compared, pace: Pace, warming: Warming): Promise<Comparison> {
  await stage.warm(request, "bare", warming.bare);
  await stage.warm(request, "ours", warming.ours);
  const { ours, bare } = await stage.compare(request, pace);
  return { ratio: total(ours) / total(bare), ours, bare };
}

export function middle(costs: readonly Cost[]): Cost {
  return { process: median(costs.map((one) => one.process)), database: median(costs.map((one) => one.database)) };
}

function rowOf({ what, limit }: Compared, { ratio, ours, bare }: Comparison): Row {
  return { what: `${what} / bare`, ours: written(ours), other: written(bare), value: ratio, limit, unit: "×" };
}

export function written(cost: Cost): string {
  return `${total(cost).toFixed(3)} ms (PostgreSQL ${cost.database.toFixed(3)})`;
}

export function total({ process, database }: Cost): number {
  return process + database;
}
