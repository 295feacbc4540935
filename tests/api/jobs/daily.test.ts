import { beforeEach, expect, it } from "vitest";
import { BATCH } from "@/server/db/batches";
import { db } from "@/server/db/client";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { addAttempt, addChannels, addDeliveries, storedDeliveries } from "../../fakes/stored-deliveries";
import { dropCodes } from "../../fakes/stored-grants";
import { dayFromNow } from "../dates";
import { connectAccount, connectedWithTokens, issueCode } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { storedRows } from "../stored-rows";
import { type RunningJobs, runJobs } from "./run-jobs";

const DAY = 86_400_000;

let clock: FakeClock | undefined;
let jobs: RunningJobs;

ownDatabase(() => ({ LOG_LEVEL: "fatal" }));
beforeEach(async () => {
  clock = fakeClock(clock?.now()); // nights pass one after another
  jobs = await runJobs();
});

/** A day later, whatever the time of the day: one night has passed. */
async function nextNight() {
  clock?.advance(DAY);
  await jobs.settle();
}

it("once a day drops request logs that have expired, and keeps the others", async () => {
  const [expired, living] = [dayFromNow(-40), dayFromNow(2)];
  for (const day of [expired, living]) await storePartition(day);
  await nextNight();
  const partitions = await db().query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relname LIKE 'request_logs_2%'",
  );
  const names = partitions.map(({ name }) => name);
  expect(names).toContain(partitionOf(living));
  expect(names).not.toContain(partitionOf(expired));
});

it("once a day drops codes that expired over a day ago", async () => {
  const application = await newApplication();
  const account = await connectedWithTokens(application);
  await dropCodes(account.accountId);
  await issueCode(application, account, { issuedAt: Date.now() - 3 * DAY });
  await issueCode(application, account);
  await nextNight();
  expect((await storedRows(application)).codes).toHaveLength(1);
});

it("once a day drops deliveries made more than 30 days ago, with their attempts", async () => {
  const application = await newApplication();
  const [channel = ""] = await addChannels((await connectAccount(application)).accountId);
  const made = [31, 29].map((days) => new Date(Date.now() - days * DAY));
  const ids = await addDeliveries(
    channel,
    made.map((at) => ({ state: "delivered" as const, createdAt: at, finishedAt: at })),
  );
  for (const [n, id] of ids.entries()) await addAttempt(id, 1, made[n] as Date);
  await nextNight();
  expect((await storedDeliveries({ channelId: channel })).map(({ id }) => id)).toEqual([ids[1]]);
  expect((await storedRows(application)).attempts).toHaveLength(1);
});

it("once a day drops however many deliveries there are, in as many pieces as that takes", async () => {
  const [channel = ""] = await addChannels((await connectAccount(await newApplication())).accountId);
  const old = new Date(Date.now() - 31 * DAY);
  const made = { state: "delivered" as const, createdAt: old, finishedAt: old };
  await addDeliveries(channel, Array(2 * BATCH + 1).fill(made));
  const began = clock?.monotonic() ?? 0;
  let looks = 0;
  // Whenever it is looked at, a minute has passed: no piece goes on after its first batch.
  Object.assign(clock ?? {}, { monotonic: () => began + 60_000 * ++looks });
  await nextNight();
  expect(await storedDeliveries({ channelId: channel })).toEqual([]);
});

it("once a day forgets hosts that nothing was sent to for 30 days", async () => {
  const hosts = [31, 29].map((days) => ({
    host: `daily-${days}.acme.io`,
    claimedAt: new Date(Date.now() - days * DAY),
  }));
  await db().prisma.deliveryHost.createMany({ data: hosts });
  await nextNight();
  const left = await db().prisma.deliveryHost.findMany({ where: { host: { startsWith: "daily-" } } });
  expect(left.map(({ host }) => host)).toEqual(["daily-29.acme.io"]);
});

function partitionOf(day: string): string {
  return `request_logs_${day.replaceAll("-", "")}`;
}

async function storePartition(day: string): Promise<void> {
  const name = partitionOf(day);
  await db().transaction(async (query) => {
    await query(`CREATE TABLE ${name} (LIKE request_logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await query(
      `INSERT INTO ${name} (id, expires_on, request_id, at, method, path, status, duration_ms, detail)
VALUES (gen_random_uuid(), $1, 'test-kept', now(), 'GET', '/v1/nothing', 404, 1, '{}')`,
      [day],
    );
    await query(`ALTER TABLE request_logs ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAfter(day)}')`);
  });
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}
