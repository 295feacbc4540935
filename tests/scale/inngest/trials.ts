import { randomBytes } from "node:crypto";
import { processorTime } from "@/tests/bench/processor-time";
import type { Seeded } from "@/tests/bench/seed";
import { openChannel } from "@/tests/faults/client";
import type { Field, Row } from "@/tests/faults/field";
import type { Receivers } from "@/tests/faults/receivers";
import type { Running } from "@/tests/faults/service";
import { passed, percentile, seconds, until } from "@/tests/faults/until";
import type { Balancer } from "@/tests/scale/inngest/balancer";
import type { InngestServer } from "@/tests/scale/inngest/inngest-server";
import { SERVER } from "@/tests/scale/server";

/** Each kind of work, the sweep, the hour's chores, each of the day's, bulk retries and what stops them, deleted applications, and alerts. */
const FUNCTIONS = 18;
const CHORES = [
  "continue-series",
  "drop-expired-request-logs",
  "drop-expired-tokens",
  "drop-old-deliveries",
  "drop-old-request-counts",
  "drop-old-staff-rows",
  "prepare-delivery-days",
].map((id) => `almanac-${id}`);
const OPENED = 20;
/** Rarely, so that events are what wakes workers. */
export const SWEEP_SECONDS = 60;
const PATIENCE_MS = 120_000;
const SWEPT_MS = (SWEEP_SECONDS + 10) * 1_000;
const AWAY_MS = Number(process.env.INNGEST_AWAY_SECONDS ?? 600) * 1_000;
const LOAD_EVERY_MS = 2_000;
const BURST = 500;

/** What the parts have in common. */
export interface Run {
  field: Field;
  inngest: InngestServer;
  balancer: Balancer;
  receivers: Receivers;
  /** Channels whose notifications are answered with 500 the first time. */
  refused: Set<string>;
  web: string;
  /** Starts a worker with keys; its name is its place. */
  worker(name: string, keys: Record<string, string>): Promise<Running>;
  running: Map<string, Running>;
  opened: Map<string, number>;
  note(what: string): void;
  rows: Row[];
}

export async function registered({ inngest, rows, note }: Run): Promise<void> {
  const known = async () => {
    const { apps } = await inngest.ask<{ apps: { name: string; functionCount: number; connected: boolean }[] }>(
      "{ apps { name connected functionCount } }",
    );
    return apps.find(({ name, connected }) => name === "almanac" && connected)?.functionCount ?? 0;
  };
  await until(async () => (await known()) === FUNCTIONS, { within: PATIENCE_MS, what: "the registration" });
  note(`the server knows ${FUNCTIONS} functions`);
  rows.push({ fault: "Inngest: functions registered", measured: `${await known()}`, limit: `${FUNCTIONS}`, ok: true });
}

/** An account may have a hundred channels: what opens many changes accounts in time. */
const CHANNELS_EACH = 50;

/** Opens a channel, and keeps when. */
async function opens({ field, web, receivers, opened }: Run): Promise<{ channel: string; began: number }> {
  if (opened.size % CHANNELS_EACH === 0) current.set(field, await field.newAccount());
  const began = Date.now();
  const channel = await openChannel(web, current.get(field) ?? field.account, receivers.urls[0] ?? "");
  opened.set(channel, began);
  return { channel, began };
}

const current = new WeakMap<Field, Seeded>();

/** From the request that opens a channel to the verification at its callback URL, which an event has to wake a worker for. */
async function verified(run: Run, within: number): Promise<number> {
  const { channel, began } = await opens(run);
  const find = () => run.receivers.posts.find(({ channelId }) => channelId === channel);
  await until(() => find() !== undefined, { within, what: "a verification" });
  return (find()?.at ?? 0) - began;
}

export async function events(run: Run): Promise<void> {
  await verified(run, SWEPT_MS);
  run.balancer.calls.length = 0;
  const waits: number[] = [];
  for (let i = 0; i < OPENED; i += 1) waits.push(await verified(run, SWEPT_MS));
  const called = new Set(run.balancer.calls.flatMap(({ worker }) => worker ?? []));
  run.note(`${OPENED} channels were opened, their workers woken by events`);
  run.rows.push({
    fault: `Inngest: from POST /v1/channels to the verification, ${OPENED} times`,
    measured: `p50 ${percentile(waits, 0.5)} ms, longest ${Math.max(...waits)} ms, at ${called.size} workers`,
    limit: "2 s",
    ok: Math.max(...waits) <= 2_000,
  });
}

