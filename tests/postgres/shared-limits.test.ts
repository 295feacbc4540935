import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { lockStatement, locks } from "@/server/db/locks";
import { claim, type DeliveryClaim } from "@/server/webhooks/claim";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";
import { openProcesses, type Processes } from "./processes";

const PROCESSES = 4;
const ROUNDS = 15;
const APPLICATIONS = 3;
const OWN_HOSTS = 6;
const EACH = 40;
const MOST_PER_RECEIVER = 5;
const MOST_PER_HOST = 20;

let processes: Processes;
let db: Database;
let pools: Database[];

beforeAll(async () => {
  processes = await openProcesses(PROCESSES);
  ({ db, others: pools } = processes);
});
afterAll(() => processes.close());

/** Due deliveries of three applications at hosts of their own and at one that all of them use. Gives the limits of healthy receivers. */
async function seedDue(): Promise<Record<string, number>> {
  for (let application = 0; application < APPLICATIONS; application++) {
    const { accountId } = await seedAccount(db, await seedApplication(db));
    const own = Array.from({ length: OWN_HOSTS }, (_, i) => `https://h${i}.app${application}.io/hook`);
    await seedDeliveries(db, await seedChannels(db, { accountId, urls: [...own, "https://shared.io/hook"] }), EACH);
  }
  const receivers = await db.query<{ key: string }>(
    "SELECT DISTINCT application_id || ' ' || host AS key FROM deliveries",
  );
  return Object.fromEntries(receivers.map(({ key }) => [key, MOST_PER_RECEIVER]));
}

/** The most attempts under way at once: of one application at a host, and at a host. */
async function underWay(): Promise<{ atReceiver: number; atHost: number }> {
  const [row] = await db.query<{ atReceiver: number; atHost: number }>(
    `WITH n AS (SELECT host, count(*)::int AS n FROM deliveries WHERE leased_until > now() GROUP BY application_id, host)
SELECT max(n) AS "atReceiver", (SELECT max(all_of)::int FROM (SELECT sum(n) AS all_of FROM n GROUP BY host) h) AS "atHost" FROM n`,
  );
  return row ?? { atReceiver: 0, atHost: 0 };
}

it(`${PROCESSES} processes that claim at once keep the limits and claim nothing twice`, async () => {
  const limits = await seedDue();
  const hosts = APPLICATIONS * OWN_HOSTS + 1;
  for (let round = 0; round < ROUNDS; round++) {
    const claimed: DeliveryClaim[] = [];
    const claimAll = async (pool: Database) => {
      for (
        let got = [await claim(pool, { most: 20, limits })];
        got[0]?.length;
        got = [await claim(pool, { most: 20, limits })]
      )
        claimed.push(...got.flat());
    };
    await Promise.all(pools.map(claimAll));
    await claimAll(db); // what the others left because they met there
    const { atReceiver, atHost } = await underWay();
    expect(atReceiver).toBe(MOST_PER_RECEIVER);
    expect(atHost).toBeLessThanOrEqual(MOST_PER_HOST);
    expect(claimed).toHaveLength(APPLICATIONS * OWN_HOSTS * MOST_PER_RECEIVER + APPLICATIONS * MOST_PER_RECEIVER);
    const twice = await db.query("SELECT id FROM deliveries WHERE attempts > 1");
    expect(twice).toEqual([]);
    await db.query(
      "UPDATE deliveries SET attempts = 0, lease = NULL, leased_until = NULL, next_attempt_at = created_at",
    );
    const [row] = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM delivery_hosts");
    expect(row?.n).toBe(hosts);
  }
});

it("a claim waits for one of the version before, which holds the lock of all claims", async () => {
  let isOver = false;
  let claimed: Promise<DeliveryClaim[]> = Promise.resolve([]);
  await db.transaction(async () => {
    claimed = claim(pools[0] ?? db, { most: 20 }).finally(() => {
      isOver = true;
    });
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    await expect.poll(async () => (await db.query(waiting)).length).toBe(1);
    expect(isOver).toBe(false);
  }, locks.deliveryClaims);
  expect((await claimed).length).toBeGreaterThan(0);
  expect(lockStatement(locks.deliveryClaims)).not.toContain("_shared");
});
