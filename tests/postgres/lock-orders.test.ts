import { expect, it } from "vitest";
import { db, type Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { lockDueReplay } from "@/server/services/staff/deliveries/replays/replays.sql";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";
import { revokeWithin } from "@/server/store/accounts/revoke-account";
import { closeChannel } from "@/server/store/channels/channels";
import { addTestDelivery } from "@/server/store/channels/test-delivery";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { claim } from "@/server/webhooks/claim";
import { connectAccount } from "../api/grants";
import { ownDatabase } from "../api/own-database";
import { newApplication } from "../api/service";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

/** Runs `meanwhile` before the first statement that has these words. */
function pausing(query: Query, words: string, meanwhile: () => Promise<void>): Query {
  let isDone = false;
  return async (text, values) => {
    if (!isDone && text.includes(words)) {
      isDone = true;
      await meanwhile();
    }
    return await query(text, values);
  };
}

async function somebodyWaits(): Promise<void> {
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await db().query(waiting)).length).toBe(1);
}

it("a profile that is disconnected while its account is revoked waits for the account and holds nothing", async () => {
  const { accountId, profileId } = await connectAccount(await newApplication());
  let disconnecting = Promise.resolve(true);
  const isRevoked = await db().transaction((query, prisma) => {
    const paused = pausing(query, "UPDATE deliveries", async () => {
      disconnecting = disconnectProfile(db(), profileId);
      await somebodyWaits();
      await query("SELECT FROM profiles WHERE id = $1 FOR UPDATE NOWAIT", [profileId]);
    });
    return revokeWithin({ query: paused, prisma }, accountId, Date.now());
  });
  expect(isRevoked).toBe(true);
  expect(await disconnecting).toBe(false);
});

it("a claim that begins a replay's tally does not wait for those who work on the replay, who wait for the claim's deliveries", async () => {
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const channels = await seedChannels(db(), { accountId, urls: ["https://h.acme.io/hook"] });
  const [id = ""] = await seedDeliveries(db(), channels, 1);
  await db().query(
    `INSERT INTO replays (id, operator_id, filters, total, taken, due_at, created_at)
SELECT 'rpl_old', 'usr_1', json_build_object('account', $1::text), 1, 1, now(), now()`,
    [accountId],
  );
  await db().query("UPDATE deliveries SET replay_id = 'rpl_old', replay_from = attempts WHERE id = $1", [id]);
  const claimed = await db().transaction(async (query) => {
    await run(query, lockDueReplay, [null]);
    return await claim(db(), { most: 1 });
  });
  expect(claimed).toMatchObject([{ id }]);
  await workReplays(db());
  expect(await db().query("SELECT begun FROM replay_tallies")).toEqual([{ begun: 1 }]);
});

it("a test notification of a channel that is being closed waits for that, and is not made", async () => {
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const [id = ""] = await seedChannels(db(), { accountId, urls: ["https://h.acme.io/hook"] });
  let adding: ReturnType<typeof addTestDelivery> = Promise.resolve(null);
  await db().transaction(async (query) => {
    await closeChannel(query, { accountId, id });
    adding = addTestDelivery(db().query, { id, accountId });
    await somebodyWaits();
  });
  expect(await adding).toBeNull();
  expect(await db().query("SELECT FROM deliveries WHERE channel_id = $1", [id])).toEqual([]);
});
