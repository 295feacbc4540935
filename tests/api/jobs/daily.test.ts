import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { dayFromNow } from "../dates";
import { connectAccount, connectedWithTokens, issueCode } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
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
  await db().query("DELETE FROM codes WHERE account_id = $1", [account.accountId]);
  await issueCode(application, account, { issuedAt: Date.now() - 3 * DAY });
  await issueCode(application, account);
  await nextNight();
  expect(await db().query("SELECT 1 FROM codes WHERE account_id = $1", [account.accountId])).toHaveLength(1);
});

it("once a day drops deliveries made more than 30 days ago, with their attempts", async () => {
  const account = await connectAccount(await newApplication());
  const channel = newId("chn");
  await db().query(
    "INSERT INTO channels (id, account_id, callback_url, calendar_ids, sealed_secret) VALUES ($1, $2, 'https://hooks.acme.io/', '{}', 'sealed')",
    [channel, account.accountId],
  );
  const made = [31, 29].map((days) => ({ id: newId("whd"), at: new Date(Date.now() - days * DAY) }));
  for (const { id, at } of made) {
    await db().query(
      `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, created_at, finished_at)
SELECT $1, $2, a.id, a.application_id, 'change', '{}', 'hooks.acme.io', 'delivered', $3, $3 FROM accounts a WHERE a.id = $4`,
      [id, channel, at, account.accountId],
    );
    await db().query("INSERT INTO attempts (delivery_id, number, started_at) VALUES ($1, 1, $2)", [id, at]);
  }
  await nextNight();
  const left = await db().query<{ id: string }>("SELECT id FROM deliveries WHERE channel_id = $1", [channel]);
  expect(left.map(({ id }) => id)).toEqual([made[1]?.id]);
  const attempts = await db().query("SELECT 1 FROM attempts WHERE delivery_id = ANY ($1)", [made.map(({ id }) => id)]);
  expect(attempts).toHaveLength(1);
});

function partitionOf(day: string): string {
  return `request_logs_${day.replaceAll("-", "")}`;
}

async function storePartition(day: string): Promise<void> {
  const name = partitionOf(day);
  await db().transaction(async (query) => {
    await query(`CREATE TABLE ${name} (LIKE request_logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await query(
      `INSERT INTO ${name} (id, expires_on, request_id, at, method, path, status, duration_ms, request_headers, response_headers)
VALUES (gen_random_uuid(), $1, 'test-kept', now(), 'GET', '/v1/nothing', 404, 1, '{}', '{}')`,
      [day],
    );
    await query(`ALTER TABLE request_logs ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAfter(day)}')`);
  });
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}
