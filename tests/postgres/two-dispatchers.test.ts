import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { testDatabase } from "@/tests/fakes/test-database";
import { claimsByProcess, noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { type Receivers, startReceivers } from "@/tests/rig/receivers";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";

const HOSTS = 20;
const EACH = 50;

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let receivers: Receivers;

beforeAll(async () => {
  database = await testDatabase();
  // Vite puts its own BASE_URL into the environment of every test.
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost" });
  db = connect(database.url);
  receivers = await startReceivers(HOSTS);
});

afterAll(async () => {
  await receivers.close();
  await db.close();
  await database.close();
});

it(`two dispatchers with pools of their own post ${HOSTS * EACH} deliveries once each, and both do some`, async () => {
  const { accountId } = await seedAccount(db, await seedApplication(db));
  const ids = await seedDeliveries(db, await seedChannels(db, { accountId, urls: receivers.urls }), EACH);
  await noteClaims(db);
  const pools = ["one", "other"].map((name) => connect(named(database.url, name)));
  const both = pools.map((pool) => dispatcher({ db: () => pool, allowedOrigins: receivers.origins }));
  await Promise.all(both.map((one) => one.drain(50_000)));
  await Promise.all(both.map((one) => one.stop()));
  await Promise.all(pools.map((pool) => pool.close()));
  expect(receivers.posts.map(({ id }) => id).sort()).toEqual(ids.sort());
  const left = await db.query("SELECT id FROM deliveries WHERE state <> 'delivered'");
  expect(left).toEqual([]);
  const claims = await claimsByProcess(db);
  expect(claims.one).toBeGreaterThan(0);
  expect(claims.other).toBeGreaterThan(0);
  expect((claims.one ?? 0) + (claims.other ?? 0)).toBe(ids.length);
});
