import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { claim, type Receiver, receiverKey } from "@/server/webhooks/claim";
import { median, percentile, type Row } from "@/tests/bench/measure";
import { type OnPost, type Receivers, startReceivers } from "@/tests/bench/receivers";
import { backlogRows } from "@/tests/bench/webhook-backlog";
import type { Causes, Committed } from "@/tests/bench/webhook-causes";
import { fanOutRows } from "@/tests/bench/webhook-fan-out";
import { startWorker, type Worker } from "@/tests/bench/webhook-process";
import { dropDeliveries, type Listener, seedDue, seedListeners } from "@/tests/bench/webhook-seed";
import { steadyRows } from "@/tests/bench/webhook-steady";
import { newDatabase } from "@/tests/fakes/new-database";

const HOSTS = 20;
const MINUTE_S = 60;

/** The lines about notifications, measured on a database of their own on the given PostgreSQL server. */
export async function webhookRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const posts = new Map<string, number>();
  const onPost: OnPost = (body, at) => {
    const { notification, channel } = JSON.parse(body);
    const key = `${notification.type} ${channel.channel_id}`;
    if (!posts.has(key)) posts.set(key, at);
  };
  const database = await newDatabase(address, "almanac_bench");
  const db = connect(database.url);
  const receivers = await startReceivers(HOSTS, onPost);
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    const listeners = await seedListeners(db, WARMING_CAUSES + SIGNALS, receivers.origins);
    await db.query("VACUUM ANALYZE");
    const bench: Bench = { address, db, url: database.url, receivers, listeners, posts, say };
    const rows = [...(await backlogRows(bench)), ...(await waits(bench)), await claims(bench)];
    return [...rows, ...(await fanOutRows(bench)), ...(await steadyRows(bench))];
  } finally {
    receivers.close();
    await db.close();
    await database.close();
  }
}

interface Bench {
  address: string;
  db: Database;
  url: string;
  receivers: Receivers;
  listeners: readonly Listener[];
  /** When the first POST came in, by its type and channel. */
  posts: Map<string, number>;
  say(text: string): void;
}

const WARMING_CAUSES = 20;
const SIGNALS = 300;
const SIGNAL_PACE_MS = 20;
const CHANGES = 60;
const CHANGE_PACE_MS = 50;
const PATIENCE_MS = 30_000;

async function waits(bench: Bench): Promise<Row[]> {
  await dropDeliveries(bench.db);
  bench.posts.clear();
  const worker = startWorker(bench, "causes");
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
    worker.child.kill("SIGTERM");
  }
}

function waitRow(what: string, ms: number, limit: number): Row {
  return { what, ours: `${ms.toFixed(0)} ms`, other: "", value: ms, limit, unit: "ms" };
}

/** Milliseconds from each commit to its POST. */
async function waited({ posts, say }: Bench, worker: Worker, causes: Causes): Promise<number[]> {
  const committed = await worker.ask<Committed>(causes);
  const cameAt = (channelId: string) => posts.get(`${causes.kind} ${channelId}`);
  const end = performance.now() + PATIENCE_MS;
  while (!committed.every(({ channelId }) => cameAt(channelId) !== undefined)) {
    if (performance.now() > end) throw new Error(`a ${causes.kind} was not posted within ${PATIENCE_MS / 1_000} s`);
    await new Promise((passed) => setTimeout(passed, 20));
  }
  const times = committed.map(({ channelId, at }) => (cameAt(channelId) ?? Number.NaN) - at);
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
