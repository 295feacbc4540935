import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { provideEnv } from "@/server/env";
import { measureChannel } from "@/server/services/staff/channels/channels.sql";
import { lastHours } from "@/server/store/deliveries/days";
import { outcomeWriter } from "@/server/webhooks/outcome-writer";
import type { Outcome } from "@/server/webhooks/outcomes";
import { testDatabase } from "@/tests/fakes/test-database";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";

const PROCESSES = 4;
const CHANNELS = 5;
const EACH = 80;
const BATCH = 10;

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  // Vite puts its own BASE_URL into the environment of every test.
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost" });
  db = connect(database.url);
});

afterAll(async () => {
  await db.close();
  await database.close();
});

interface Claimed {
  id: string;
  channelId: string;
}

/** Every fourth one failed; each began a millisecond before the one before it. */
const outcomes = (claimed: readonly Claimed[], now: number): Outcome[] =>
  claimed.map(({ id, channelId }, n) => ({
    ...{ id, channelId, lease: "l", attempt: 1, scheduled: 1, manual: false, errorClass: null, address: null },
    ...(n % 4 === 0 ? { verdict: "again", status: 500 + (n % 100) } : { verdict: "delivered", status: 200 }),
    ...{ startedAt: now - n, durationMs: n, responseHeaders: null, responseBody: null },
  }));

it("processes that store outcomes of the same endpoints at once lose no attempt, and each endpoint has its last failure", async () => {
  const { accountId } = await seedAccount(db, await seedApplication(db));
  const urls = Array.from({ length: CHANNELS }, (_, i) => `https://h${i}.acme.io/hook`);
  const channels = await seedChannels(db, { accountId, urls });
  await seedDeliveries(db, channels, EACH);
  const claimed = await db.query<Claimed>(
    `UPDATE deliveries SET lease = 'l', leased_until = now() + interval '1 minute', attempts = 1 RETURNING id, channel_id AS "channelId"`,
  );
  const now = Date.now();
  const all = outcomes(
    claimed.sort((a, b) => (a.id < b.id ? -1 : 1)),
    now,
  );
  const pools = Array.from({ length: PROCESSES }, () => connect(database.url));
  await Promise.all(
    pools.map(async (pool, process) => {
      const own = all.filter((_, n) => n % PROCESSES === process || n % PROCESSES === (process + 1) % PROCESSES);
      // Each outcome comes from two processes, as of a delivery that both have attempted.
      const writer = outcomeWriter(() => pool);
      for (let i = 0; i < own.length; i += BATCH) await Promise.all(own.slice(i, i + BATCH).map(writer.store));
    }),
  );
  await Promise.all(pools.map((pool) => pool.close()));
  const { from, before } = lastHours(now, 24);
  for (const channel of channels) {
    const own = all.filter(({ channelId }) => channelId === channel);
    const successes = own.filter(({ status }) => status === 200).length;
    expect(await run(db.query, measureChannel, [channel, from, before])).toMatchObject([{ attempts: EACH, successes }]);
    const last = own.find(({ status }) => status !== 200);
    const stored = await db.query("SELECT failed_at AS at, failed_status AS status FROM channels WHERE id = $1", [
      channel,
    ]);
    expect(stored).toEqual([{ at: new Date(last?.startedAt ?? 0), status: last?.status }]);
  }
}, 60_000);
