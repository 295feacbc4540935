import { beforeEach, expect, it, onTestFinished } from "vitest";
import { wakeBulkRetry } from "@/server/db/wake";
import { startDraining } from "@/server/draining";
import { background } from "@/server/jobs/background";
import { SERVE_PATH } from "@/server/jobs/client";
import { openContract } from "@/server/jobs/executor/contract";
import { bulkRetryEvent } from "@/server/jobs/functions/bulk-retry";
import { deliveries } from "@/server/webhooks/dispatcher";
import { fakeClock } from "../../fakes/clock";
import { addFailedDeliveries } from "../../fakes/stored-deliveries";
import { auditTrail } from "../../fakes/stored-operators";
import { storedRuns } from "../../fakes/stored-runs";
import { applicationId } from "../grants";
import { ownReceiver } from "../own-receiver";
import { openCalendar } from "../service";
import { newOperator, type Operator } from "../staff/staff-caller";
import { openChannel, PATIENCE_MS, work } from "../webhooks/world";
import { type RunningJobs, runJobs } from "./run-jobs";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let staff: Operator;
let jobs: RunningJobs;
let sent: Promise<unknown>[];

beforeEach(async () => {
  staff = await newOperator("support", "Grace");
  jobs = await runJobs();
  sent = [];
  globalThis.almanacBulkRetry = (id) => void sent.push(background().client.send(bulkRetryEvent(id)));
  globalThis.almanacWake = (kind) => void (kind === "deliver" && deliveries().nudge(0));
  onTestFinished(() => {
    globalThis.almanacBulkRetry = undefined;
    globalThis.almanacWake = undefined;
  });
});

/** A bulk retry of so many failed deliveries, whose event has been accepted. */
async function started(count: number) {
  const owner = await openCalendar();
  const { channel_id: channelId } = await openChannel(owner, receiver.url());
  await work();
  await addFailedDeliveries(channelId, count);
  const came = receiver.got.length;
  const filters = { application: await applicationId(owner.application), state: ["failed" as const] };
  const { id } = await staff.api.deliveries.replays.start({ filters, count });
  await Promise.all(sent);
  return { id, got: () => receiver.got.length - came };
}

const runs = async (name: string) => (await storedRuns("almanac")).filter(({ functionId }) => functionId === name);
const get = (id: string) => staff.api.deliveries.replays.get({ id });

/** What an Inngest server calls when somebody has cancelled a run in its dashboard. The embedded executor has no such thing. */
async function cancelled(functionId: string, id: string) {
  const { handler, signingKey } = background();
  const url = `http://almanac.localhost${SERVE_PATH}`;
  const contract = openContract({ handler, signingKey, url, machineTime: () => Date.now(), callLimitMs: 10_000 });
  const data = { function_id: functionId, run_id: "01", event: { name: "almanac/bulk-retry", data: { id } } };
  const event = { id: "02", ts: Date.now(), name: "inngest/function.cancelled", data };
  const steps = new Map();
  const call = { functionId: "almanac-bulk-retry-cancelled", runId: "03", event, steps, attempt: 0, maxAttempts: 6 };
  return await contract.call(call);
}

it("a bulk retry is one run, whose steps say how far it has come", async () => {
  const { id, got } = await started(150);
  wakeBulkRetry(id); // a second event makes no second run
  await Promise.all(sent);
  await jobs.settle();
  expect(await get(id)).toMatchObject({ state: "done", total: 150, retried: 150 });
  expect(got()).toBe(150);
  const [run, ...others] = await runs("almanac-bulk-retry");
  expect(others).toEqual([]);
  expect(run).toMatchObject({ state: "done" });
});

it("while a receiver does not respond its run sleeps, and goes on afterwards", async () => {
  const clock = fakeClock();
  let respond: (status: number) => void = () => {};
  const responds = new Promise<number>((resolve) => {
    respond = resolve;
  });
  const { id, got } = await started(3);
  receiver.answer(() => responds);
  await jobs.settle();
  expect(await get(id)).toMatchObject({ state: "running", retried: 0 });
  const last = async () => (await runs("almanac-bulk-retry")).at(-1);
  const asleep = await last();
  expect(asleep).toMatchObject({ state: "open", lease: null, attempt: 0 });
  expect(asleep?.dueAt.getTime()).toBe(clock.now() + 30_000);
  respond(200);
  receiver.answer(200);
  await deliveries().drain(PATIENCE_MS);
  clock.advance(30_000);
  await jobs.settle();
  expect(got()).toBe(3);
  expect(await get(id)).toMatchObject({ state: "done", retried: 3 });
  expect(await last()).toMatchObject({ id: asleep?.id, state: "done" });
});

it("a process that is ending does one piece, and leaves the next to another", async () => {
  onTestFinished(() => {
    globalThis.almanacDraining = false;
  });
  const clock = fakeClock();
  startDraining();
  const { id } = await started(3);
  await jobs.settle();
  const last = async () => (await runs("almanac-bulk-retry")).at(-1);
  expect(await last()).toMatchObject({ state: "open", lease: null });
  expect((await last())?.dueAt.getTime()).toBe(clock.now() + 1_000);
  globalThis.almanacDraining = false;
  await deliveries().drain(PATIENCE_MS);
  clock.advance(1_000);
  await jobs.settle();
  expect(await get(id)).toMatchObject({ state: "done", retried: 3 });
  expect(await last()).toMatchObject({ state: "done" });
});

it("who cancels the run at the Inngest server stops the bulk retry, and the audit log says where", async () => {
  globalThis.almanacBulkRetry = () => {};
  const { id, got } = await started(3);
  await cancelled("almanac-bulk-retry", id);
  expect(await get(id)).toMatchObject({ state: "cancelled", retried: 0 });
  const [, stopped] = await auditTrail(id);
  expect(stopped).toMatchObject({ action: "replay.cancelled", actor: "Inngest dashboard", detail: { total: 3 } });
  await cancelled("almanac-bulk-retry", id);
  expect(await auditTrail(id)).toHaveLength(2);
  expect(got()).toBe(0);
});

it("the end of another function's run stops nothing", async () => {
  globalThis.almanacBulkRetry = () => {};
  const { id } = await started(3);
  expect(await cancelled("almanac-sync", id)).toEqual({ kind: "returned" });
  expect(await get(id)).toMatchObject({ state: "running" });
});

it("a bulk retry that there is no more fails at once, and is not tried again", async () => {
  await background().client.send(bulkRetryEvent("rpl_none"));
  await jobs.settle();
  const found = (await runs("almanac-bulk-retry")).find(({ event }) => event.includes("rpl_none"));
  expect(found).toMatchObject({ state: "failed", attempt: 1 });
});
