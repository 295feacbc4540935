import { rowsOf } from "./database";

/** Somebody whose webhook is answered with 500 each time, and whose second channel lets no change of others through. */
export const nils = {
  account: "acc_77d1e2f30a9e7d3b4682c0aa",
  email: "nils@why-arrived.io",
  calendar: "cal_77d1e2f30a9e7d3b4682c0bb",
  channel: "chn_77d1e2f30a9e7d3b4682c0cc",
  endpoint: "hooks.why-arrived.io/calendar",
  delivery: "whd_77d1e2f30a9e7d3b4682c0dd",
};

const PROFILE = "pro_77d1e2f30a9e7d3b4682c0ee";

const statements = [
  `INSERT INTO accounts (id, application_id, kind, name, email, default_tzid, created_at)
SELECT '${nils.account}', id, 'account', 'Nils Berg', '${nils.email}', 'Europe/Stockholm', now() - interval '40 days' FROM applications WHERE client_id = 'north'`,
  `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, initial_sync_required, created_at)
SELECT '${PROFILE}', id, application_id, 'google', 'google_workspace', email, email, true, false, created_at FROM accounts WHERE id = '${nils.account}'`,
  `UPDATE profile_syncs SET last_sync_at = now() - interval '4 minutes', sync_due_at = now() + interval '5 hours', noticed_at = now() - interval '9 hours'
WHERE profile_id = '${PROFILE}'`,
  `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, "primary", tzid, read_at, noticed_at)
SELECT '${nils.calendar}', '${nils.account}', '${PROFILE}', 1, 'work', 'Work', true, 'Europe/Stockholm', now() - interval '4 minutes', now() - interval '4 minutes'`,
  `WITH e AS (INSERT INTO events (id, calendar_id, summary, location, all_day, starts, ends)
  VALUES ('evt_why', '${nils.calendar}', 'Salary talk', 'Room 4', false, now(), now() + interval '30 minutes') RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, starts, ends) SELECT id, id, calendar_id, all_day, false, starts, ends FROM e`,
  `INSERT INTO provider_watches (channel, profile_id, calendar_id, resource, expires_at, renew_at)
SELECT 'why-' || n, '${PROFILE}', CASE n WHEN 1 THEN '${nils.calendar}' END, 'r', now() + interval '3 days', now() + interval '1 day' FROM generate_series(1, 2) n`,
  `INSERT INTO channels (id, account_id, callback_url, all_calendars, only_managed, sealed_secret, created_at) VALUES
('${nils.channel}', '${nils.account}', 'https://${nils.endpoint}', true, NULL, 'sealed', now() - interval '30 days'),
('chn_77d1e2f30a9e7d3b4682c0ff', '${nils.account}', 'https://managed.why-arrived.io/', true, true, 'sealed', now() - interval '20 days')`,
  `INSERT INTO seen_changes (account_id, minute, calendar_id, managed, first_at, last_at)
SELECT '${nils.account}', date_trunc('minute', at), '${nils.calendar}', false, at, at FROM (SELECT now() - interval '4 minutes' AS at) t`,
  `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, next_attempt_at, last_status, created_at, changes_since)
SELECT '${nils.delivery}', '${nils.channel}', id, application_id, 'change', '{}', 'hooks.why-arrived.io', 'pending', 3, now() + interval '3 hours', 500,
  now() - interval '239 seconds', now() - interval '4 minutes' FROM accounts WHERE id = '${nils.account}'`,
  `INSERT INTO attempts (delivery_id, channel_id, number, started_at, duration_ms, status)
SELECT '${nils.delivery}', '${nils.channel}', n, now() - interval '239 seconds' + (n * n - 1) * interval '16 seconds', 84 + n, 500 FROM generate_series(1, 3) n`,
];

export async function seedWhy(databaseUrl: string): Promise<void> {
  // One transaction: all of it happens at one time.
  await rowsOf(databaseUrl, `BEGIN; ${statements.join(";\n")}; COMMIT`);
}
