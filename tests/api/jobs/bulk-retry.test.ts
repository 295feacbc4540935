import { beforeEach, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { wakeBulkRetry } from "@/server/db/wake";
import { inngestServer } from "@/server/jobs/background";
import { SERVE_PATH } from "@/server/jobs/client";
import { bulkRetryEvent } from "@/server/jobs/functions/bulk-retry";
import type { JobEvent } from "@/server/jobs/job-function";
import { loopOf } from "@/server/jobs/work-kinds";
import { type PlayedRun, playRun } from "../../fakes/inngest-run";
import { addFailedDeliveries } from "../../fakes/stored-deliveries";
import { auditTrail } from "../../fakes/stored-operators";
import { applicationId } from "../grants";
import { ownReceiver } from "../own-receiver";
import { openCalendar } from "../service";
import { newOperator, type Operator } from "../staff/staff-caller";
import { openChannel, PATIENCE_MS, work } from "../webhooks/world";
import { runJobs } from "./run-jobs";

const KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;

const receiver = ownReceiver({ LOG_LEVEL: "fatal", INNGEST_EVENT_KEY: "a-key", INNGEST_SIGNING_KEY: KEY });
let staff: Operator;
let asked: JobEvent[];

beforeEach(async () => {
  staff = await newOperator("support", "Grace");
  asked = [];
  context.wakeBulkRetry = (id) => void asked.push(bulkRetryEvent(id));
  context.wake = (kind) => void (kind === "deliver" && loopOf("deliver").drain(0));
  onTestFinished(() => {
    context.wakeBulkRetry = undefined;
    context.wake = undefined;
  });
});

/** A run of a function, as an Inngest server drives it. */
function played(functionId: string, event: object): PlayedRun {
  const server = inngestServer();
  if (!server) throw new Error("no Inngest server is configured");
  return playRun(server.handler, { url: `http://almanac.localhost${SERVE_PATH}`, key: KEY, functionId, event });
}

/** A bulk retry of so many failed deliveries, whose event has been sent, with its run. */
async function started(count: number) {
  const owner = await openCalendar();
  const { channel_id: channelId } = await openChannel(owner, receiver.url());
  await work();
  await addFailedDeliveries(channelId, count);
  const came = receiver.got.length;
  const filters = { application: await applicationId(owner.application), state: ["failed" as const] };
  const { id } = await staff.api.deliveries.replays.start({ filters, count });
  const run = played("almanac-bulk-retry", bulkRetryEvent(id));
  return { id, run, got: () => receiver.got.length - came };
}

const get = (id: string) => staff.api.deliveries.replays.get({ id });

/** What an Inngest server calls when somebody has cancelled a run in its dashboard. */
async function cancelled(functionId: string, id: string) {
  const data = { function_id: functionId, run_id: "01", event: { name: "almanac/bulk-retry", data: { id } } };
  return await played("almanac-bulk-retry-cancelled", { name: "inngest/function.cancelled", data }).goOn();
}

it("a bulk retry is one run, whose steps say how far it has come", async () => {
  const { id, run, got } = await started(150);
  wakeBulkRetry(id);
  expect(new Set(asked.map((event) => event.id))).toEqual(new Set([`bulk-retry-${id}`])); // which begin one run
  const done = { state: "done", total: 150, retried: 150 };
  expect(await run.goOn()).toMatchObject({ state: "done", output: done });
  expect(run.steps().at(-1)).toMatchObject(done);
  expect(await get(id)).toMatchObject(done);
  expect(got()).toBe(150);
});

it("the engine of a process does it too", async () => {
  const { id, got } = await started(3);
  const jobs = await runJobs();
  jobs.send(bulkRetryEvent(id));
  jobs.send(bulkRetryEvent(id));
  await jobs.settle();
  expect(await get(id)).toMatchObject({ state: "done", total: 3, retried: 3 });
  expect(got()).toBe(3);
});

it("while a receiver does not respond its run sleeps, and goes on afterwards", async () => {
  let respond: (status: number) => void = () => {};
  const responds = new Promise<number>((resolve) => {
    respond = resolve;
  });
  const { id, run, got } = await started(3);
  receiver.answer(() => responds);
  expect(await run.goOn()).toEqual({ state: "asleep", time: "30s" });
  expect(await get(id)).toMatchObject({ state: "running", retried: 0 });
  respond(200);
  receiver.answer(200);
  await loopOf("deliver").drain(PATIENCE_MS);
  expect(await run.goOn()).toMatchObject({ state: "done" });
  expect(got()).toBe(3);
  expect(await get(id)).toMatchObject({ state: "done", retried: 3 });
});

it("a process that is ending does one piece, and leaves the next to another", async () => {
  onTestFinished(() => {
    context.isDraining = false;
  });
  const { id, run } = await started(3);
  context.isDraining = true;
  expect(await run.goOn()).toEqual({ state: "asleep", time: "1s" });
  context.isDraining = false;
  await loopOf("deliver").drain(PATIENCE_MS);
  expect(await run.goOn()).toMatchObject({ state: "done" });
  expect(await get(id)).toMatchObject({ state: "done", retried: 3 });
});

it("who cancels the run at the Inngest server stops the bulk retry, and the audit log says where", async () => {
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
  const { id } = await started(3);
  expect(await cancelled("almanac-sync", id)).toMatchObject({ state: "done" });
  expect(await get(id)).toMatchObject({ state: "running" });
});

it("a bulk retry that there is no more fails at once, and is not tried again", async () => {
  expect(await played("almanac-bulk-retry", bulkRetryEvent("rpl_none")).goOn()).toEqual({ state: "failed" });
});
