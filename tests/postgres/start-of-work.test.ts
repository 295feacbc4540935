import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { type Jobs, openJobs } from "@/server/jobs/start";
import { forgetLoops } from "@/server/jobs/work-kinds";
import { ownDatabase } from "../api/own-database";
import { holdEventLoop } from "../fakes/held-event-loop";
import { startReceivers } from "../rig/receivers";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "../rig/seed";

const CALM_WITHIN_MS = 1_000;

const receivers = await startReceivers(1);
// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({
  BASE_URL: "http://api.almanac.localhost",
  CALLBACK_ALLOWED_ORIGINS: receivers.origins.join(","),
}));

let jobs: Jobs;
let ids: string[] = [];

beforeAll(async () => {
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const channels = await seedChannels(db(), { accountId, urls: receivers.urls });
  ids = await seedDeliveries(db(), channels, 3);
});

afterAll(() => receivers.close());

afterEach(async () => {
  await jobs.drain();
  await jobs.end();
  forgetLoops(); // a loop that was stopped stays so
});

const claims = async () =>
  (await db().query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE attempts > 0"))[0]?.n;

it("a process that is told to end before its work began claims nothing, whatever has woken it", async () => {
  jobs = openJobs();
  wake("deliver", 0);
  await jobs.drain();
  await jobs.begin();
  expect(await claims()).toBe(0);
});

it("one that is told to end while it begins claims nothing either", async () => {
  jobs = openJobs();
  wake("deliver", 0);
  const begun = jobs.begin();
  await Promise.all([jobs.drain(), begun]);
  expect(await claims()).toBe(0);
});

it("work begins when timers keep their time, with what has woken the process before, and four connections stay open", async () => {
  const holding = setInterval(() => holdEventLoop(30), 1);
  const opened = Date.now();
  jobs = openJobs();
  wake("deliver", 0);
  await jobs.begin();
  clearInterval(holding);
  await expect.poll(() => receivers.posts.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(Math.min(...receivers.posts.map(({ at }) => at)) - opened).toBeGreaterThanOrEqual(CALM_WITHIN_MS);
  expect(db().connections().total).toBeGreaterThanOrEqual(4);
});
