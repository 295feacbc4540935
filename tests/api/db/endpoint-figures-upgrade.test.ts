import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { lastHours } from "@/server/db/delivery-days";
import { run } from "@/server/db/statement";
import { attemptsByHour } from "@/server/services/staff/channels/attempts.sql";
import { measureChannel } from "@/server/services/staff/channels/channels.sql";
import { formerDatabase } from "./former-database";

const MIGRATION = "20261125230815_attempts_of_channels";
const DAY_MS = 86_400_000;

let db: Database;
let close: () => Promise<void>;
const now = Date.now();

/** As a database is after some days: each of the last ones has a partition. */
const days = `DO $$ DECLARE day date; BEGIN EXECUTE (SELECT 'DROP TABLE ' || relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^attempts_before_'); \
FOR n IN 0..9 LOOP day := (now() AT TIME ZONE 'UTC')::date + 1 - n; EXECUTE format('CREATE TABLE attempts_%s PARTITION OF attempts FOR VALUES FROM (%L) TO (%L)', \
to_char(day, 'YYYYMMDD'), day || ' 00:00Z', day + 1 || ' 00:00Z'); END LOOP; END $$`;

/** In the words of the version before. */
const former = `${days};
INSERT INTO applications (id, client_id, name) VALUES ('app', 'app', 'App');
INSERT INTO accounts (id, application_id, kind, name, email) VALUES ('acc', 'app', 'account', 'A', 'a@acme.io');
INSERT INTO channels (id, account_id, callback_url, sealed_secret) VALUES ('chn', 'acc', 'https://hooks.acme.io/cb', 'sealed'),
  ('chn_well', 'acc', 'https://hooks.acme.io/well', 'sealed');
INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, created_at)
SELECT 'whd_' || name, channel, 'acc', 'app', 'change', '{}', 'hooks.acme.io', state::delivery_state, 1, now() - age
FROM (VALUES ('pending', 'chn', 'pending', interval '2 hours'), ('done', 'chn', 'delivered', interval '3 hours'), ('failed', 'chn', 'failed', interval '5 days'),
  ('old', 'chn', 'failed', interval '20 days'), ('well', 'chn_well', 'delivered', interval '1 hour')) d(name, channel, state, age);
INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status, error_class)
SELECT d.id, 1, d.created_at, n, CASE d.state WHEN 'delivered' THEN 200 WHEN 'pending' THEN 503 END, CASE d.state WHEN 'failed' THEN 'dns' END
FROM (SELECT *, 10 * row_number() OVER (ORDER BY created_at) AS n FROM deliveries) d;
`;

beforeAll(async () => {
  ({ db, close } = await formerDatabase({ had: (name) => name < MIGRATION, rows: former }));
}, 300_000);

afterAll(() => close());

it("the attempts of the last seven days that the version before stored are among an endpoint's figures", async () => {
  const { from, before } = lastHours(now, 24);
  const measured = async (id: string) => await run(db.query, measureChannel, [id, from, before]);
  expect(await measured("chn")).toMatchObject([{ attempts: 2, successes: 1, p50Ms: 30, p95Ms: 40 }]);
  expect(await measured("chn_well")).toMatchObject([{ attempts: 1, successes: 1, p50Ms: 50, p95Ms: 50 }]);
  const week = await run(db.query, attemptsByHour, ["chn", lastHours(now, 7 * 24).from, before]);
  expect(week.map(({ failed }) => failed).reduce((a, b) => a + b, 0)).toBe(2);
  expect(week.map(({ succeeded }) => succeeded).reduce((a, b) => a + b, 0)).toBe(1);
  const [old] = await db.query<{ channel: string | null }>(
    "SELECT channel_id AS channel FROM attempts WHERE delivery_id = 'whd_old'",
  );
  expect(old?.channel).toBeNull();
});

it("an endpoint has its last failure, and none where nothing failed", async () => {
  const channels = await db.query<{ at: Date | null }>(
    "SELECT failed_at AS at, failed_status AS status, failed_error AS error FROM channels ORDER BY id",
  );
  expect(channels).toEqual([
    { at: expect.any(Date), status: 503, error: null },
    { at: null, status: null, error: null },
  ]);
  expect(now - Number(channels[0]?.at)).toBeLessThan(DAY_MS / 8);
});

it("every partition of the attempts has the index of channels", async () => {
  const partitions = await db.query("SELECT FROM pg_inherits WHERE inhparent = 'attempts'::regclass");
  expect(partitions).toHaveLength(11);
  const without =
    await db.query(`SELECT i.inhrelid::regclass::text AS name FROM pg_inherits i WHERE i.inhparent = 'attempts'::regclass AND NOT EXISTS
  (SELECT FROM pg_index x JOIN pg_inherits p ON p.inhrelid = x.indexrelid WHERE x.indrelid = i.inhrelid AND p.inhparent = 'attempts_of_channel'::regclass)`);
  expect(without).toEqual([]);
});
