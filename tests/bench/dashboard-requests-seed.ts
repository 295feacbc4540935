import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { storeRequests } from "@/server/store/request-logs/request-logs";

export const REQUESTS = 2_000_000;
const DAYS = 30;
const APPLICATIONS = 60;
const ACCOUNTS = 30_000;
const DAY_MS = 86_400_000;

/** Requests of 30 days in their partitions: a few applications and routes make most of them, what fails is rare, one day had an outage. */
export async function seedDashboardRequests(db: Database, say: (text: string) => void): Promise<void> {
  await db.query(`INSERT INTO applications (id, client_id, name) SELECT ${id("app", "n")}, 'requests-' || n, 'Application ' || n
FROM generate_series(0, ${APPLICATIONS - 1}) n`);
  await db.query(`INSERT INTO accounts (id, application_id, kind, name, email, created_at) SELECT ${id("acc", "n")}, ${id("app", `n % ${APPLICATIONS}`)},
  'account', 'Bench', 'person' || n || '@acme.io', now() - n * interval '1 minute' FROM generate_series(0, ${ACCOUNTS - 1}) n`);
  const today = Math.floor(Date.now() / DAY_MS);
  for (let back = DAYS; back >= 0; back -= 1) {
    if (back % 10 === 0) say(`… ${back} days ago`);
    const day = new Date((today - back) * DAY_MS);
    await makePartitions(db, day);
    const plans = back < 7 ? (["standard", "developer"] as const) : (["standard"] as const);
    for (const plan of plans) {
      await db.query(seeding, [day, plan === "developer" ? 7 : 30, Math.round(REQUESTS / DAYS / plans.length), back]);
    }
  }
  await db.query(counting);
}

const counting = `INSERT INTO request_counts (minute, application_id, requests, client_errors, server_errors, throttled)
SELECT date_trunc('minute', at), coalesce(application_id, ''), count(*), count(*) FILTER (WHERE status BETWEEN 400 AND 499),
  count(*) FILTER (WHERE status >= 500), count(*) FILTER (WHERE status = 429) FROM request_logs GROUP BY 1, 2 ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

/** The id of the n-th application or account. */
export function seededId(prefix: "app" | "acc" | "cal" | "chn", n: number): string {
  return `${prefix}_${n.toString(16).padStart(24, "0")}`;
}

const id = (prefix: string, n: string) => `'${prefix}_' || lpad(to_hex((${n})::int), 24, '0')`;

/** As the service makes them: by writing the first row of a day. */
async function makePartitions(db: Database, at: Date): Promise<void> {
  const row = {
    requestId: "req_first",
    at,
    method: "GET",
    path: "/v1/account",
    query: null,
    status: 200,
    durationMs: 2,
    applicationId: null,
    accountId: null,
    address: null,
    errorKeys: [],
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    responseBody: null,
  };
  const plans = ["standard", "developer"] as const;
  await storeRequests(
    db,
    plans.map((plan) => ({ ...row, plan, id: randomUUID() })),
  );
}

const ROUTES = `(ARRAY[['GET','/v1/events'],['GET','/v1/free_busy'],['POST','/v1/calendars/{calendar_id}/events'],['GET','/v1/calendars'],
  ['GET','/v1/account'],['POST','/oauth/token'],['DELETE','/v1/calendars/{calendar_id}/events'],['GET','/v1/profiles'],['GET','/v1/userinfo'],
  ['POST','/v1/application_calendars'],['GET','/v1/channels'],['POST','/v1/channels'],['DELETE','/v1/channels/{channel_id}'],['POST','/v1/link_tokens'],
  ['POST','/v1/calendars/{calendar_id}/events/occurrences'],['GET',NULL]])`;
const KEYS = `(ARRAY['errors.required','errors.invalid','errors.too_big','errors.tzid_unrecognized','errors.not_recognized','errors.invalid_format',
  'errors.too_many_attendees','errors.invalid_callback_url','errors.not_an_occurrence'])`;

/** $1 the day, $2 how long its rows are kept, $3 how many, $4 how many days ago it was. */
const seeding = `INSERT INTO request_logs (id, expires_on, request_id, at, method, path, endpoint, query, status, duration_ms, application_id, account_id,
  address, error_keys, detail)
SELECT gen_random_uuid(), $1::timestamptz::date + $2::int, CASE WHEN n % 20 = 0 THEN 'order-' || n % 5000 ELSE 'req_' || encode(sha256((random()::text || n)::bytea), 'hex') END,
  $1::timestamptz + (n + random()) * interval '86400 seconds' / $3::int, m, replace(replace(coalesce(e, '/v1/unknown/' || n % 50), '{calendar_id}',
    ${id("cal", "account")}), '{channel_id}', ${id("chn", "account")}), e, CASE WHEN m = 'GET' THEN 'tzid=Europe%2FParis' END, status,
  2 + random() * 30, ${id("app", `account % ${APPLICATIONS}`)}, CASE WHEN e LIKE '/oauth%' THEN NULL ELSE ${id("acc", "account")} END, '203.0.113.9',
  CASE WHEN status = 422 THEN ARRAY[${KEYS}[1 + floor(8.99 * r3 ^ 3)::int]] WHEN status = 400 THEN ARRAY['invalid_grant'] ELSE '{}' END,
  json_build_object('request_headers', '{"host":"api.acme.io","user-agent":"acme/1.0","accept":"*/*","authorization":"[redacted]","content-type":"application/json"}'::json,
  'request_body', CASE WHEN m = 'POST' THEN jsonb_build_object('event_id', 'e' || n, 'summary', '[redacted]', 'start', '2026-11-21T09:30:00Z', 'end', '2026-11-21T10:30:00Z', 'tzid', 'Etc/UTC') END,
  'response_headers', '{"svc-request-id":"[redacted]","content-type":"application/json; charset=utf-8","cache-control":"no-store","ratelimit-limit":"50","ratelimit-remaining":"49"}'::json,
  'response_body', CASE WHEN m = 'GET' THEN jsonb_build_object('pages', 1, 'events', (SELECT jsonb_agg(jsonb_build_object('event_uid', 'evt_' || n || i, 'summary', '[redacted]', 'start', '2026-11-21T09:30:00Z')) FROM generate_series(1, 6) i)) END)
FROM generate_series(0, $3::int - 1) n
CROSS JOIN LATERAL (SELECT random() + n * 0 AS r1, random() + n * 0 AS r2, random() + n * 0 AS r3, floor(${ACCOUNTS} * (random() + n * 0) ^ 4)::int AS account) r
CROSS JOIN LATERAL (SELECT 1 + floor(15.99 * r1 ^ 3)::int AS route) o
CROSS JOIN LATERAL (SELECT ${ROUTES}[route][1] AS m, ${ROUTES}[route][2] AS e) p
CROSS JOIN LATERAL (SELECT (CASE WHEN $4::int = 20 AND n > $3::int / 2 AND n < $3::int * 7 / 10 THEN 503 WHEN e IS NULL THEN 404 WHEN r2 < 0.0001 THEN 500 WHEN r2 < 0.01 THEN 429
  WHEN r2 < 0.025 THEN 401 WHEN r2 < 0.06 AND m = 'POST' THEN CASE WHEN e LIKE '/oauth%' THEN 400 ELSE 422 END WHEN r2 < 0.065 THEN 404
  WHEN e LIKE '%events' AND m <> 'GET' THEN 202 ELSE 200 END)::smallint AS status) s`;
