import { expect, it, onTestFinished, vi } from "vitest";
import { type Database, db, prepared, type Query } from "@/server/db/client";
import { run, runOne, type Statement } from "@/server/db/statement";
import { profilesWithCalendars } from "@/server/services/profiles/profiles.sql";
import { insertSignal } from "@/server/store/channels/outbox.sql";
import { insertTestDelivery, testedChannel } from "@/server/store/channels/test-delivery.sql";
import { insertTogether } from "@/server/store/event-writes/insert-together.sql";
import { eventsToWrite } from "@/server/store/event-writes/write-event.sql";
import { eventsByName, eventsWithoutName, renameEvents, storedEtags } from "@/server/store/events/received.sql";
import { bearerStatement, bearersStatement, readerStatement, readersStatement } from "@/server/store/grants/bearer.sql";
import { skippedEtags } from "@/server/store/mailboxes/skipped-resources.sql";
import { markPolledStatement, staleStatement } from "@/server/store/mailboxes/stale-calendars.sql";
import { dueWatchesStatement, unwatchedStatement } from "@/server/store/mailboxes/watches.sql";
import { usableToken } from "@/server/store/profiles/profiles.sql";
import { endWrite, lockCalendarOfWrite } from "@/server/store/provider-writes/provider-writes.sql";
import { claimNewProfiles, claimProfiles } from "@/server/sync/claim-profiles";
import { nextProfile } from "@/server/sync/claim-profiles.sql";
import { releaseProfile } from "@/server/sync/finish-sync.sql";
import { providerSlots } from "@/server/sync/provider-slots";
import { resumeGivenUp } from "@/server/sync/retry-writes.sql";
import { claim, type DeliveryClaim, type Receiver, receiverKey } from "@/server/webhooks/claim";
import { MOST_AT_ONCE, makeReady } from "@/server/webhooks/claim.sql";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { insertDeliveries, lockOpenChannels } from "@/server/webhooks/fan-out.sql";
import { type Outcome, storeOutcomes } from "@/server/webhooks/outcomes";
import { ownDatabase } from "../api/own-database";
import { startReceivers } from "../rig/receivers";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

/** PostgreSQL plans a prepared statement again each time when it believes that the plan for any values would be worse. */
const CLAIMS = 12;
const HOSTS = 20;
const EACH = 200;
const BACKLOG_EACH = 25;
const PATIENCE_MS = 60_000;

it("claims and outcomes are not planned again each time", async () => {
  const urls = Array.from({ length: HOSTS }, (_, i) => `https://h${i}.acme.io/hook`);
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  await seedDeliveries(db(), await seedChannels(db(), { accountId, urls }), EACH);
  await db().query("ANALYZE deliveries, channels");
  const kept = await db().transaction(async (query) => {
    const one = on(query);
    const receivers = await query<Receiver>('SELECT DISTINCT application_id AS "applicationId", host FROM deliveries');
    const limits = Object.fromEntries(receivers.map((receiver) => [receiverKey(receiver), 5]));
    for (let i = 0; i < CLAIMS; i++) {
      await runOne(query, makeReady, [null]);
      const claimed = await claim(one, { most: 10, limits });
      expect(claimed).toHaveLength(10);
      await storeOutcomes(one, claimed.map(delivered), () => 0);
    }
    return await query<{ name: string; kept: number; anew: number }>(
      `SELECT name, generic_plans::int AS kept, custom_plans::int AS anew FROM pg_prepared_statements
WHERE name IN ('claim deliveries', 'make deliveries ready', 'store outcomes') ORDER BY name`,
    );
  });
  const most = 5; // what PostgreSQL tries before it keeps one
  expect(kept).toEqual([
    { name: "claim deliveries", kept: CLAIMS - most, anew: most },
    { name: "make deliveries ready", kept: CLAIMS - most, anew: most },
    { name: "store outcomes", kept: CLAIMS - most, anew: most },
  ]);
  const [row] = await db().query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE state = 'delivered'");
  expect(row?.n).toBe(CLAIMS * 10);
});

it.each([
  ["bearer of a token", bearerStatement, 1],
  ["bearer of a token, of many", bearersStatement, 9],
  ["reader of a token", readerStatement, 1],
  ["reader of a token, of many", readersStatement, 9],
])("the look-up of a token is planned once for each connection: %s", async (name, lookUp: Statement<object>, most) => {
  const kept = await db().transaction(async (query) => {
    for (let i = 0; i < CLAIMS; i++) await run(query, lookUp, [Buffer.alloc(32 * (1 + (i % most))), new Date()]);
    return await query<{ kept: number }>(
      "SELECT generic_plans::int AS kept FROM pg_prepared_statements WHERE name = $1",
      [name],
    );
  });
  expect(kept).toEqual([{ kept: CLAIMS - 5 }]);
});

