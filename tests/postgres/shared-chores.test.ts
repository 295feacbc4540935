import { expect, it } from "vitest";
import { BATCH } from "@/server/db/batches";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import { dropExpiredTokens } from "@/server/store/grants/drop-expired";
import { dropOldDeliveries } from "@/server/webhooks/retention";
import { ownDatabase } from "../api/own-database";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const DAY_MS = 86_400_000;
const LEFT = 100;
const now = () => Date.now() as Instant;

/** So many deliveries of 40 days ago, each with an attempt, and one of today. */
async function seedOld(count: number): Promise<void> {
  await db().query("TRUNCATE deliveries, attempts");
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const [channel = ""] = await seedChannels(db(), { accountId, urls: ["https://h.acme.io/hook"] });
  await seedDeliveries(db(), [channel], count);
  await db().query(
    "UPDATE deliveries SET state = 'delivered', next_attempt_at = NULL, created_at = created_at - interval '40 days'",
  );
  await db().query(
    "INSERT INTO attempts (delivery_id, number, started_at, duration_ms) SELECT id, 1, created_at, 1 FROM deliveries",
  );
  await seedDeliveries(db(), [channel], 1);
}

async function counted(table: "deliveries" | "attempts" | "access_tokens" | "operator_sessions"): Promise<number> {
  const [row] = await db().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return row?.n ?? 0;
}

it("old deliveries go in pieces, one batch at least in each, and with their attempts", async () => {
  await seedOld(BATCH + LEFT);
  expect(await dropOldDeliveries(db(), now(), () => false)).toBe(true);
  expect([await counted("deliveries"), await counted("attempts")]).toEqual([LEFT + 1, LEFT]);
  expect(await dropOldDeliveries(db(), now(), () => false)).toBe(false);
  expect([await counted("deliveries"), await counted("attempts")]).toEqual([1, 0]);
});

it("what another process is deleting is not waited for, and nothing is left when that one does not end it", async () => {
  await seedOld(2 * LEFT);
  await db().transaction(async (query) => {
    await query("SELECT FROM deliveries WHERE created_at < now() - interval '30 days' LIMIT $1 FOR UPDATE", [LEFT]);
    expect(await dropOldDeliveries(db(), now())).toBe(false);
    expect(await counted("deliveries")).toBe(LEFT + 1);
  });
  expect(await dropOldDeliveries(db(), now())).toBe(false);
  expect(await counted("deliveries")).toBe(1);
});

it("two processes that drop the same share the work", async () => {
  await seedOld(4 * BATCH);
  const both = await Promise.all([dropOldDeliveries(db(), now()), dropOldDeliveries(db(), now())]);
  expect(both).toEqual([false, false]);
  expect([await counted("deliveries"), await counted("attempts")]).toEqual([1, 0]);
});

it("expired tokens and sessions go in pieces too, and those that hold stay", async () => {
  const days = (n: number) => new Date(Date.now() + n * DAY_MS);
  const before = [await counted("access_tokens"), await counted("operator_sessions")];
  await db().query(
    `INSERT INTO access_tokens (hash, grant_id, expires_at)
SELECT decode(md5(i::text), 'hex'), (SELECT id FROM grants LIMIT 1), CASE WHEN i = 0 THEN $2::timestamptz ELSE $1 END FROM generate_series(0, $3::int) i`,
    [days(-2), days(1), BATCH + LEFT],
  );
  expect(await dropExpiredTokens(db(), now(), () => false)).toBe(true);
  expect(await dropExpiredTokens(db(), now(), () => false)).toBe(false);
  expect(await counted("access_tokens")).toBe((before[0] ?? 0) + 1);
  expect(await dropOldStaffRows(db(), now(), () => false)).toBe(false);
  expect(await counted("operator_sessions")).toBe(before[1]);
});
