import { randomBytes } from "node:crypto";
import { seconds } from "@/tests/rig/durations";
import { passed, until } from "@/tests/rig/until";
import { bulkRetry, stateOf } from "@/tests/scale/inngest/bulk-retries";
import { type Changes, waitRows } from "@/tests/scale/inngest/changes";
import {
  OPENED,
  PATIENCE_MS,
  type Run,
  ran,
  registered,
  SWEPT_MS,
  signalRow,
  verified,
} from "@/tests/scale/inngest/trials";

const AWAY_MS = Number(process.env.INNGEST_AWAY_SECONDS ?? 600) * 1_000;
const RETRIED_MS = Math.max(AWAY_MS, 180_000);
const BETWEEN_MS = 1_000;
const RUN_LIMIT_MS = 5_000;
/** Another process announces after the one that did, and workers do the work themselves once the server is away. */
const TAKEN_OVER_MS = 10_000;
const AWAY_AFTER_MS = 25_000;
/** How long a balancer takes to notice, and the most that a run may take in all, with the next look. */
const UNHEALTHY_MS = 10_000;
const HUNG_MS = 100_000;

export async function workerKilled(run: Run): Promise<void> {
  const { running, balancer, rows, note } = run;
  note("kill -9 of worker-1, one of three");
  await running.get("worker-1")?.end("SIGKILL");
  const waits: number[] = [];
  for (let i = 0; i < OPENED; i += 1) waits.push(await verified(run, SWEPT_MS));
  const runs: number[] = [];
  for (let i = 0; i < 3; i += 1) runs.push(await ran(run));
  balancer.workers.delete("worker-1");
  await run.worker("worker-1", {});
  note("worker-1 is ready again");
  rows.push(signalRow("a channel's verification after one worker of three died", waits, TAKEN_OVER_MS));
  rows.push(runRow("a run while one worker of three is dead", runs));
}

/** A worker hangs without closing its connections, and is found unhealthy by the balancer. Its runs hold their keys until their time is over. */
export async function workerStopped(run: Run): Promise<void> {
  const { running, balancer, rows, note } = run;
  await verified(run, SWEPT_MS); // its runs linger at some worker
  const name =
    balancer.calls.findLast(({ fnId, worker }) => fnId === "almanac-fan-out-changes" && worker)?.worker ?? "worker-0";
  const hung = running.get(name);
  hung?.child.kill("SIGSTOP");
  const unhealthy = passed(UNHEALTHY_MS).then(() => balancer.workers.delete(name));
  note(`${name} hangs`);
  const waits: number[] = [];
  for (let i = 0; i < OPENED / 2; i += 1) waits.push(await verified(run, HUNG_MS));
  await unhealthy;
  await hung?.end("SIGKILL");
  await run.worker(name, {});
  note(`${name} is ready again`);
  rows.push(signalRow("a channel's verification after a worker of three hung", waits, HUNG_MS));
}

/** Workers learn the new key one after the other and keep the old one, then the server changes it, then they forget the old one. */
export async function rotated(run: Run, start: (key: string) => Promise<void>): Promise<void> {
  const { inngest, note, rows } = run;
  const [old, fresh] = [inngest.signingKey, randomBytes(32).toString("hex")];
  const runs: number[] = [];
  const all = async (keys: Record<string, string>) => {
    for (const name of [...run.running.keys()]) {
      await run.running.get(name)?.end();
      run.balancer.workers.delete(name);
      await run.worker(name, keys);
    }
  };
  await all({ INNGEST_SIGNING_KEY: fresh, INNGEST_SIGNING_KEY_FALLBACK: old });
  note("all workers have the new signing key, and accept the old one");
  runs.push(await ran(run));
  await inngest.kill();
  await start(fresh);
  note("the server has the new signing key");
  await registered(run);
  runs.push(await ran(run));
  await all({ INNGEST_SIGNING_KEY: fresh });
  note("no worker accepts the old one");
  runs.push(await ran(run));
  Object.assign(inngest, { signingKey: fresh });
  rows.push(runRow("a run in each state of a change of the signing key", runs));
}

function runRow(what: string, runs: readonly number[]) {
  return {
    what: `Inngest: ${what}, from its call to its end`,
    measured: runs.map((ms) => `${ms} ms`).join(", "),
    limit: `${RUN_LIMIT_MS / 1_000} s`,
    ok: Math.max(...runs) <= RUN_LIMIT_MS,
  };
}

