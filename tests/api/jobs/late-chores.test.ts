import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { functions } from "@/server/jobs/background";
import { choreDone, claimLate, claimTick, openChores, readChoreAges } from "@/server/jobs/chore-state";
import { chores } from "@/server/jobs/chores";
import { openEngine } from "@/server/jobs/engine/engine";
import { choreFunctions } from "@/server/jobs/functions/chores";
import { type Steps, TICK } from "@/server/jobs/job-function";
import { doLateChores, lateChoresDone } from "@/server/jobs/late-chores";
import { log } from "@/server/log";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator } from "../staff/staff-caller";
import { runJobs } from "./run-jobs";

const MINUTE = 60_000;
const DAY = 86_400_000;

ownDatabase(() => ({ LOG_LEVEL: "fatal" }));

/** Five past noon, so that no test comes across a time at which other chores are due. */
const NOON = (Math.floor(Date.now() / DAY) + 1.5) * DAY + 5 * MINUTE;

let clock: FakeClock;
beforeEach(async () => {
  clock = fakeClock(clock?.now() ?? NOON); // one test after another
  await openChores(db());
  for (const id of Object.keys(chores)) await choreDone(db(), id);
});

async function doLate(): Promise<void> {
  doLateChores();
  await lateChoresDone();
}

/** The chores that were done within the last minute. */
async function justDone(): Promise<string[]> {
  return (await readChoreAges()).filter(({ age }) => age < 60).map(({ id }) => id);
}

async function deletedApplication(): Promise<string> {
  const { clientId } = await newApplication();
  const { id, name } = await db().prisma.application.findUniqueOrThrow({ where: { clientId } });
  await (await newOperator("admin")).api.applications.delete({ id, name });
  return id;
}

const isThere = async (id: string) => (await db().prisma.application.count({ where: { id } })) === 1;

it("a chore is done once it is late by twice its interval, though nothing calls for it", async () => {
  const id = await deletedApplication();
  clock.advance(9 * MINUTE);
  await doLate();
  expect(await isThere(id)).toBe(true);
  clock.advance(2 * MINUTE);
  await doLate();
  expect(await isThere(id)).toBe(false);
  expect(await justDone()).toEqual(["erase-deleted-applications"]);
});

it("all that are late are done, one after another", async () => {
  clock.advance(2 * DAY + MINUTE);
  await doLate();
  expect(await justDone()).toEqual(Object.keys(chores).sort());
});

it("of several processes that find a chore late, one gets it", async () => {
  clock.advance(11 * MINUTE);
  const got = await Promise.all(Array.from({ length: 5 }, () => claimLate(db())));
  expect(got.filter((one) => one !== undefined).map(({ id }) => id)).toEqual(["erase-deleted-applications"]);
});

it("one whose process has died is done by another five minutes later", async () => {
  clock.advance(11 * MINUTE);
  expect((await claimLate(db()))?.id).toBe("erase-deleted-applications");
  clock.advance(4 * MINUTE);
  expect(await claimLate(db())).toBeUndefined();
  clock.advance(2 * MINUTE);
  expect((await claimLate(db()))?.id).toBe("erase-deleted-applications");
});

it("one that a process began at its cron's tick and did not end is done by another five minutes later", async () => {
  clock.advance(DAY);
  for (const id of Object.keys(chores)) await choreDone(db(), id);
  clock.advance(MINUTE);
  expect(await claimTick(db(), "drop-old-deliveries", new Date(clock.now()))).toBe(true);
  clock.advance(4 * MINUTE);
  await doLate();
  expect(await justDone()).toEqual([]);
  clock.advance(2 * MINUTE);
  await doLate();
  expect(await justDone()).toEqual(["drop-old-deliveries"]);
});

it("a chore that its function has done is not late", async () => {
  const { settle } = await runJobs();
  clock.advance(9 * MINUTE); // late only after ten, when the sweep would do it beside the function
  await settle();
  expect(await justDone()).toEqual(["erase-deleted-applications"]);
  clock.advance(2 * MINUTE);
  expect(await claimLate(db())).toBeUndefined();
  clock.advance(DAY);
  await settle();
  expect(await justDone()).toEqual(Object.keys(chores).sort());
});

it("of several processes whose crons tick, one does a chore; what they missed is made up for when one starts", async () => {
  const id = await deletedApplication();
  const engines = [await runJobs(), await runJobs()];
  clock.advance(5 * MINUTE);
  const claims = await Promise.all(engines.map(() => claimTick(db(), "continue-series", new Date(clock.now()))));
  expect(claims.filter((isOurs) => isOurs)).toEqual([true]);
  await Promise.all(engines.map((engine) => engine.settle()));
  expect(await isThere(id)).toBe(false);
  const another = await deletedApplication();
  clock.advance(7 * MINUTE);
  const engine = openEngine(functions, log({ module: "jobs" }));
  engine.start(choreFunctions);
  await engine.settle();
  await engine.stop();
  expect(await isThere(another)).toBe(false);
});

it("whoever invokes a chore has it done, however lately it was", async () => {
  const id = await deletedApplication();
  const erase = choreFunctions.find((one) => one.id === "erase-deleted-applications");
  const step: Steps = { run: (_, work) => work(), sleep: async () => {} };
  await erase?.handler({ event: { name: TICK }, step });
  expect(await isThere(id)).toBe(true);
  await erase?.handler({ event: { name: "inngest/function.invoked" }, step });
  expect(await isThere(id)).toBe(false);
});
