import { type Compared, compared } from "@/tests/bench/cost/requests";
import { type Cost, openStage, type Stage } from "@/tests/bench/cost/stage";
import { median, type Row } from "@/tests/bench/measure";
import { residentMegabytes } from "@/tests/bench/processor-time";

const ACCOUNTS = 200;
const ROUNDS = 5;
const SECONDS = 3;
/** The accounts' own rate limits fill again. */
const REFILL_MS = 3_000;
const SERVER_MEGABYTES = 450;

export interface Pace {
  seconds: number;
  rounds: number;
}

/** Both sides of a request: medians of the rounds, in which they took turns. */
export interface Comparison {
  ratio: number;
  ours: Cost;
  bare: Cost;
}

/** What a request costs beside a bare server, in processor time of the process and of PostgreSQL. */
export async function costRows(address: string, say: (text: string) => void): Promise<Row[]> {
  say(`Opening ${ACCOUNTS} accounts …`);
  const stage = await openStage(address, ACCOUNTS);
  if ("cannot" in stage) {
    say(`Not measured: what a request costs, because ${stage.cannot}.`);
    return [];
  }
  try {
    const rows: Row[] = [];
    for (const request of compared) {
      say(`${request.what} …`);
      rows.push(rowOf(request, await compare(stage, request, { seconds: SECONDS, rounds: ROUNDS })));
      await new Promise((resolve) => setTimeout(resolve, REFILL_MS));
    }
    const value = residentMegabytes(stage.ours.child.pid ?? 0);
    const what = "memory of the process after all this";
    return [...rows, { what, ours: `${value.toFixed(0)} MB`, other: "", value, limit: SERVER_MEGABYTES, unit: "MB" }];
  } finally {
    await stage.close();
  }
}

/** One round each to warm up, then the rounds, in which both sides take turns. */
export async function compare(stage: Stage, request: Compared, { seconds, rounds }: Pace): Promise<Comparison> {
  await stage.warm(request, "bare", seconds);
  await stage.warm(request, "ours", seconds);
  const [ours, bare]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await stage.measure(request, "bare", seconds));
    ours.push(await stage.measure(request, "ours", seconds));
  }
  const ratios = ours.map((cost, i) => total(cost) / total(bare[i] ?? { process: 0, database: 0 }));
  return { ratio: median(ratios), ours: middle(ours), bare: middle(bare) };
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
