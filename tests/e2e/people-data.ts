import { rowsOf } from "./database";

export const mara = {
  account: "acc_5c1f0a9e7d3b4682c0d1e2f3",
  email: "mara@acme-scheduling.io",
  refused: "standup-17",
  /** Of the disconnected profile's calendar: one that was never tried to the end, and one that was given up. */
  waiting: "dentist-2",
  givenUp: "school-9",
};

/** A person whose second provider signed them out and whose first refused an event, and a day's traffic of the applications. */
export async function seedPeople(databaseUrl: string): Promise<void> {
  for (const statement of statements) await rowsOf(databaseUrl, statement);
}

const account = `INSERT INTO accounts (id, application_id, kind, name, email, default_tzid, created_at)
SELECT '${mara.account}', id, 'account', 'Mara Lind', '${mara.email}', 'Europe/Stockholm', now() - interval '40 days'
FROM applications WHERE client_id = 'acme'`;

const profiles = `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, initial_sync_required, disconnected_at, created_at)
SELECT 'pro_' || p.id, a.id, a.application_id, p.provider::provider, p.service::provider_service, p.name, p.name, p.connected, false, CASE WHEN NOT p.connected THEN now() - p.seen END, a.created_at
FROM accounts a, (VALUES
  ('a1a1a1a1a1a1a1a1a1a1a1a1', 'google', 'google_workspace', 'mara@acme-scheduling.io', true, interval '2 minutes'),
  ('b2b2b2b2b2b2b2b2b2b2b2b2', 'icloud', 'icloud', 'mara.lind@example.net', false, interval '3 days')
) p (id, provider, service, name, connected, seen) WHERE a.id = '${mara.account}'`;

const syncs = `UPDATE profile_syncs s SET last_sync_at = now() - p.seen, sync_due_at = now() + p.due_in, sync_failures = p.failures, sync_error = p.error
FROM (VALUES ('a1a1a1a1a1a1a1a1a1a1a1a1', interval '2 minutes', interval '7 minutes', 0, NULL),
  ('b2b2b2b2b2b2b2b2b2b2b2b2', interval '3 days', NULL, 3, 'credentials_rejected')) p (id, seen, due_in, failures, error)
WHERE s.profile_id = 'pro_' || p.id`;

const calendars = `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, readonly, deleted, "primary", tzid)
SELECT 'cal_' || md5(c.name)::varchar(24), '${mara.account}', 'pro_' || c.profile, c.number, c.name, c.name, c.readonly, c.deleted, c.is_primary, 'Europe/Stockholm'
FROM (VALUES ('a1a1a1a1a1a1a1a1a1a1a1a1', 1, 'Work', false, false, true), ('a1a1a1a1a1a1a1a1a1a1a1a1', 2, 'Holidays in Sweden', true, false, false),
  ('b2b2b2b2b2b2b2b2b2b2b2b2', 3, 'Home', false, false, false), ('b2b2b2b2b2b2b2b2b2b2b2b2', 4, 'Old trips', false, true, false)
) c (profile, number, name, readonly, deleted, is_primary)`;

const events = `INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends)
SELECT 'evt_' || md5(name), 'cal_' || md5('Work')::varchar(24), name, 'Stand-up', false, now(), now() + interval '15 minutes'
FROM unnest(ARRAY['${mara.refused}', 'review-4']) name`;

const writes = `INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, attempts, due_at, last_error, refused_at, created_at)
SELECT 'evt_' || md5(w.name), 'cal_' || md5('Work')::varchar(24), 'pro_a1a1a1a1a1a1a1a1a1a1a1a1', '${mara.account}', w.attempts,
  now() + interval '6 minutes', w.error, w.refused, now() - interval '1 day'
FROM (VALUES ('${mara.refused}', 1, 'valid-calendar-data', now() - interval '5 hours'), ('review-4', 4, 'down', NULL)) w (name, attempts, error, refused)`;

const waiting = `WITH e AS (INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends)
  SELECT 'evt_' || md5(name), 'cal_' || md5('Home')::varchar(24), name, 'Dentist', false, now(), now() + interval '1 hour'
  FROM unnest(ARRAY['${mara.waiting}', 'dentist-3', '${mara.givenUp}']) name RETURNING id, event_id)
INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, suspended, attempts, due_at, last_error, refused_at, created_at)
SELECT id, 'cal_' || md5('Home')::varchar(24), 'pro_b2b2b2b2b2b2b2b2b2b2b2b2', '${mara.account}', true, 1, now() - interval '2 days', 'credentials_rejected',
  CASE WHEN event_id = '${mara.givenUp}' THEN now() - interval '1 day' END, now() - interval '3 days' FROM e`;

const channel = `INSERT INTO channels (id, account_id, callback_url, sealed_secret, created_at, closed_at, closed_by)
VALUES ('chn_' || md5('mara')::varchar(24), '${mara.account}', 'https://hooks.acme-scheduling.io/calendar', '', now() - interval '30 days', now() - interval '2 days', 'gone')`;

const traffic = `INSERT INTO request_counts (minute, application_id, requests, client_errors, server_errors, throttled)
SELECT date_trunc('hour', now()) - n * interval '1 hour', a.id, 40 + (n * 37 + ascii(a.client_id) * 13) % 160,
  CASE WHEN a.client_id = 'north' THEN 22 ELSE n % 3 END, 0, CASE WHEN a.client_id = 'north' THEN n % 4 ELSE 0 END
FROM applications a, generate_series(0, 23) n WHERE a.client_id IN ('acme', 'north') ON CONFLICT DO NOTHING`;

const hours = `INSERT INTO request_counts_by_hour SELECT date_trunc('hour', minute, 'UTC'), application_id, sum(requests), sum(client_errors),
sum(server_errors), sum(throttled) FROM request_counts GROUP BY 1, 2 ON CONFLICT DO NOTHING`;

const statements = [account, profiles, syncs, calendars, events, writes, waiting, channel, traffic, hours];
