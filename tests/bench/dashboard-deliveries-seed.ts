import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { storeRequests } from "@/server/store/request-logs/request-logs";

export const DELIVERIES = 1_000_000;
const APPLICATIONS = 50;
const ACCOUNTS = 2_000;
const CHANNELS = 3_000;
const BACKLOG = 100_000;
const DAYS = 30;
const DAY_MS = 86_400_000;

const id = (prefix: string, number: string) => `'${prefix}_' || substr(md5('${prefix}' || ${number}), 1, 24)`;

/** The id that the seed gave the nth application, account or channel. */
export async function seededId(db: Database, prefix: "app" | "acc" | "chn", n: number): Promise<string> {
  const [row] = await db.query<{ id: string }>(`SELECT ${id(prefix, "$1::int")} AS id`, [n]);
  return row?.id ?? "";
}

/**
 * Deliveries of 30 days: 50 applications of very different size, 5 % failed, errors as often as they occur. The same at every run
 * but for the time.
 */
export async function seedDashboardDeliveries(db: Database, say: (text: string) => void): Promise<void> {
  say(`Seeding ${DELIVERIES.toLocaleString("en")} deliveries …`);
  await db.query("SELECT setseed(0.42)");
  await db.query(
    `INSERT INTO applications (id, client_id, name, updated_at)
SELECT ${id("app", "i")}, 'dashboard_' || i, 'Application ' || i, now() FROM generate_series(1, ${APPLICATIONS}) i`,
  );
  await db.query(
    `INSERT INTO accounts (id, application_id, kind, name, email)
SELECT ${id("acc", "i")}, ${id("app", "least(50, floor(50 ^ ((hashint4(i)::float8 + 2147483648) / 4294967296)))::int")}, 'account', 'Ann', 'ann' || i || '@acme.io'
FROM generate_series(1, ${ACCOUNTS}) i`,
  );
  await db.query(
    `INSERT INTO channels (id, account_id, callback_url, calendar_ids, sealed_secret, created_at)
SELECT ${id("chn", "i")}, ${id("acc", `1 + i % ${ACCOUNTS}`)}, 'https://' || ${host} || '/hooks/' || i, '{}', 'sealed',
  now() - interval '40 days' + i * interval '15 minutes' FROM generate_series(1, ${CHANNELS}) i`,
  );
  for (let part = 0; part < 10; part++) await db.query(deliveries, [part, DELIVERIES / 10]);
  await db.query(attempts);
  await seedOpeningRequests(db);
  await db.query("VACUUM ANALYZE");
}

const host = "(CASE WHEN i % 10 = 0 THEN 'hooks.acme.io' ELSE 'hooks-' || i % 400 || '.acme.io' END)";

/** Ten parts of three days each, the oldest first, as the table would have grown. */
const deliveries = `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, next_attempt_at, last_status,
  last_error, created_at, finished_at, changes_since)
SELECT 'whd_' || substr(md5('whd' || n), 1, 24), c.id, c.account_id, a.application_id,
  CASE WHEN r.type < 0.97 THEN 'change' WHEN r.type < 0.985 THEN 'verification' WHEN r.type < 0.999 THEN 'profile_initial_sync_completed'
    ELSE 'profile_disconnected' END,
  json_build_object('notification', json_build_object('type', 'change', 'changes_since', s.created_at), 'channel', json_build_object('channel_id', c.id,
    'callback_url', c.callback_url, 'filters', json_build_object())),
  split_part(c.callback_url, '/', 3), r.state::delivery_state, CASE WHEN r.state = 'failed' THEN 10 WHEN r.retried < 0.06 THEN 2 ELSE 1 END,
  CASE WHEN r.state = 'pending' THEN now() + (r.retried - 0.1) * interval '1 hour' END,
  CASE WHEN r.state = 'delivered' THEN 200 WHEN r.error < 0.4 THEN 500 + (r.error * 1000)::int % 4 WHEN r.error < 0.6 THEN 404 END,
  CASE WHEN r.state = 'delivered' OR r.error < 0.6 THEN NULL WHEN r.error < 0.75 THEN 'timeout' WHEN r.error < 0.87 THEN 'connect'
    WHEN r.error < 0.93 THEN 'dns' WHEN r.error < 0.96 THEN 'tls' WHEN r.error < 0.985 THEN 'blocked' WHEN r.error < 0.998 THEN 'reset'
    WHEN r.error < 0.9998 THEN 'http' ELSE 'internal' END,
  s.created_at, CASE WHEN r.state <> 'pending' THEN s.created_at + interval '1 second' END, s.created_at
FROM generate_series($1::int * $2::int + 1, ($1::int + 1) * $2::int) n
CROSS JOIN LATERAL (SELECT now() - interval '${DAYS} days' + n * interval '${DAYS} days' / ${DELIVERIES} AS created_at) s
CROSS JOIN LATERAL (SELECT random() AS type, random() AS error, random() AS retried, 1 + floor(${CHANNELS} * random() ^ 3)::int + n * 0 AS channel,
  CASE WHEN random() + n * 0 < 0.05 THEN 'failed' WHEN random() < 0.005 THEN 'cancelled' WHEN random() < 0.003 THEN 'pending' ELSE 'delivered' END AS state) r
JOIN channels c ON c.id = ${id("chn", "r.channel")} JOIN accounts a ON a.id = c.account_id`;

const attempts = `INSERT INTO attempts (delivery_id, channel_id, number, started_at, duration_ms, address, status, error_class, response_headers, response_body)
SELECT d.id, d.channel_id, n, d.created_at + n * interval '1 second', 20 + abs(hashtext(d.id)) % 400, '203.0.113.7', d.last_status, d.last_error,
  '{"content-type": "text/plain"}', 'ok'
FROM deliveries d, generate_series(1, d.attempts) n WHERE d.created_at > now() - interval '4 days'`;

/** What waits after an outage: the newest 100,000 are pending, a third of them late, the others for their next attempt. */
export async function seedBacklog(db: Database): Promise<void> {
  await db.query(
    `UPDATE deliveries SET state = 'pending', finished_at = NULL, last_status = 503, last_error = NULL, attempts = 3,
  next_attempt_at = now() + (CASE WHEN n % 3 = 0 THEN -1 ELSE 1 END) * interval '5 minutes'
FROM (SELECT id AS chosen, row_number() OVER (ORDER BY created_at DESC) AS n FROM deliveries ORDER BY created_at DESC LIMIT ${BACKLOG}) b
WHERE id = b.chosen`,
  );
}

/** The id of the request that opened a channel which has deliveries of its own, the same at every run. */
export const OPENING_REQUEST = "req_0123456789abcdef01234567";

/** Requests that opened channels, over all days of the log. */
async function seedOpeningRequests(db: Database): Promise<void> {
  const channel = await seededId(db, "chn", 1);
  const rows = Array.from({ length: DAYS * 20 }, (_, i) => ({
    id: randomUUID(),
    requestId: i === 300 ? OPENING_REQUEST : `req_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
    at: new Date(Date.now() - Math.floor(i / 20) * DAY_MS),
    method: "POST",
    path: "/v1/channels",
    query: null,
    status: 200,
    durationMs: 3,
    applicationId: null,
    accountId: null,
    address: null,
    errorKeys: [],
    requestHeaders: {},
    requestBody: {},
    responseHeaders: {},
    responseBody: { channel: { channel_id: channel } },
    plan: "standard" as const,
  }));
  await storeRequests(db, rows);
}
