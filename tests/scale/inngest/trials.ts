import { functions } from "@/server/jobs/background";
import { openChannel } from "@/tests/rig/client";
import { SERVER } from "@/tests/rig/database";
import { percentile, seconds } from "@/tests/rig/durations";
import type { Field } from "@/tests/rig/field";
import { processorTime } from "@/tests/rig/processor-time";
import type { Receivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import type { Seeded } from "@/tests/rig/seed";
import type { Service } from "@/tests/rig/service";
import { passed, until } from "@/tests/rig/until";
import type { Balancer } from "@/tests/scale/inngest/balancer";
import type { InngestServer } from "@/tests/scale/inngest/inngest-server";

const FUNCTIONS = functions.length;
const CHORES = [
  "continue-series",
  "drop-expired-request-logs",
  "drop-expired-tokens",
  "drop-old-deliveries",
  "drop-old-request-counts",
  "drop-old-staff-rows",
  "forget-bookings",
  "prepare-delivery-days",
].map((id) => `almanac-${id}`);
export const OPENED = 20;
/** Rarely, so that a wake-up that is lost is seen. */
export const SWEEP_SECONDS = 60;
export const PATIENCE_MS = 120_000;
export const SWEPT_MS = (SWEEP_SECONDS + 10) * 1_000;
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
  /** Channels whose notifications are not answered. */
  silent: Set<string>;
  web: string;
  /** Starts a worker with keys; its name is its place. */
  worker(name: string, keys: Record<string, string>): Promise<Service>;
  running: Map<string, Service>;
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
  rows.push({ what: "Inngest: functions registered", measured: `${await known()}`, limit: `${FUNCTIONS}`, ok: true });
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

/** From the request that opens a channel to the verification at its callback URL: a web process has to wake a worker. */
export async function verified(run: Run, within: number): Promise<number> {
  const { channel, began } = await opens(run);
  const find = () => run.receivers.posts.find(({ channelId }) => channelId === channel);
  await until(() => find() !== undefined, { within, what: "a verification" });
  return (find()?.at ?? 0) - began;
}

export async function woken(run: Run): Promise<void> {
  await verified(run, SWEPT_MS);
  const waits: number[] = [];
  for (let i = 0; i < OPENED; i += 1) waits.push(await verified(run, SWEPT_MS));
  run.note(`${OPENED} channels were opened`);
  run.rows.push(signalRow("from POST /v1/channels to the verification", waits));
}

/** The way of a signal through two runs. A change has a second more, in which its account may change again. */
export function signalRow(what: string, waits: readonly number[], longestMs = 5_000): Row {
  const [p50, longest] = [percentile(waits, 0.5), Math.max(...waits)];
  return {
    what: `Inngest: ${what}, ${waits.length} times`,
    measured: `p50 ${p50} ms, longest ${longest} ms`,
    limit: `p50 1.5 s, longest ${longestMs / 1_000} s`,
    ok: p50 <= 1_500 && longest <= longestMs,
  };
}

/** From an operator's call of a function to the end of its run. */
export async function ran(run: Run, within = PATIENCE_MS): Promise<number> {
  const began = Date.now();
  const end = () =>
    run.balancer.calls.find(({ fnId, isEnd, at }) => fnId === "almanac-close-visits" && isEnd && at >= began);
  await invoked(run, "almanac-close-visits");
  await until(() => end() !== undefined, { within, what: "the end of a run" });
  return Date.now() - began;
}

const LATER_MS = 5_000;

/** An event with a time in the future begins its run then. */
export async function later({ balancer, inngest, rows, note }: Run): Promise<void> {
  balancer.calls.length = 0;
  const due = Date.now() + LATER_MS;
  await send(inngest, { name: "almanac/round-trip", data: {}, ts: due });
  const call = () => balancer.calls.find(({ fnId, at }) => fnId === "almanac-round-trip" && at > due - LATER_MS / 2);
  await until(() => call() !== undefined, { within: PATIENCE_MS, what: "the run of an event for later" });
  const late = (call()?.at ?? 0) - due;
  note("an event for later began its run");
  rows.push({
    what: "Inngest: a run whose event is for 5 s later, after that time",
    measured: seconds(late),
    limit: "0.00 s to 3.00 s",
    ok: late >= 0 && late <= 3_000,
  });
}

export async function send({ origin, eventKey }: InngestServer, events: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${origin}/e/${eventKey}`, { method: "POST", headers, body: JSON.stringify(events) });
}

/** A delivery that failed is due 15 s later: it is announced then. */
export async function delayed(run: Run): Promise<void> {
  const { field, receivers, refused, rows, note } = run;
  const [channel = ""] = await field.channels([receivers.urls[1] ?? ""]);
  refused.add(channel);
  const [id = ""] = await field.deliveries([channel], 1);
  await verified(run, SWEPT_MS); // wakes workers for both
  const attempts = () => receivers.posts.filter((post) => post.id === id);
  await until(() => attempts().length > 1, { within: SWEPT_MS, what: "the second attempt" });
  const [first, second] = attempts();
  const wait = (second?.at ?? 0) - (first?.at ?? 0);
  note("a failed delivery was attempted again by a run");
  const ok = wait >= 15_000 && wait <= 18_500;
  rows.push({
    what: "Inngest: wait for a second attempt",
    measured: seconds(wait),
    limit: "15.00 s to 18.50 s",
    ok,
  });
}

/** A call that fails is made again by Inngest, and a run that has failed by an operator. */
export async function retried(run: Run): Promise<void> {
  const { balancer, rows, note } = run;
  balancer.calls.length = 0;
  balancer.fail("almanac-close-visits", 1);
  await invoked(run, "almanac-close-visits");
  const calls = () => balancer.calls.filter((call) => call.fnId === "almanac-close-visits");
  await until(() => calls().some(({ isEnd }) => isEnd), {
    within: PATIENCE_MS * 2,
    what: "a retry of the hour's chores",
  });
  const [first, again] = calls();
  note("a call that was answered with 500 was made again");
  const attempts = calls().map(({ attempt, status }) => `attempt ${attempt}: ${status}`);
  rows.push({
    what: "Inngest: a call that failed, until it is made again",
    measured: `${seconds((again?.at ?? 0) - (first?.at ?? 0))} (${attempts.join(", ")})`,
    limit: "as attempt 1, which succeeds",
    ok: again?.attempt === 1 && again.status < 300,
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
    what: "Inngest: the day's chores, each a run",
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
    what: "Inngest: the cron of every minute, after the full minute",
    measured: seconds(late),
    limit: "10 s",
    ok: late <= 10_000,
  });
}

/** What a run costs: events that wake work of which there is none, so that all of it is what Inngest and its SDK take. */
export async function burst({ balancer, inngest, running, rows, note }: Run): Promise<void> {
  balancer.calls.length = 0;
  const probe = await processorTime(SERVER);
  const workers = [...running.values()].flatMap(({ child }) => child.pid ?? []);
  const server = [inngest.pid() ?? []].flat();
  const spent = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + probe.ofProcess(pid), 0);
  const before = { workers: spent(workers), server: spent(server) };
  const began = Date.now();
  await send(
    inngest,
    Array.from({ length: BURST }, () => ({ name: "almanac/round-trip", data: {} })),
  );
  const ended = () => balancer.calls.filter(({ fnId, isEnd }) => fnId === "almanac-round-trip" && isEnd);
  await until(() => ended().length >= BURST, { within: PATIENCE_MS * 2, what: "the end of all runs" });
  const took = (Math.max(...ended().map(({ at }) => at)) - began) / 1_000;
  const calls = balancer.calls.length / BURST;
  const each = (ms: number) => `${(ms / BURST).toFixed(1)} ms`;
  const cpu = `${each(spent(server) - before.server)} of the server's processor time and ${each(spent(workers) - before.workers)} of the workers' each`;
  await probe.close();
  note(`${BURST} events became as many runs`);
  const measured = `${(BURST / took).toFixed(0)} a second, ${calls.toFixed(1)} calls each, ${cpu}`;
  rows.push({ what: `Inngest: ${BURST} runs of one step at once`, measured, limit: "", ok: true });
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

export async function allVerified({ opened, receivers, rows, note }: Run): Promise<void> {
  const posts = () => receivers.posts.filter(({ channelId }) => opened.has(channelId));
  const seen = () => new Set(posts().map(({ channelId }) => channelId));
  await until(() => seen().size === opened.size, { within: SWEPT_MS * 2, what: "the last verification" });
  note(`${opened.size} channels were opened in all, and each is verified`);
  const doubled = posts().length - seen().size;
  rows.push({
    what: "Inngest, all of this: verifications of channels",
    measured: `${seen().size} of ${opened.size}, ${doubled} doubled`,
    limit: "all, doubled at most what was in flight",
    ok: doubled <= 2,
  });
}
