import { rowsOf } from "./database";

export interface StaffData {
  origin: string;
  /** Of the service's database. */
  databaseUrl: string;
  applications: readonly { client_id: string; client_secret: string }[];
  /** A receiver that answers; others are hosts that nobody has. */
  receiver: string;
}

export interface Seeded {
  channels: string[];
  accounts: string[];
}

/** What staff would find on a working day: accounts, events, channels and requests through the API, older deliveries through SQL. */
export async function seedStaffData(data: StaffData): Promise<Seeded> {
  const accounts: string[] = [];
  const channels: string[] = [];
  for (const [index, credentials] of data.applications.entries()) {
    for (let n = 1; n <= 4 - index; n += 1) {
      const opened = await post(data, "/v1/application_calendars", {
        ...credentials,
        application_calendar_id: `room-${n}`,
      });
      accounts.push(opened.account_id);
      channels.push(...(await liveOn(data, opened.access_token, n)));
    }
  }
  await faultyRequests(data);
  for (const statement of statements) await rowsOf(data.databaseUrl, statement);
  return { accounts, channels };
}

// biome-ignore lint/suspicious/noExplicitAny: the script looks into the documented JSON.
async function post({ origin }: StaffData, path: string, json: object, token?: string): Promise<any> {
  const answer = await fetch(origin + path, {
    method: "POST",
    body: JSON.stringify(json),
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
  });
  const text = await answer.text();
  return text === "" ? {} : JSON.parse(text);
}

async function liveOn(data: StaffData, token: string, n: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const { calendars } = await (await fetch(`${data.origin}/v1/calendars`, { headers })).json();
  const callbacks = [`${data.receiver}/hooks/${n}`, `https://hooks-${n}.acme-scheduling.io/calendar`];
  const opened = await Promise.all(
    callbacks.map((callback_url) => post(data, "/v1/channels", { callback_url }, token)),
  );
  const [calendar] = calendars;
  for (let hour = 9; hour < 12; hour += 1) {
    await post(data, `/v1/calendars/${calendar.calendar_id}/events`, event(hour), token);
  }
  await post(
    data,
    `/v1/calendars/${calendar.calendar_id}/events`,
    { event_id: "x", start: "2026-11-21T09:00:00Z" },
    token,
  );
  await fetch(`${data.origin}/v1/events?tzid=Europe/Nowhere`, { headers });
  await fetch(`${data.origin}/v1/events?tzid=Etc/UTC`, { headers });
  return opened.map(({ channel }) => channel.channel_id);
}

function event(hour: number) {
  const at = (time: number) => `2026-12-0${1 + (hour % 7)}T${String(time).padStart(2, "0")}:00:00Z`;
  return { event_id: `review-${hour}`, summary: "Review", description: "", start: at(hour), end: at(hour + 1) };
}

async function faultyRequests(data: StaffData): Promise<void> {
  await post(data, "/oauth/token", {
    client_id: "acme",
    client_secret: "wrong",
    grant_type: "authorization_code",
    code: "x",
  });
  await fetch(`${data.origin}/v1/calendars`);
  await fetch(`${data.origin}/v1/nothing`);
}

/** A day's deliveries on the channels that are open, in every state and with every error class. */
const deliveries = `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, next_attempt_at,
  last_status, last_error, created_at, finished_at, changes_since)
SELECT 'whd_' || substr(md5('whd' || n), 1, 24), c.id, c.account_id, a.application_id,
  CASE WHEN n % 29 = 0 THEN 'profile_disconnected' WHEN n % 23 = 0 THEN 'profile_initial_sync_completed' ELSE 'change' END,
  json_build_object('notification', json_build_object('type', 'change', 'changes_since', to_char(s.at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    'channel', json_build_object('channel_id', c.id, 'callback_url', c.callback_url, 'filters', json_build_object())),
  regexp_replace(split_part(c.callback_url, '/', 3), ':443$', ''), s.state::delivery_state,
  CASE s.state WHEN 'failed' THEN 10 WHEN 'pending' THEN 1 + n % 5 ELSE 1 + (n % 9 = 0)::int END,
  CASE WHEN s.state = 'pending' THEN now() + (n % 7 + 1) * interval '37 minutes' END,
  CASE WHEN s.state = 'delivered' THEN 200 WHEN s.state <> 'cancelled' AND n % 3 = 0 THEN 503 WHEN s.state <> 'cancelled' AND n % 7 = 0 THEN 404 END,
  CASE WHEN s.state IN ('failed', 'pending') AND n % 3 <> 0 AND n % 7 <> 0
    THEN (ARRAY['timeout', 'dns', 'connect', 'tls', 'reset', 'blocked', 'http', 'timeout', 'timeout'])[1 + n % 9] END,
  s.at, CASE WHEN s.state <> 'pending' THEN s.at + interval '80 seconds' END, s.at
FROM generate_series(1, 420) n
CROSS JOIN LATERAL (SELECT now() - n * n * interval '0.48 seconds' - n * interval '21 seconds' AS at,
  CASE WHEN n % 11 = 0 THEN 'failed' WHEN n % 13 = 0 THEN 'pending' WHEN n % 37 = 0 THEN 'cancelled' ELSE 'delivered' END AS state) s
JOIN LATERAL (SELECT * FROM channels ORDER BY md5(id || n % 40) LIMIT 1) c ON true JOIN accounts a ON a.id = c.account_id
ON CONFLICT DO NOTHING`;

const attempts = `INSERT INTO attempts (delivery_id, channel_id, number, started_at, duration_ms, address, status, error_class, response_headers, response_body)
SELECT d.id, d.channel_id, n, d.created_at + (n - 1) * interval '7 seconds', CASE WHEN d.last_error = 'timeout' THEN 5000 ELSE 20 + abs(hashtext(d.id || n)) % 400 END,
  CASE WHEN d.last_error IS DISTINCT FROM 'dns' THEN '203.0.113.7' END,
  CASE WHEN n < d.attempts AND d.state = 'delivered' THEN 503 ELSE d.last_status END, d.last_error,
  CASE WHEN d.last_error IS NULL THEN '{"content-type": "text/html; charset=utf-8", "server": "nginx/1.27", "date": "Sat, 21 Nov 2026 17:20:11 GMT"}'::jsonb END,
  CASE WHEN d.last_error IS NULL AND (d.last_status <> 200 OR n < d.attempts) THEN
    '<html><head><title>503 Service Temporarily Unavailable</title></head>' || chr(10) || '<body><script>alert(1)</script><h1>Down for maintenance</h1></body></html>'
    WHEN d.last_error IS NULL THEN '{"ok":true}' END
FROM deliveries d, generate_series(1, d.attempts) n WHERE d.id LIKE 'whd\\_%' AND d.changes_since = d.created_at
ON CONFLICT DO NOTHING`;

/** Nobody has this host: the service has tried it once or twice by itself, and is said to have done so for hours. */
const failing = `UPDATE channels SET failures = 7, failing = true, failing_since = now() - interval '3 hours'
WHERE callback_url LIKE 'https://hooks-1.%'`;

const lastFailures = `UPDATE channels c SET failed_at = a.started_at, failed_status = a.status, failed_error = a.error_class
FROM (SELECT DISTINCT ON (channel_id) * FROM attempts WHERE (status BETWEEN 200 AND 299) IS NOT TRUE ORDER BY channel_id, started_at DESC) a
WHERE c.id = a.channel_id`;

const statements = [deliveries, attempts, failing, lastFailures];