it("the statement of many new events is planned once for each connection", async () => {
  const kept = await db().transaction(async (query) => {
    for (let i = 0; i < CLAIMS; i++) await run(query, insertTogether, [JSON.stringify(Array(i).fill({}))]);
    return await query<{ kept: number }>(
      "SELECT generic_plans::int AS kept FROM pg_prepared_statements WHERE name = 'insert events'",
    );
  });
  expect(kept).toEqual([{ kept: CLAIMS - 5 }]);
});

it("the read of many writes is planned once for each connection", async () => {
  const kept = await db().transaction(async (query) => {
    for (let i = 0; i < CLAIMS; i++) await run(query, eventsToWrite, Array(3).fill(Array(i).fill("none")));
    return await query<{ kept: number }>(
      "SELECT generic_plans::int AS kept FROM pg_prepared_statements WHERE name = 'events to write'",
    );
  });
  expect(kept).toEqual([{ kept: CLAIMS - 5 }]);
});

/** Planning a claim takes longer than the claim. */
it.each([
  ["claim profiles", claimProfiles, false],
  ["claim first syncs", claimNewProfiles, true],
])("the claims of syncs are not planned again each time: %s", async (name, claimed, isFirst) => {
  const application = await seedApplication(db());
  const { profileId } = await mailboxes(application);
  await db().query(
    "UPDATE profile_syncs SET readable = true, first_sync = $2, sync_due_at = clock_timestamp() WHERE profile_id = ANY ($1)",
    [profileId, isFirst],
  );
  await db().query("ANALYZE profiles, profile_syncs");
  const kept = await db().transaction(async (query) => {
    const slots = providerSlots(2).free(["google", "microsoft", "icloud"]);
    for (let i = 0; i < CLAIMS; i++) expect((await claimed(on(query), slots)).length).toBeGreaterThan(0);
    return await query<{ kept: number }>(
      "SELECT generic_plans::int AS kept FROM pg_prepared_statements WHERE name = $1",
      [name],
    );
  });
  expect(kept).toEqual([{ kept: CLAIMS - 5 }]);
});

const released = [null, 0, false, null, true, 1000, 0, false, false, null, 60_000];

it.each<[string, Statement<object>, (id: string) => unknown[]]>([
  ["release profile", releaseProfile, (id) => [id, "lease", ...released]],
  ["next profile", nextProfile, () => [null, ["google", "icloud"], ["google", "icloud"], [false, true]]],
  ["mark polled", markPolledStatement, (id) => [id, "[]", null, 1]],
  ["stale", staleStatement, (id) => [id, true, null, 1]],
  ["skipped etags", skippedEtags, (id) => [id, ["theirs-1"]]],
  ["unwatched", unwatchedStatement, (id) => [id]],
  ["due watches", dueWatchesStatement, (id) => [id, null]],
  ["stored etags", storedEtags, (id) => [id, ["theirs-1"]]],
  ["events by name", eventsByName, (id) => [id, ["theirs-1"], new Date().toISOString()]],
  ["events without name", eventsWithoutName, (id) => [id, ["theirs-1"], new Date().toISOString()]],
  ["rename events", renameEvents, (id) => [id, JSON.stringify([{ id: "none", external_id: "theirs-1" }])]],
  ["usable token", usableToken, (id) => [id, 0, null]],
  ["resume given up", resumeGivenUp, (id) => [null, id]],
])("what a sync asks is not planned again each time: %s", async (name, asked, values) => {
  const { profileId } = await mailboxes(await seedApplication(db()));
  await db().query("ANALYZE profiles, profile_syncs, calendars, events");
  const kept = await db().transaction(async (query) => {
    for (let i = 0; i < CLAIMS; i++) await run(query, asked, values(profileId[i] ?? ""));
    return await query<{ kept: number }>(
      "SELECT generic_plans::int AS kept FROM pg_prepared_statements WHERE name = $1",
      [name],
    );
  });
  expect(kept).toEqual([{ kept: CLAIMS - 5 }]);
});

