import type { Database, Query } from "@/server/db/client";
import { databaseFault } from "@/server/db/faults";
import { lockStatement, locks } from "@/server/db/locks";
import { endpointOf } from "@/server/domain/endpoints";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";

/** "Request log retention: 30 days (7 days on the Developer plan)" ("Limits"). */
export const RETENTION_DAYS = { standard: 30, developer: 7 } as const;
const LOCK_TIMEOUT = "2s";
const DAY_MS = 86_400_000;
/** From the beginning of an hour to its last minute. */
const LAST_MINUTE_MS = 59 * 60_000;

/** A row as it is stored; `id` is our own, since a request id may be the caller's and come twice. */
export interface StoredRequest {
  id: string;
  requestId: string;
  at: Date;
  method: string;
  path: string;
  query: string | null;
  status: number;
  durationMs: number;
  applicationId: string | null;
  accountId: string | null;
  address: string | null;
  errorKeys: string[];
  requestHeaders: object;
  requestBody: unknown;
  responseHeaders: object;
  responseBody: unknown;
  plan: "developer" | "standard" | null;
}

/** Of one application (empty: of no known one) in one minute. */
export interface MinuteCount {
  minute: Date;
  applicationId: string;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  throttled: number;
}

const counts = "requests, client_errors, server_errors, throttled, not_stored";
const adding = `requests = c.requests + excluded.requests, client_errors = c.client_errors + excluded.client_errors,
  server_errors = c.server_errors + excluded.server_errors, throttled = c.throttled + excluded.throttled,
  not_stored = c.not_stored + excluded.not_stored`;

/** Adds what `counted` gives. All minutes are taken before the first hour, and each in order, so that batches of several processes never wait for each other in a circle. */
const addCounted = `minutes AS (INSERT INTO request_counts AS c (minute, application_id, ${counts})
  SELECT minute, application_id, ${counts} FROM counted ORDER BY 1, 2
  ON CONFLICT (minute, application_id) DO UPDATE SET ${adding} RETURNING 1)
INSERT INTO request_counts_by_hour AS c (hour, application_id, ${counts})
SELECT date_trunc('hour', minute, 'UTC'), application_id, sum(requests), sum(client_errors), sum(server_errors), sum(throttled), sum(not_stored)
FROM counted WHERE (SELECT count(*) FROM minutes) > 0 GROUP BY 1, 2 ORDER BY 1, 2
ON CONFLICT (hour, application_id) DO UPDATE SET ${adding}`;

/** Only rows that were not stored before are counted, in the same statement: a batch that comes again counts nothing twice. */
const insert = `WITH stored AS (
  INSERT INTO request_logs (id, expires_on, request_id, at, method, path, endpoint, query, status, duration_ms, application_id,
    account_id, address, error_keys, request_headers, request_body, response_headers, response_body)
  SELECT id, expires_on, request_id, at, method, path, endpoint, query, status, duration_ms, application_id, account_id, address,
    error_keys, request_headers, request_body, response_headers, response_body
  FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, expires_on date, request_id text, at timestamptz, method text, path text,
    endpoint text, query text, status smallint, duration_ms float8, application_id text, account_id text, address text,
    error_keys text[], request_headers jsonb, request_body jsonb, response_headers jsonb, response_body jsonb)
  ON CONFLICT DO NOTHING RETURNING at, application_id, status),
counted AS (SELECT date_trunc('minute', at) AS minute, coalesce(application_id, '') AS application_id, count(*) AS requests,
    count(*) FILTER (WHERE status BETWEEN 400 AND 499) AS client_errors, count(*) FILTER (WHERE status >= 500) AS server_errors,
    count(*) FILTER (WHERE status = 429) AS throttled, 0 AS not_stored
  FROM stored GROUP BY 1, 2),
${addCounted}`;

const count = `WITH tallied AS (INSERT INTO request_tallies (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1),
counted AS (SELECT minute, application_id, ${counts} FROM jsonb_to_recordset($2::jsonb)
    AS r(minute timestamptz, application_id text, requests int, client_errors int, server_errors int, throttled int, not_stored int)
  WHERE EXISTS (SELECT FROM tallied)),
${addCounted}`;

