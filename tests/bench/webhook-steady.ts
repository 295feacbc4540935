import type { Database } from "@/server/db/client";
import { written } from "@/tests/bench/cost/table";
import type { Row } from "@/tests/bench/measure";
import { startWorker } from "@/tests/bench/webhook-process";
import { dropDeliveries, type Listener, seedDue, seedListeners } from "@/tests/bench/webhook-seed";
import { percentile } from "@/tests/rig/durations";
import { costOf, type Probe, processorTime, type Used, usedBy } from "@/tests/rig/processor-time";
import { firstPosts, type Post, startReceivers } from "@/tests/rig/receivers";
import type { SideProcess } from "@/tests/rig/side-process";
import { passed, until } from "@/tests/rig/until";

const RECEIVERS = 500;
const ANSWER_AFTER_MS = 100;
const DEAD = 200;
const DEAD_EACH = 5;
const BACKLOG = 10_000;
const PER_SECOND = 1_000;
const TICK_MS = 50;
const TICKS = 200;
const PATIENCE_MS = 120_000;
const WANTED_MS = 1_000;

interface Bench {
  db: Database;
  url: string;
  say(text: string): void;
}

interface Field {
  bench: Bench;
  probe: Probe | null;
  /** Where they all listen. */
  receivers: { origins: readonly string[] };
  healthy: readonly Listener[];
  dead: readonly Listener[];
  posts: Post[];
}

/** What one process delivers to 500 receivers that take 100 ms: a backlog, then 1,000 a second, then the same beside dead receivers. */
export async function steadyRows(bench: Bench): Promise<Row[]> {
  const probe = await processorTime(bench.url).catch(() => null);
  const slow = await startReceivers(RECEIVERS, { answerAfterMs: ANSWER_AFTER_MS });
  const silent = await startReceivers(DEAD, { isDead: () => true });
  try {
    const listeners = await seedListeners(bench.db, RECEIVERS, slow.origins);
    const deadOnes = await seedListeners(bench.db, DEAD, silent.origins);
    await bench.db.query("VACUUM ANALYZE");
    const receivers = { origins: [...slow.origins, ...silent.origins] };
    const field: Field = { bench, probe, receivers, healthy: listeners, dead: deadOnes, posts: slow.posts };
    return [await backlog(field), ...(await steady(field)), ...(await besideDead(field))];
  } finally {
    await probe?.close();
    await Promise.all([slow, silent].map((receivers) => receivers.close()));
  }
}

async function backlog(field: Field): Promise<Row> {
  const { bench, healthy } = field;
  const lasted = await withWorker(field, async (worker) => {
    await dropDeliveries(bench.db);
    await seedDue(bench.db, { channels: healthy.map(({ channelId }) => channelId), count: BACKLOG, sinceS: 60 });
    await bench.db.query("VACUUM ANALYZE deliveries");
    const before = await used(field, worker);
    const lasted = await worker.ask<number>("deliver");
    say(field, "Backlog", { count: BACKLOG, before, after: await used(field, worker) });
    return lasted;
  });
  const what = `${BACKLOG.toLocaleString("en")} due deliveries at ${RECEIVERS} receivers of ${ANSWER_AFTER_MS} ms: 1,000 take`;
  const rate = `${((BACKLOG * 1_000) / lasted).toFixed(0)}/s`;
  return { what, ours: rate, other: "", value: (lasted * 1_000) / BACKLOG, limit: WANTED_MS, unit: "ms" };
}

/** A process that is warm: it has made a claim. */
async function withWorker<T>({ bench, receivers }: Field, work: (worker: SideProcess) => Promise<T>): Promise<T> {
  const worker = startWorker({ url: bench.url, receivers });
  try {
    await dropDeliveries(bench.db);
    await worker.ask<number>("deliver");
    return await work(worker);
  } finally {
    await worker.close();
  }
}

async function steady(field: Field): Promise<Row[]> {
  return waitRows(await withWorker(field, (worker) => arriving(field, worker)), "");
}

