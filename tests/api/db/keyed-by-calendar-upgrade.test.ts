import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { formerDatabase } from "./former-database";

const MIGRATION = "20261125205150_keyed_by_calendar";
let db: Database;
let close: () => Promise<void>;
let before: string[][];

/** In the words of the version before: two calendars with single events, a series, deleted ones, and writes in every state. */
const former = `
INSERT INTO applications (id, client_id, name) VALUES ('app', 'app', 'App');
INSERT INTO accounts (id, application_id, kind, name, email) VALUES ('acc', 'app', 'account', 'A', 'a@acme.io');
INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential) VALUES
  ('pro', 'acc', 'app', 'icloud', 'icloud', 's', 'P', 'sealed');
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name) VALUES
  ('one', 'acc', 'pro', 1, '/one/', 'C'), ('two', 'acc', 'pro', 2, '/two/', 'C');
INSERT INTO events (id, calendar_id, event_id, external_id, etag, summary, all_day, starts, ends, tzid, deleted_at)
SELECT calendar || n, calendar, CASE WHEN n < 5 THEN 'own' || n % 4 END, '/' || n, 'v', 'Event ' || n, false, now(), now() + interval '1 hour', 'Etc/UTC',
  CASE WHEN n = 4 THEN now() END FROM unnest(ARRAY['one', 'two']) calendar, generate_series(0, 9) n;
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, day, all_day, managed, state, starts, ends, changes)
SELECT id || CASE WHEN n = 0 THEN '' ELSE '-' || n END, id, calendar_id, event_id, CASE WHEN n > 0 THEN current_date + n END, false,
  event_id IS NOT NULL, CASE WHEN deleted_at IS NULL THEN n % 2 ELSE 2 END, starts + n * interval '1 day', ends + n * interval '1 day', NULL
FROM events, LATERAL generate_series(0, CASE WHEN id LIKE '%3' THEN 20 ELSE 0 END) n;
INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, removed_guests, revision, suspended, lease, refused_at)
SELECT id, calendar_id, 'pro', 'acc', '{}', 2, id LIKE '%1', CASE WHEN id LIKE '%2' THEN 'lease' END, CASE WHEN id LIKE '%3' THEN now() END
FROM events WHERE event_id IS NOT NULL;
`;

const tables = ["events", "occurrences", "provider_writes", "calendar_days"];
/** Without the column that came later. */
const stored = async (db: Database) =>
  (await Promise.all(tables.map((table) => db.query(`SELECT to_jsonb(t) - 'own_texts' AS row FROM ${table} t`)))).map(
    (rows) => rows.map((row) => JSON.stringify(row)).sort(),
  );

beforeAll(async () => {
  const { seen, ...database } = await formerDatabase({ had: (name) => name < MIGRATION, rows: former, look: stored });
  before = seen ?? [];
  ({ db, close } = database);
}, 300_000);

afterAll(() => close());

describe("events of the version before", () => {
  it("are all there, unchanged, with their occurrences, queued writes and counts", async () => {
    const after = await stored(db);
    expect(after.map(({ length }) => length)).toEqual([20, 60, 10, after[3]?.length]);
    expect(after).toEqual(before);
  });

  it("are found for a push by their calendar, and in no other", async () => {
    expect(await readForPush(db.query, { calendarId: "one", eventRow: "one2" })).toMatchObject({
      ...{ calendar: "/one/", externalId: "/2", version: "v", uid: "one2" },
      state: { summary: "Event 2" },
    });
    expect(await readForPush(db.query, { calendarId: "two", eventRow: "one2" })).toBeNull();
  });

  it("have one row for each id in a calendar, and one queued write", async () => {
    const again = (table: string, change: string) =>
      db.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table},
  (SELECT jsonb_agg(to_jsonb(t) || '${change}') FROM ${table} t WHERE calendar_id = 'one'))`);
    await expect(again("events", '{"event_id":null}')).rejects.toThrow('"events_pkey"');
    await expect(again("occurrences", "{}")).rejects.toThrow('"occurrences_pkey"');
    await expect(again("provider_writes", '{"id":1000}')).rejects.toThrow(
      /provider_writes_(calendar_id_event_row_key|pkey)/,
    );
  });

  it("take their occurrences and queued writes with them", async () => {
    await db.query("DELETE FROM events WHERE calendar_id = 'one'");
    const left = await db.query(
      "SELECT (SELECT count(*)::int FROM occurrences) AS occurrences, (SELECT count(*)::int FROM provider_writes) AS writes",
    );
    expect(left).toEqual([{ occurrences: 30, writes: 5 }]);
  });

  it("accept no occurrence and no write in a calendar that is not theirs", async () => {
    await expect(db.query("UPDATE occurrences SET calendar_id = 'one' WHERE uid = 'two1'")).rejects.toThrow(
      '"occurrences_calendar_id_master_id_fkey"',
    );
    await expect(db.query("UPDATE provider_writes SET calendar_id = 'one' WHERE event_row = 'two1'")).rejects.toThrow(
      '"provider_writes_calendar_id_event_row_fkey"',
    );
  });
});