it.each<[string, Statement<object>, (account: string) => unknown[]]>([
  ["profiles with calendars", profilesWithCalendars, (account) => [account]],
  ["insert signal", insertSignal, (account) => ["change", account, "cal_1", {}, null, 1]],
  ["lock calendar of write", lockCalendarOfWrite, () => [1]],
  ["end write", endWrite, () => [1]],
  ["lock open channels", lockOpenChannels, (account) => [[account]]],
  ["insert deliveries", insertDeliveries, () => ["[]", null]],
  ["tested channel", testedChannel, (account) => ["chn_none", account, null]],
  ["insert test delivery", insertTestDelivery, () => ["whd_1", "chn_none", "app_1", "{}", "acme.io", new Date()]],
])(
  "what reads an account, writes to a provider and makes deliveries is not planned again each time: %s",
  async (name, asked, values) => {
    const { accountId } = await seedAccount(db(), await seedApplication(db()));
    await db().query("ANALYZE accounts, channels, profiles, calendars, provider_writes");
    const kept = await db().transaction(async (query) => {
      for (let i = 0; i < CLAIMS; i++) await run(query, asked, values(accountId));
      return await query<{ kept: number }>(
        "SELECT generic_plans::int AS kept FROM pg_prepared_statements WHERE name = $1",
        [name],
      );
    });
    expect(kept).toEqual([{ kept: CLAIMS - 5 }]);
  },
);

/** The service opens its database in the front door, while Next has copies of the statements and of this module of its own. */
it("a statement is prepared on a database that another copy of the module opened", async () => {
  const opened = db();
  vi.resetModules();
  const copy = await import("@/server/db/client");
  expect(copy.prepared).not.toBe(prepared);
  const one = copy.prepared("of another copy", "SELECT 1 AS one");
  const names = await opened.transaction(async (query) => {
    await query(one);
    return await query<{ name: string }>("SELECT name FROM pg_prepared_statements WHERE name = 'of another copy'");
  });
  expect(names).toHaveLength(1);
});

it.each([
  { isServer: true, waits: "off" },
  { isServer: false, waits: "on" },
])("outcomes wait for the disk where nobody else writes it: %o", async ({ isServer, waits }) => {
  const [row] = await db().transaction(async (query) => {
    const claimed = await claim(on(query), { most: 1 });
    expect(claimed).toHaveLength(1);
    await storeOutcomes({ ...on(query), isServer }, claimed.map(delivered), () => 0);
    return await query<{ waits: string }>("SELECT current_setting('synchronous_commit') AS waits");
  });
  expect(row).toEqual({ waits });
});

/** PostgreSQL keeps the plan of an empty queue, which reads all of it for each host, until it is told that the queue is not empty. */
it("claims that find a backlog are planned for it, whatever their plan was", async () => {
  const receivers = await startReceivers(HOSTS);
  onTestFinished(receivers.close);
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const channels = await seedChannels(db(), { accountId, urls: receivers.urls });
  await db().query("TRUNCATE deliveries");
  await db().query("VACUUM ANALYZE deliveries");
  await db().transaction(async (query) => {
    const { drain } = dispatcher({ db: () => on(query), allowedOrigins: receivers.origins });
    const readsAll = async () => {
      const plan = await query<Record<string, string>>(
        `EXPLAIN EXECUTE "claim deliveries" (NULL, '', 10, '{}', '', '{}', '{}', ${MOST_AT_ONCE})`,
      );
      return plan.some((line) => Object.values(line).join().includes("Seq Scan on deliveries_queue"));
    };
    for (let i = 0; i < CLAIMS; i++) await claim(on(query), { most: 10 });
    expect(await readsAll()).toBe(true);
    await seedDeliveries(db(), channels, BACKLOG_EACH);
    await drain(PATIENCE_MS);
    expect(await readsAll()).toBe(false);
  });
  const [row] = await db().query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE state = 'delivered'");
  expect(row?.n).toBe(HOSTS * BACKLOG_EACH);
});

/** Many of one application, connected and never synced. */
async function mailboxes(clientId: string): Promise<{ profileId: string[] }> {
  const { accountId } = await seedAccount(db(), clientId);
  const rows = await db().query<{ id: string }>(
    `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential)
SELECT a.id || n, a.id, a.application_id, 'google', 'google', a.id || n, 'Anna', 'sealed' FROM accounts a, generate_series(1, 400) n WHERE a.id = $1 RETURNING id`,
    [accountId],
  );
  return { profileId: rows.map(({ id }) => id) };
}

/** The database, but every statement on one connection: statements are prepared for each. */
function on(query: Query): Database {
  return { ...db(), query, transaction: (work) => work(query, db().prisma) };
}

function delivered({ id, lease, attempt, scheduled, manual, channelId }: DeliveryClaim): Outcome {
  const about = { id, lease, attempt, scheduled, manual, channelId, verdict: "delivered" as const };
  const answer = { status: 200, errorClass: null, address: "127.0.0.1", responseHeaders: {}, responseBody: "" };
  return { ...about, ...answer, startedAt: 0, durationMs: 1 };
}