/** A delivery that failed is due 15 s later: an event with a time in the future wakes a worker then. */
export async function delayed(run: Run): Promise<void> {
  const { field, receivers, refused, rows, note } = run;
  const [channel = ""] = await field.channels([receivers.urls[1] ?? ""]);
  refused.add(channel);
  const [id = ""] = await field.deliveries([channel], 1);
  await verified(run, SWEPT_MS); // wakes a worker for both
  const attempts = () => receivers.posts.filter((post) => post.id === id);
  await until(() => attempts().length > 1, { within: SWEPT_MS, what: "the second attempt" });
  const [first, second] = attempts();
  const wait = (second?.at ?? 0) - (first?.at ?? 0);
  note("a failed delivery was attempted again by an event for later");
  const ok = wait >= 15_000 && wait <= 18_500;
  rows.push({
    fault: "Inngest: wait for a second attempt, by an event for later",
    measured: seconds(wait),
    limit: "15.00 s to 18.50 s",
    ok,
  });
}

/** A call that fails is made again by Inngest, and a run that has failed by an operator. */
export async function retried(run: Run): Promise<void> {
  const { balancer, rows, note } = run;
  balancer.calls.length = 0;
  balancer.fail("almanac-hourly", 1);
  await invoked(run, "almanac-hourly");
  const calls = () => balancer.calls.filter((call) => call.fnId === "almanac-hourly");
  await until(() => calls().some(({ isEnd }) => isEnd), {
    within: PATIENCE_MS * 2,
    what: "a retry of the hour's chores",
  });
  const [first] = calls();
  const done = calls().find(({ isEnd }) => isEnd);
  note("a call that was answered with 500 was made again");
  rows.push({
    fault: "Inngest: a call that failed, until it is made again",
    measured: `${seconds((done?.at ?? 0) - (first?.at ?? 0))}, as attempt ${done?.attempt}, call ${calls().length}`,
    limit: "call 2",
    ok: calls().length === 2,
  });
}

/** Each of the day's chores is a run of its own. */
export async function chores(run: Run): Promise<void> {
  const { balancer, rows, note } = run;
  balancer.calls.length = 0;
  for (const chore of CHORES) await invoked(run, chore);
  const calls = () => balancer.calls.filter(({ fnId }) => CHORES.includes(fnId));
  const ended = () => calls().filter(({ isEnd }) => isEnd).length;
  await until(() => ended() >= CHORES.length, { within: PATIENCE_MS, what: "the end of the day's chores" });
  const workers = new Set(calls().map(({ worker }) => worker));
  note(`the day's chores ran, ${calls().length} calls`);
  rows.push({
    fault: "Inngest: the day's chores, each a run",
    measured: `${ended()} of ${CHORES.length} ended, ${calls().length} calls at ${workers.size} workers`,
    limit: `${CHORES.length}`,
    ok: ended() === CHORES.length,
  });
}

async function invoked({ inngest }: Run, slug: string): Promise<void> {
  await inngest.ask(`mutation { invokeFunction(functionSlug: "${slug}", data: {}) }`);
}

export async function cron({ balancer, rows, note }: Run): Promise<void> {
  balancer.calls.length = 0;
  const call = () =>
    balancer.calls.find(({ fnId, status }) => fnId === "almanac-sweep" && status >= 200 && status < 300);
  await until(() => call() !== undefined, { within: 90_000, what: "the cron of a minute" });
  const late = (call()?.at ?? 0) % 60_000;
  note("the cron of every minute called a worker");
  rows.push({
    fault: "Inngest: the cron of every minute, after the full minute",
    measured: seconds(late),
    limit: "10 s",
    ok: late <= 10_000,
  });
}

/** What a run costs: events that wake work of which there is none, so that all of it is what Inngest and its SDK take. */
export async function burst({ balancer, inngest, running, rows, note }: Run): Promise<void> {
  balancer.calls.length = 0;
  const probe = await processorTime(SERVER);
  if ("cannot" in probe) throw new Error(probe.cannot);
  const workers = [...running.values()].flatMap(({ child }) => child.pid ?? []);
  const server = [inngest.pid() ?? []].flat();
  const spent = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + probe.ofProcess(pid), 0);
  const before = { workers: spent(workers), server: spent(server) };
  const began = Date.now();
  const body = JSON.stringify(Array.from({ length: BURST }, () => ({ name: "almanac/replay", data: {} })));
  const headers = { "content-type": "application/json" };
  await fetch(`${inngest.origin}/e/${inngest.eventKey}`, { method: "POST", headers, body });
  const ended = () => balancer.calls.filter(({ fnId, isEnd }) => fnId === "almanac-replay" && isEnd);
  await until(() => ended().length >= BURST, { within: PATIENCE_MS * 2, what: "the end of all runs" });
  const took = (Math.max(...ended().map(({ at }) => at)) - began) / 1_000;
  const calls = balancer.calls.length / BURST;
  const each = (ms: number) => `${(ms / BURST).toFixed(1)} ms`;
  const cpu = `${each(spent(server) - before.server)} of the server's processor time and ${each(spent(workers) - before.workers)} of the workers' each`;
  await probe.close();
  note(`${BURST} events became as many runs`);
  const measured = `${(BURST / took).toFixed(0)} a second, ${calls.toFixed(1)} calls each, ${cpu}`;
  rows.push({ fault: `Inngest: ${BURST} runs of one step at once`, measured, limit: "", ok: true });
}

