import type { Database } from "@/server/db/client";
import { bareDue } from "@/tests/bench/bare-due";
import { type Cost, costOf, type Used, usedBy } from "@/tests/bench/cost/stage";
import { middle, total, written } from "@/tests/bench/cost/table";
import { median, type Row } from "@/tests/bench/measure";
import { processorTime } from "@/tests/bench/processor-time";
import { startBareSender, startWorker, type Worker } from "@/tests/bench/webhook-process";
import { dropDeliveries, type Listener, seedDue } from "@/tests/bench/webhook-seed";
import { newDatabase } from "@/tests/fakes/new-database";

const HOSTS = 20;
const DELIVERIES = 4_000;
const WARMING = 1_000;
const ROUNDS = 5;
const MINUTE_S = 60;

interface Bench {
  address: string;
  db: Database;
  url: string;
  receivers: { origins: readonly string[] };
  listeners: readonly Listener[];
  say(text: string): void;
}

interface Side {
  worker: Worker;
  /** So many due deliveries, and none beside them. */
  fill(count: number): Promise<void>;
  delivered(): Promise<number>;
  used(): Promise<Used>;
}

/** A backlog at 20 hosts that respond at once, sent by the service and by the bare sender in turns. */
export async function backlogRows(bench: Bench): Promise<Row[]> {
  const { address, db, url, receivers, listeners, say } = bench;
  const probe = await processorTime(address);
  if ("cannot" in probe) throw new Error(probe.cannot);
  const flat = await newDatabase(address, "bare_bench");
  const due = await bareDue(flat.url);
  const [channels, urls] = [listeners.slice(0, HOSTS).map(({ channelId }) => channelId), receivers.origins];
  const [worker, sender] = [startWorker({ url, receivers }, "ours"), startBareSender(flat.url)];
  const ours: Side = {
    ...{ worker, used: () => usedBy(probe, worker.child, url) },
    fill: async (count) => {
      await dropDeliveries(db);
      await seedDue(db, { channels, count, sinceS: MINUTE_S });
      await db.query("VACUUM ANALYZE deliveries");
    },
    delivered: async () => {
      const counted = "SELECT count(*)::int AS n FROM deliveries WHERE state = 'delivered'";
      return (await db.query<{ n: number }>(counted))[0]?.n ?? 0;
    },
  };
  const bare: Side = {
    ...{ worker: sender, used: () => usedBy(probe, sender.child, flat.url) },
    fill: (count) =>
      due.fill(
        count,
        urls.map((origin) => `${origin}/hook`),
      ),
    delivered: due.delivered,
  };
  const taken = { ours: [] as Drained[], bare: [] as Drained[] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const count = round === 0 ? WARMING : DELIVERIES;
      const [theirs, our] = [await drained(bare, count), await drained(ours, count)];
      if (round === 0) continue;
      taken.bare.push(theirs);
      taken.ours.push(our);
      say(
        `Deliveries a second: ${rate(our.ms)}, bare ${rate(theirs.ms)}; ${written(our.cost)}, ${written(theirs.cost)}`,
      );
    }
  } finally {
    for (const { child } of [worker, sender]) child.kill("SIGTERM");
    await due.close();
    await flat.close();
    await probe.close();
  }
  const [a, b] = [median(taken.ours.map(({ ms }) => ms)), median(taken.bare.map(({ ms }) => ms))];
  const [our, theirs] = [middle(taken.ours.map(({ cost }) => cost)), middle(taken.bare.map(({ cost }) => cost))];
  const what = "4,000 due deliveries at 20 hosts";
  return [
    {
      what: `${what}, processor time of each / a bare loop's`,
      ...{ ours: written(our), other: written(theirs), value: total(our) / total(theirs), limit: 5, unit: "×" },
    },
    {
      what: `${what}: the time for all / a bare loop's`,
      ...{ ours: rate(a), other: rate(b), value: a / b, limit: 5, unit: "×" },
    },
  ];
}

interface Drained {
  ms: number;
  cost: Cost;
}

async function drained({ worker, fill, delivered, used }: Side, count: number): Promise<Drained> {
  await fill(count);
  const before = await used();
  const ms = await worker.ask<number>();
  const cost = costOf(before, await used(), count);
  const done = await delivered();
  if (done !== count) throw new Error(`${done} of ${count} deliveries were delivered`);
  return { ms, cost };
}

function rate(ms: number): string {
  return `${((DELIVERIES * 1_000) / ms).toFixed(0)}/s`;
}
