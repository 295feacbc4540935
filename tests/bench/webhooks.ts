import { claim, type Receiver, receiverKey } from "@/server/webhooks/claim";
import type { Row } from "@/tests/bench/measure";
import { backlogRows } from "@/tests/bench/webhook-backlog";
import type { Causes, Committed } from "@/tests/bench/webhook-causes";
import { fanOutRows } from "@/tests/bench/webhook-fan-out";
import { planRows } from "@/tests/bench/webhook-plans";
import { startWorker } from "@/tests/bench/webhook-process";
import { dropDeliveries, seedDue, seedListeners } from "@/tests/bench/webhook-seed";
import type { Bench } from "@/tests/bench/webhook-sides";
import { steadyRows } from "@/tests/bench/webhook-steady";
import { openDatabase } from "@/tests/rig/database";
import { median, percentile } from "@/tests/rig/durations";
import { firstPosts, startReceivers } from "@/tests/rig/receivers";
import type { SideProcess } from "@/tests/rig/side-process";
import { until } from "@/tests/rig/until";

const HOSTS = 20;
const MINUTE_S = 60;

/** The lines about notifications, measured on a database of their own on the given PostgreSQL server. */
export async function webhookRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const database = await openDatabase(address, "almanac_bench");
  const { db } = database;
  const receivers = await startReceivers(HOSTS);
  try {
    const listeners = await seedListeners(db, WARMING_CAUSES + SIGNALS, receivers.origins);
    await db.query("VACUUM ANALYZE");
    const bench: Bench = { address, db, url: database.url, receivers, listeners, say };
    const rows = [...(await backlogRows(bench)), ...(await planRows(bench)), ...(await waits(bench))];
    rows.push(await claims(bench));
    return [...rows, ...(await fanOutRows(bench)), ...(await steadyRows(bench))];
  } finally {
    await receivers.close();
    await database.close();
  }
}

const WARMING_CAUSES = 20;
const SIGNALS = 300;
const SIGNAL_PACE_MS = 20;
const CHANGES = 60;
const CHANGE_PACE_MS = 50;
const PATIENCE_MS = 30_000;

async function waits(bench: Bench): Promise<Row[]> {
  await dropDeliveries(bench.db);
  bench.receivers.posts.length = 0;
  const worker = startWorker(bench);
  try {
    const causes: Causes = { kind: "verification", listeners: bench.listeners, paceMs: SIGNAL_PACE_MS };
    const atOnce = (await waited(bench, worker, causes)).slice(WARMING_CAUSES);
    const changed = bench.listeners.slice(-CHANGES);
    const coalesced = await waited(bench, worker, { kind: "change", listeners: changed, paceMs: CHANGE_PACE_MS });
    return [
      waitRow("commit to first attempt, p50", percentile(atOnce, 0.5), 250),
      waitRow("commit to first attempt, p99", percentile(atOnce, 0.99), 1_000),
      waitRow("commit to first attempt, changes with their second, p50", percentile(coalesced, 0.5), 1_200),
      waitRow("commit to first attempt, changes with their second, p99", percentile(coalesced, 0.99), 3_000),
    ];
  } finally {
    await worker.close();
  }
}

function waitRow(what: string, ms: number, limit: number): Row {
  return { what, ours: `${ms.toFixed(0)} ms`, other: "", value: ms, limit, unit: "ms" };
}

/** Milliseconds from each commit to its POST. */
async function waited({ receivers, say }: Bench, worker: SideProcess, causes: Causes): Promise<number[]> {
  const committed = await worker.ask<Committed>("cause", causes);
  const first = () =>
    firstPosts(
      receivers.posts.filter(({ type }) => type === causes.kind),
      ({ channelId }) => channelId,
    );
  const areAllPosted = () => {
    const posts = first();
    return committed.every(({ channelId }) => posts.has(channelId));
  };
  await until(areAllPosted, { within: PATIENCE_MS, what: `the last ${causes.kind}` });
  const posts = first();
  const times = committed.map(({ channelId, at }) => (posts.get(channelId)?.at ?? Number.NaN) - at);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  say(`Commit to first attempt, ${times.length} × ${causes.kind}: from ${least} to ${most} ms`);
  return times;
}

const BACKLOG = 20_000;
const CLAIMS = 50;
const CLAIMED = 10;

/** A claim gives the deliveries of ten other hosts, which became due after all of the busy one's. */
async function claims(bench: Bench): Promise<Row> {
  const [busy, ...others] = bench.listeners.slice(0, 11).map(({ channelId }) => channelId);
  if (busy === undefined) throw new Error("there is no channel");
  await dropDeliveries(bench.db);
  await seedDue(bench.db, { channels: others, count: CLAIMED, sinceS: 1 });
  const alone = await claimTimes(bench);
  await seedDue(bench.db, { channels: [busy], count: BACKLOG, sinceS: MINUTE_S });
  await bench.db.query(
    `UPDATE deliveries SET leased_until = clock_timestamp() + interval '1 hour', next_attempt_at = clock_timestamp() + interval '1 hour'
WHERE id IN (SELECT id FROM deliveries WHERE channel_id = $1 LIMIT 5)`,
    [busy],
  );
  const beside = await claimTimes(bench);
  const [a, b] = [median(beside), median(alone)];
  bench.say(`Claims beside a backlog: from ${Math.min(...beside).toFixed(1)} to ${Math.max(...beside).toFixed(1)} ms`);
  const what = "claim of 10 beside 20,000 due at a busy host / beside none";
  return { what, ours: `${a.toFixed(2)} ms`, other: `${b.toFixed(2)} ms`, value: a / b, limit: 40, unit: "×" };
}

async function claimTimes({ db }: Bench): Promise<number[]> {
  await db.query("VACUUM ANALYZE deliveries");
  const receivers = await db.query<Receiver>('SELECT DISTINCT application_id AS "applicationId", host FROM deliveries');
  const limits = Object.fromEntries(receivers.map((receiver) => [receiverKey(receiver), CLAIMED]));
  const times: number[] = [];
  for (let call = -5; call < CLAIMS; call++) {
    const began = performance.now();
    const claimed = await claim(db, { most: CLAIMED, limits });
    const ms = performance.now() - began;
    if (claimed.length !== CLAIMED) throw new Error(`a claim gave ${claimed.length} of ${CLAIMED} deliveries`);
    if (call >= 0) times.push(ms);
    await db.query(
      `UPDATE deliveries SET attempts = 0, lease = NULL, leased_until = NULL, next_attempt_at = clock_timestamp() - interval '1 second'
WHERE id = ANY ($1)`,
      [claimed.map(({ id }) => id)],
    );
  }
  return times;
}