/** Somebody opens a channel every other second. Whatever happens in the meantime, each is verified. */
export function startLoad(run: Run) {
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      await opens(run);
      await passed(LOAD_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await ended;
    },
  };
}

export async function workerKilled(run: Run): Promise<void> {
  const { running, balancer, rows, note } = run;
  note("kill -9 of worker-1, one of three");
  await running.get("worker-1")?.end("SIGKILL");
  const waits: number[] = [];
  for (let i = 0; i < OPENED; i += 1) waits.push(await verified(run, SWEPT_MS));
  balancer.workers.delete("worker-1");
  await run.worker("worker-1", {});
  note("worker-1 is ready again");
  const longest = Math.max(...waits);
  rows.push({
    fault: "Inngest: a channel's verification while one worker of three is dead",
    measured: `longest ${longest} ms of ${OPENED}`,
    limit: "2 s",
    ok: longest <= 2_000,
  });
}

/** Workers learn the new key one after the other and keep the old one, then the server changes it, then they forget the old one. */
export async function rotated(run: Run, start: (key: string) => Promise<void>): Promise<void> {
  const { inngest, note, rows } = run;
  const [old, fresh] = [inngest.signingKey, randomBytes(32).toString("hex")];
  const waits: number[] = [];
  const all = async (keys: Record<string, string>) => {
    for (const name of [...run.running.keys()]) {
      await run.running.get(name)?.end();
      run.balancer.workers.delete(name);
      await run.worker(name, keys);
    }
  };
  await all({ INNGEST_SIGNING_KEY: fresh, INNGEST_SIGNING_KEY_FALLBACK: old });
  note("all workers have the new signing key, and accept the old one");
  waits.push(await verified(run, SWEPT_MS));
  await inngest.kill();
  await start(fresh);
  note("the server has the new signing key");
  await registered(run);
  waits.push(await verified(run, SWEPT_MS));
  await all({ INNGEST_SIGNING_KEY: fresh });
  note("no worker accepts the old one");
  waits.push(await verified(run, SWEPT_MS));
  Object.assign(inngest, { signingKey: fresh });
  const longest = Math.max(...waits);
  rows.push({
    fault: "Inngest: a verification in each state of a change of the signing key",
    measured: waits.map((ms) => `${ms} ms`).join(", "),
    limit: "2 s",
    ok: longest <= 2_000,
  });
}

export async function away(run: Run, start: (key: string) => Promise<void>): Promise<void> {
  const { inngest, note, rows } = run;
  await inngest.kill();
  note("kill -9 of the server");
  const back = Date.now() + AWAY_MS;
  const waits: number[] = [];
  while (Date.now() < back) waits.push(await verified(run, SWEPT_MS));
  note(`it was away for ${AWAY_MS / 1_000} s`);
  await start(inngest.signingKey);
  const began = Date.now();
  await registered(run);
  let wait = await verified(run, SWEPT_MS);
  while (wait > 2_000) wait = await verified(run, SWEPT_MS);
  note("workers are woken by events again");
  const longest = Math.max(...waits);
  rows.push({
    fault: `Inngest: server away for ${AWAY_MS / 1_000} s, sweep every ${SWEEP_SECONDS} s: longest wait for a verification`,
    measured: `${seconds(longest)} of ${waits.length}`,
    limit: `${SWEPT_MS / 1_000} s`,
    ok: longest <= SWEPT_MS,
  });
  rows.push({
    fault: "Inngest: from the server's return to the first work that an event woke",
    measured: seconds(Date.now() - began),
    limit: "",
    ok: true,
  });
}

export async function allVerified({ opened, receivers, rows, note }: Run): Promise<void> {
  const posts = () => receivers.posts.filter(({ channelId }) => opened.has(channelId));
  const seen = () => new Set(posts().map(({ channelId }) => channelId));
  await until(() => seen().size === opened.size, { within: SWEPT_MS * 2, what: "the last verification" });
  note(`${opened.size} channels were opened in all, and each is verified`);
  const doubled = posts().length - seen().size;
  rows.push({
    fault: "Inngest, all of this: verifications of channels",
    measured: `${seen().size} of ${opened.size}, ${doubled} doubled`,
    limit: "all, doubled at most what was in flight",
    ok: doubled <= 2,
  });
}