/** The server dies while a bulk retry is a run of it, and stays away. */
export async function away(run: Run, start: (key: string) => Promise<void>, changes: Changes): Promise<void> {
  const { inngest, note, rows, balancer } = run;
  const underWay = await bulkRetry(run);
  const called = () => balancer.calls.some(({ fnId, at }) => fnId === "almanac-bulk-retry" && at > underWay.began);
  await until(called, { within: PATIENCE_MS, what: "the run of a bulk retry" });
  await inngest.kill();
  note("kill -9 of the server, which runs a bulk retry");
  const from = Date.now();
  const lost = await bulkRetry(run);
  const ends = [underWay, lost].map((retry) => endOf(run, retry));
  const waits: number[] = [];
  while (Date.now() < from + AWAY_MS) {
    waits.push(await verified(run, SWEPT_MS));
    await passed(BETWEEN_MS);
  }
  const to = Date.now();
  note(`it was away for ${AWAY_MS / 1_000} s`);
  balancer.calls.length = 0;
  await start(inngest.signingKey);
  const began = Date.now();
  await registered(run);
  await ran(run);
  const first = Date.now() - began;
  note("a function that an operator called ran");
  const cron = () => balancer.calls.find(({ fnId, status }) => fnId === "almanac-sweep" && status < 300);
  await until(() => cron() !== undefined, { within: PATIENCE_MS, what: "a cron of the server that returned" });
  note("a cron called a worker");
  const how = `server away for ${AWAY_MS / 1_000} s`;
  rows.push(signalRow(`${how}: from POST /v1/channels to the verification`, waits, AWAY_AFTER_MS));
  rows.push(...waitRows(how, await changes.waits(from, to)));
  const [a, b] = await Promise.all(ends);
  rows.push(retryRow(`${how}: a bulk retry that was its run`, a), retryRow(`${how}: a bulk retry begun then`, b));
  rows.push(
    { what: "Inngest: from the server's return to the end of a run", measured: seconds(first), limit: "", ok: true },
    {
      what: "Inngest: from the server's return to the first cron",
      measured: seconds((cron()?.at ?? 0) - began),
      limit: "70 s",
      ok: (cron()?.at ?? 0) - began <= 70_000,
    },
  );
}

/** The server dies, and returns as a new one, which knows no functions. */
export async function wiped(run: Run, start: (key: string) => Promise<void>): Promise<void> {
  const { inngest, note, rows } = run;
  await inngest.kill();
  inngest.wipe?.();
  await start(inngest.signingKey);
  note("kill -9 of the server, which returned without anything that it had stored");
  const began = Date.now();
  const waits: number[] = [];
  for (let i = 0; i < OPENED; i += 1) waits.push(await verified(run, SWEPT_MS));
  rows.push(signalRow("a channel's verification after the server lost what it stored", waits, AWAY_AFTER_MS));
  await registered(run);
  rows.push({
    what: "Inngest: until a server that lost what it stored knows the functions",
    measured: seconds(Date.now() - began),
    limit: "30 s",
    ok: Date.now() - began <= 30_000,
  });
}

interface Ended {
  took: number;
  posts: number;
  deliveries: number;
}

/** When a bulk retry is over, and how often its deliveries were sent. */
async function endOf(run: Run, { id, began }: { id: string; began: number }): Promise<Ended | Error> {
  try {
    await until(async () => (await stateOf(run, id)) === "done", { within: RETRIED_MS, what: "a bulk retry" });
    const left = () =>
      run.field.db.query("SELECT FROM deliveries WHERE replay_id = $1 AND state = 'pending' LIMIT 1", [id]);
    await until(async () => (await left()).length === 0, { within: RETRIED_MS, what: "its deliveries" });
    const took = Date.now() - began;
    const rows = await run.field.db.query<{ id: string }>("SELECT id FROM deliveries WHERE replay_id = $1", [id]);
    const ids = new Set(rows.map((row) => row.id));
    return { took, posts: run.receivers.posts.filter((post) => ids.has(post.id)).length, deliveries: ids.size };
  } catch (error) {
    return error as Error;
  }
}

function retryRow(what: string, ended: Ended | Error | undefined) {
  if (!ended || ended instanceof Error) {
    return { what: `Inngest: ${what}`, measured: String(ended), limit: "it ends", ok: false };
  }
  const { took, posts, deliveries } = ended;
  return {
    what: `Inngest: ${what}, until its end`,
    measured: `${seconds(took)}, ${posts} webhooks of ${deliveries} deliveries`,
    limit: "each once",
    ok: posts === deliveries && deliveries > 0,
  };
}
