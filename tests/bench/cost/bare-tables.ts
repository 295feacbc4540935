import { createHash } from "node:crypto";
import pg from "pg";
import type { Opened } from "@/tests/bench/cost/accounts";

/** What could serve the same pages with the least work: tokens, and flat rows under the index that a page needs. */
export const flatTables = `
CREATE TABLE tokens (digest bytea PRIMARY KEY, account_id text, calendar_id text, email text, name text, tzid text);
CREATE TABLE flat_events (uid text, calendar_id text, event_id text, summary text, description text, location jsonb, starts timestamptz,
  ends timestamptz, created timestamptz, updated timestamptz, status text, transparency text, private boolean, participation_status text,
  organizer jsonb, attendees jsonb, PRIMARY KEY (calendar_id, starts, uid));
CREATE UNIQUE INDEX ON flat_events (calendar_id, event_id)`;

const token = "INSERT INTO tokens VALUES ($1, 'acc_' || $2::text, $2, 'ann@acme.io', 'Cost', 'Etc/UTC')";

/** So many rows of a calendar: two a day, from the first day of `openAccounts` on and with its texts. */
export const flatRows = {
  name: "rows",
  text: `INSERT INTO flat_events
SELECT 'evt_' || md5($1::text || n), $1, 'e' || n, 'Planning round', $2, '{"description":"Room 12"}', starts, starts + interval '45 minutes',
  now(), now(), 'confirmed', 'opaque', false, 'accepted', '{"email":"ann@acme.io","display_name":"Cost"}', '[]'
FROM (SELECT n, now() - interval '40 days' + n * interval '12 hours' AS starts FROM generate_series(1, $3::int) n) s`,
};

/** Creates and fills the tables of bare.ts, for the same tokens. */
export async function fillBare(url: string, accounts: readonly Opened[], text: { description: string; rows: number }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(flatTables);
  for (const { accessToken, calendarId } of accounts) {
    await client.query(token, [createHash("sha256").update(accessToken).digest(), calendarId]);
    await client.query({ ...flatRows, values: [calendarId, text.description, text.rows] });
  }
  await client.query("VACUUM ANALYZE");
  await client.end();
}
