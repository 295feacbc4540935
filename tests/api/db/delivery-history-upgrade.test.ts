import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropOldDeliveries, prepareDays } from "@/server/webhooks/retention";
import { formerDatabase } from "./former-database";

const MIGRATION = "20261125154500_delivery_history";
const DAY_MS = 86_400_000;
let db: Database;
let close: () => Promise<void>;
let before: Stored;

interface Stored {
  deliveries: object[];
  attempts: object[];
}

/** In the words of the version before: rows in every state, with what each of them needs. */
const former = `
INSERT INTO applications (id, client_id, name) VALUES ('app', 'app', 'App');
INSERT INTO accounts (id, application_id, kind, name, email) VALUES ('acc', 'app', 'account', 'A', 'a@acme.io');
INSERT INTO channels (id, account_id, callback_url, sealed_secret) VALUES ('chn', 'acc', 'https://hooks.acme.io/cb', 'sealed');
INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, manual_attempts, created_at, finished_at,
  next_attempt_at, lease, leased_until, replay_from, replay_state, replay_id, joined_since, changes_since, trace, test, last_status, last_error)
SELECT 'whd_' || name, 'chn', 'acc', 'app', type, '{}', 'hooks.acme.io', state::delivery_state, attempts, manual, now() - age, now() - ended,
  now() + next, lease, now() + leased, replay_from, replay_state::delivery_state, replay_id, now() - joined, now() - age, trace, test, status, error
FROM (VALUES
  ('new', 'change', 'pending', 0, 0, interval '1 minute', NULL::interval, interval '0', NULL, NULL::interval, NULL::int, NULL, NULL, interval '1 second', 'spans', false, NULL::int, NULL),
  ('retrying', 'change', 'pending', 3, 0, interval '2 hours', NULL, interval '1 hour', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 503, NULL),
  ('leased', 'verification', 'pending', 1, 0, interval '3 seconds', NULL, interval '15 minutes', 'lease', interval '12 minutes', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL),
  ('held', 'change', 'pending', 2, 0, interval '20 days', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, 'timeout'),
  ('replayed', 'change', 'pending', 11, 1, interval '29 days', interval '27 days', interval '0', NULL, NULL, 11, 'failed', 'rpl', NULL, NULL, false, 503, NULL),
  ('delivered', 'change', 'delivered', 1, 0, interval '1 day', interval '1 day', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 200, NULL),
  ('tested', 'change', 'delivered', 1, 0, interval '5 days', interval '5 days', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, 204, NULL),
  ('failed', 'profile_disconnected', 'failed', 10, 0, interval '10 days', interval '8 days', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, 'dns'),
  ('cancelled', 'change', 'cancelled', 1, 0, interval '2 hours', interval '1 hour', NULL, 'lease', interval '1 second', NULL, NULL, NULL, NULL, NULL, false, 500, NULL),
  ('expired', 'change', 'delivered', 1, 0, interval '40 days', interval '40 days', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 200, NULL))
  AS d(name, type, state, attempts, manual, age, ended, next, lease, leased, replay_from, replay_state, replay_id, joined, trace, test, status, error);
INSERT INTO attempts (delivery_id, number, manual, started_at, duration_ms, status, response_headers, response_body)
SELECT id, n, n > 10, created_at + n * interval '1 second', 20, last_status, '{"a":"b"}', 'body' FROM deliveries, generate_series(1, attempts) n;
`;

const stored = async (db: Database): Promise<Stored> => ({
  deliveries: await db.query("SELECT to_jsonb(d) - 'waits' AS row FROM deliveries d ORDER BY id"),
  attempts: await db.query("SELECT to_jsonb(a) - 'channel_id' AS row FROM attempts a ORDER BY delivery_id, number"),
});
const ids = async (table: string) =>
  (await db.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);
const partitions = async (of: string) =>
  (
    await db.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${of}'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);
const pending = ["held", "leased", "new", "replayed", "retrying"].map((name) => `whd_${name}`);

beforeAll(async () => {
  const had = (name: string) => name < MIGRATION;
  const { seen, ...database } = await formerDatabase({ had, rows: former, look: stored });
  before = seen ?? before;
  ({ db, close } = database);
}, 300_000);

afterAll(() => close());

describe("deliveries of the version before", () => {
  it("are all there, unchanged, with their attempts", async () => {
    expect(before.deliveries).toHaveLength(10);
    expect(before.attempts).toHaveLength(31);
    expect(await stored(db)).toEqual(before);
  });

  it("wait if their next attempt is not due", async () => {
    const rows = await db.query<{ id: string }>("SELECT id FROM deliveries WHERE waits ORDER BY id");
    expect(rows.map(({ id }) => id)).toEqual(["whd_leased", "whd_retrying"]);
  });

  it("are in the queue while they are pending, and else in the history", async () => {
    expect(await ids("deliveries_queue")).toEqual(pending);
    expect(await ids("deliveries_history")).toEqual(
      ["cancelled", "delivered", "expired", "failed", "tested"].map((name) => `whd_${name}`),
    );
    expect(await ids("deliveries_rest")).toEqual([]);
  });

  it("are followed by partitions for each day, once", async () => {
    const now = Date.now() as Instant;
    await prepareDays(db, now);
    const made = await partitions("deliveries_history");
    await prepareDays(db, now);
    expect(await partitions("deliveries_history")).toEqual(made);
    // The one of before ends with tomorrow.
    expect(made.filter((name) => /^deliveries_\d{8}$/.test(name))).toHaveLength(2);
    expect(made.filter((name) => /^deliveries_before_\d{8}$/.test(name))).toHaveLength(1);
    expect(await partitions("attempts")).toEqual(made.map((name) => name.replace("deliveries", "attempts")));
  });

  it("expire when they are 30 days old, with their attempts, and no others", async () => {
    expect(await dropOldDeliveries(db, Date.now() as Instant)).toBe(false);
    expect(await stored(db)).toEqual({
      deliveries: before.deliveries.filter((row) => !JSON.stringify(row).includes("whd_expired")),
      attempts: before.attempts.filter((row) => !JSON.stringify(row).includes("whd_expired")),
    });
  });

  it("are dropped with their partition when all of its days are over", async () => {
    await prepareDays(db, (Date.now() + 40 * DAY_MS) as Instant);
    await dropOldDeliveries(db, (Date.now() + 40 * DAY_MS) as Instant);
    expect((await partitions("deliveries_history")).filter((name) => name.includes("before"))).toEqual([]);
    expect((await partitions("attempts")).filter((name) => name.includes("before"))).toEqual([]);
    expect(await ids("deliveries")).toEqual(["whd_replayed"]);
  });

  it("go with their account's channels", async () => {
    await db.query("DELETE FROM accounts");
    expect(await ids("deliveries")).toEqual([]);
  });
});
