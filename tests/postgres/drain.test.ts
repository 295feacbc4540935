import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { testDatabase } from "@/tests/fakes/test-database";
import { claimsByProcess, noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { type Receivers, startReceivers } from "@/tests/rig/receivers";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";
import { killAll, type Service, start } from "@/tests/start/service";

const HOSTS = 20;
const EACH = 60;
/** Few, so that there is work left for the worker that comes last. */
const SLOTS = "20";
/** How long a receiver takes: so many attempts are in progress when a worker is told to end. */
const ANSWER_AFTER_MS = 300;
const PATIENCE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), "almanac-drain-"));
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let receivers: Receivers;

beforeAll(async () => {
  database = await testDatabase();
  receivers = await startReceivers(HOSTS, { answerAfterMs: ANSWER_AFTER_MS });
  // Vite puts its own BASE_URL into the environment of every test.
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost", ENCRYPTION_KEYS });
  db = connect(database.url);
  await noteClaims(db);
});

afterAll(async () => {
  killAll();
  await receivers.close();
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const worker = (name: string): Promise<Service> =>
  start({
    ALMANAC_ROLE: "worker",
    DATABASE_URL: named(database.url, name),
    DATA_DIR: join(folder, name),
    ENCRYPTION_KEYS,
    DELIVERY_SLOTS: SLOTS,
    SWEEP_SECONDS: "1",
    CALLBACK_ALLOWED_ORIGINS: receivers.origins.join(","),
  });

/** Resolves when each of the workers has claimed something. */
const claimed = (...names: string[]) =>
  expect
    .poll(async () => Object.keys(await claimsByProcess(db)), { timeout: PATIENCE_MS })
    .toEqual(expect.arrayContaining(names));

it("workers that are replaced one after the other deliver everything, and each delivery once", async () => {
  const [first, second] = await Promise.all([worker("first"), worker("second")]);
  const { accountId } = await seedAccount(db, await seedApplication(db));
  const channels = await seedChannels(db, { accountId, urls: receivers.urls });
  const ids = await seedDeliveries(db, channels, EACH);
  await claimed("first", "second");
  const inProgress = () => receivers.posts.some(({ answeredAt }) => answeredAt === null);
  await expect.poll(inProgress, { interval: 5, timeout: PATIENCE_MS }).toBe(true);
  const [code, third] = await Promise.all([first.stop(), worker("third")]);
  await claimed("third");
  const codes = [code, await second.stop()];
  await expect
    .poll(async () => await db.query("SELECT id FROM deliveries WHERE state <> 'delivered'"), { timeout: PATIENCE_MS })
    .toEqual([]);
  codes.push(await third.stop());
  expect(codes).toEqual([0, 0, 0]);
  expect(receivers.posts.map(({ id }) => id).sort()).toEqual(ids.sort());
});