async function besideDead(field: Field): Promise<Row[]> {
  const channels = field.dead.map(({ channelId }) => channelId);
  const arrived = await withWorker(field, async (worker) => {
    await seedDue(field.bench.db, { channels, count: DEAD * DEAD_EACH, sinceS: 60 });
    return await arriving(field, worker);
  });
  return waitRows(arrived, ` beside ${DEAD} dead ones`);
}

function waitRows({ waits, perSecond }: Arrived, beside: string): Row[] {
  const p99 = percentile(waits, 0.99);
  const what = `1,000 deliveries a second to ${RECEIVERS} receivers of ${ANSWER_AFTER_MS} ms${beside}`;
  const seconds = (TICKS * TICK_MS) / 1_000;
  const lasted = waits.length / perSecond;
  return [
    {
      what: `${what}, wait before the attempt, p99`,
      ours: ms(p99),
      other: `p50 ${ms(percentile(waits, 0.5))}`,
      value: p99,
      limit: 1_000,
      unit: "ms",
    },
    {
      what: `${what}: the time for those of ${seconds} s`,
      ours: `${perSecond.toFixed(0)}/s`,
      other: "",
      value: lasted * 1_000,
      limit: seconds * 1_100,
      unit: "ms",
    },
  ];
}

interface Arrived {
  waits: number[];
  perSecond: number;
}

/** Deliveries that become due evenly. Each has to arrive, beside whatever else there is. */
async function arriving(field: Field, worker: SideProcess): Promise<Arrived> {
  const { bench, healthy, posts } = field;
  posts.length = 0;
  const due = new Map<string, number>();
  let isOver = false;
  const before = await used(field, worker);
  const began = Date.now();
  const draining = (async () => {
    while (!isOver) await worker.ask<number>("deliver");
  })().catch(() => undefined); // the process is ended while it waits for the dead ones
  for (let tick = 0; tick < TICKS; tick++) {
    const count = (PER_SECOND * TICK_MS) / 1_000;
    const channels = Array.from({ length: count }, (_, i) => healthy[(tick * count + i) % healthy.length]?.channelId);
    for (const { id, at } of await addDue(bench.db, channels)) due.set(id, at);
    await passed(Math.max(0, began + (tick + 1) * TICK_MS - Date.now()));
  }
  const first = () => firstPosts(posts, ({ id }) => id);
  const delivered = "SELECT count(*)::int AS n FROM deliveries WHERE state = 'delivered' AND id = ANY ($1)";
  const areDelivered = async () =>
    first().size >= due.size && (await bench.db.query<{ n: number }>(delivered, [[...due.keys()]]))[0]?.n === due.size;
  await until(areDelivered, { within: PATIENCE_MS, what: `the last of ${due.size} deliveries` });
  const cameAt = new Map([...first()].map(([id, { at }]) => [id, at]));
  const last = Math.max(...cameAt.values());
  const after = await used(field, worker);
  isOver = true;
  void draining;
  say(field, "Steady", { count: due.size, before, after });
  const waits = [...due].map(([id, at]) => (cameAt.get(id) ?? Number.NaN) - at);
  return { waits, perSecond: (due.size * 1_000) / (last - began) };
}

async function addDue(db: Database, channels: readonly (string | undefined)[]): Promise<{ id: string; at: number }[]> {
  return await db.query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, created_at, next_attempt_at)
SELECT i.id, c.id, c.account_id, a.application_id, 'change', json_build_object('id', i.id), split_part(c.callback_url, '/', 3), t.now, t.now
FROM (SELECT clock_timestamp() AS now) t, (SELECT channel, 'whd_' || replace(gen_random_uuid()::text, '-', '') AS id FROM unnest($1::text[]) channel) i
JOIN channels c ON c.id = i.channel JOIN accounts a ON a.id = c.account_id
RETURNING id, (date_part('epoch', created_at) * 1000)::float8 AS at`,
    [channels],
  );
}

async function used({ bench, probe }: Field, { child }: SideProcess): Promise<Used | null> {
  return probe && (await usedBy(probe, [child.pid], bench.url));
}

interface Spent {
  count: number;
  before: Used | null;
  after: Used | null;
}

function say({ bench }: Field, what: string, { count, before, after }: Spent): void {
  if (!before || !after) return;
  bench.say(`${what}: processor time for a delivery ${written(costOf(before, after, count))} (seeding included)`);
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
