import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { formerDatabase } from "./former-database";

const MIGRATION = "20261125235545_calendar_months";

let db: Database;
let close: () => Promise<void>;

/** In the words of the version before: two years of a daily series in one calendar, a day in the other. */
const former = `INSERT INTO applications (id, client_id, name) VALUES ('app', 'app', 'App');
INSERT INTO accounts (id, application_id, kind, name, email) VALUES ('acc', 'app', 'account', 'A', 'a@acme.io');
INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name) VALUES ('pro', 'acc', 'app', 'hosted', 'hosted', 's', 'P');
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name) VALUES ('one', 'acc', 'pro', 1, 'one', 'One'), ('two', 'acc', 'pro', 2, 'two', 'Two');
INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends) SELECT 'evt_' || calendar, calendar, CASE calendar WHEN 'one' THEN 'e' END, '', false, now(), now()
FROM unnest(ARRAY['one', 'two']) calendar;
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, day, all_day, managed, state, starts, ends)
SELECT 'one-' || n, 'evt_one', 'one', 'e', date '2026-01-01' + n, false, true, n % 3, timestamptz '2026-01-01 23:59Z' + n * interval '1 day', timestamptz '2026-01-02 00:30Z' + n * interval '1 day'
FROM generate_series(0, 729) n;
INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, state, starts, ends)
VALUES ('two-0', 'evt_two', 'two', true, false, 0, '2026-02-28 00:00Z', '2026-03-01 00:00Z');
DELETE FROM occurrences WHERE uid = 'one-40'`;

beforeAll(async () => {
  ({ db, close } = await formerDatabase({ had: (name) => name < MIGRATION, rows: former }));
}, 300_000);

afterAll(() => close());

it("what the version before counted by day is counted by month", async () => {
  const kept = await db.query(
    `SELECT calendar_id, all_day, managed, month::text, live, declined, deleted FROM calendar_months ORDER BY 1, 2, 3, 4`,
  );
  const counted = await db.query(
    `SELECT calendar_id, all_day, managed, date_trunc('month', starts AT TIME ZONE 'UTC')::date::text AS month, count(*) FILTER (WHERE state = 0)::int AS live,
  count(*) FILTER (WHERE state = 1)::int AS declined, count(*) FILTER (WHERE state = 2)::int AS deleted FROM occurrences GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
  expect(kept).toHaveLength(25);
  expect(kept).toEqual(counted);
});