/** Counts requests that have no row. A batch that comes again, under the same id, is counted once. */
export async function countRequests(
  db: Database,
  batch: { id: string; counts: readonly MinuteCount[] },
): Promise<void> {
  const rows = batch.counts.map(({ applicationId, clientErrors, serverErrors, ...row }) => ({
    ...row,
    application_id: applicationId,
    client_errors: clientErrors,
    server_errors: serverErrors,
    not_stored: row.requests,
  }));
  await db.query(count, [batch.id, JSON.stringify(rows)]);
}

/** Stores a batch, making the partitions of its days first. Rows that are stored already are left as they are. */
export async function storeRequests(db: Database, rows: readonly StoredRequest[]): Promise<void> {
  const stored = rows.map((row) => ({ ...columns(row), expires_on: formatDay(expiry(row)) }));
  const write = async () => {
    for (const day of new Set(stored.map(({ expires_on }) => expires_on))) await ensurePartition(db, day);
    await db.query(insert, [JSON.stringify(stored)]);
  };
  try {
    await write();
  } catch (error) {
    // What PostgreSQL says of a row that has no partition.
    if (databaseFault(error) !== "check_violation") throw error;
    known.clear(); // a process whose clock is ahead has dropped one that this one made
    await write();
  }
}

/** Drops the partitions whose day is over, giving their names. Requests never wait: only the log's own writer touches them. */
export async function dropExpiredRequests(db: Database, today: Day): Promise<string[]> {
  const dropped: string[] = [];
  for (const name of await partitions(db.query)) {
    const expires = parseDay(name.replace(/^request_logs_(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"));
    if (expires === null || expires >= today) continue;
    await db.transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await query(`DROP TABLE IF EXISTS "${name}"`);
    });
    known.delete(formatDay(expires));
    dropped.push(name);
  }
  return dropped;
}

/** Drops the counts of minutes that are over for 30 days, and of hours all of whose minutes are. */
export async function dropOldCounts(db: Database, now: Instant): Promise<void> {
  const before = now - RETENTION_DAYS.standard * DAY_MS;
  await db.query("DELETE FROM request_tallies WHERE at < $1", [new Date(now - DAY_MS)]);
  await db.query("DELETE FROM request_counts WHERE minute < $1", [new Date(before)]);
  await db.query("DELETE FROM request_counts_by_hour WHERE hour < $1", [new Date(before - LAST_MINUTE_MS)]);
}

function columns(row: StoredRequest) {
  return {
    id: row.id,
    request_id: row.requestId,
    at: row.at,
    method: row.method,
    path: row.path,
    endpoint: endpointOf(row.path),
    query: row.query,
    status: row.status,
    duration_ms: row.durationMs,
    application_id: row.applicationId,
    account_id: row.accountId,
    address: row.address,
    error_keys: row.errorKeys,
    request_headers: row.requestHeaders,
    request_body: row.requestBody,
    response_headers: row.responseHeaders,
    response_body: row.responseBody,
  };
}

function expiry({ at, plan }: StoredRequest): Day {
  return (dayOf(at.getTime() as Instant) + RETENTION_DAYS[plan ?? "standard"]) as Day;
}

const known = new Set<string>();

/** Attached rather than created in place: attaching does not lock out those who write to other days. */
async function ensurePartition(db: Database, expiresOn: string): Promise<void> {
  if (known.has(expiresOn)) return;
  const name = `request_logs_${expiresOn.replaceAll("-", "")}`;
  const next = formatDay(((parseDay(expiresOn) ?? 0) + 1) as Day);
  await db.transaction(async (query) => {
    await query(lockStatement(locks.requestLogPartitions));
    if ((await partitions(query)).includes(name)) return;
    await query(`CREATE TABLE "${name}" (LIKE request_logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await query(`ALTER TABLE request_logs ATTACH PARTITION "${name}" FOR VALUES FROM ('${expiresOn}') TO ('${next}')`);
  });
  known.add(expiresOn);
}

async function partitions(query: Query): Promise<string[]> {
  const rows = await query<{ name: string }>(
    "SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'request_logs'::regclass",
  );
  return rows.map(({ name }) => name);
}
