import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { testDatabase } from "../../fakes/test-database";

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase();
  db = connect(database.url);
  await db.query(`INSERT INTO applications (id, client_id, name) VALUES ('app', 'app', 'App')`);
  await db.query(`INSERT INTO accounts (id, application_id, kind, name, email, application_calendar_id)
VALUES ('apc', 'app', 'application_calendar', 'A', 'a@b', 'one')`);
  await db.query(`INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name)
VALUES ('pro', 'apc', 'app', 'hosted', 'hosted', 's', 'P')`);
  await db.query(
    `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name) VALUES ('cal', 'apc', 'pro', 1, 'x', 'C')`,
  );
  await db.query(`INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends)
VALUES ('evt', 'cal', 'e', 'S', false, '2026-01-01T10:00Z', '2026-01-01T11:00Z')`);
  close = async () => {
    await db.close();
    await database.close();
  };
}, 300_000);

afterAll(() => close());

const occurrence = (uid: string, change: Record<string, string> = {}) => {
  const row = {
    starts: "'2026-01-01T10:00Z'",
    ends: "'2026-01-01T11:00Z'",
    is_long: "false",
    state: "0",
    free_busy: "'busy'",
    ...change,
  };
  const names = Object.keys(row);
  return db.query(`INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, ${names.join(", ")})
VALUES ('${uid}', 'evt', 'cal', false, true, ${Object.values(row).join(", ")})`);
};

describe("what schema.prisma has no words for", () => {
  it.each([
    ["occurrences_span", { ends: "'2026-01-01T09:00Z'" }],
    ["occurrences_long_means_long", { is_long: "true" }],
    ["occurrences_state", { state: "3" }],
    ["occurrences_free_busy", { free_busy: "'away'" }],
  ])("the check %s refuses what it says", async (constraint, change) => {
    await expect(occurrence("evt_bad", change)).rejects.toThrow(constraint);
  });

  it("one living event has an event_id in a calendar; deleted ones do not count", async () => {
    const again = `INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends, deleted_at)
VALUES ($1, 'cal', 'e', 'S', false, now(), now(), $2)`;
    await expect(db.query(again, ["evt_2", null])).rejects.toThrow("events_living_event_id");
    await db.query(again, ["evt_3", new Date(0)]);
  });

  it("an event has no occurrence and no write in another calendar, and none has its id in this one", async () => {
    const calendar = `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name) VALUES ('other', 'apc', 'pro', 2, 'y', 'C')`;
    await db.query(calendar);
    const again = `INSERT INTO events (id, calendar_id, summary, all_day, starts, ends) VALUES ('evt', 'cal', 'S', false, now(), now())`;
    await expect(db.query(again)).rejects.toThrow('"events_pkey"');
    const elsewhere = `INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, starts, ends) VALUES ('u', 'evt', 'other', false, true, now(), now())`;
    await expect(db.query(elsewhere)).rejects.toThrow('"occurrences_calendar_id_master_id_fkey"');
    const write = `INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id) VALUES ('evt', $1, 'pro', 'apc')`;
    await expect(db.query(write, ["other"])).rejects.toThrow('"provider_writes_calendar_id_event_row_fkey"');
    await db.query(write, ["cal"]);
    await expect(db.query(write, ["cal"])).rejects.toThrow('"provider_writes_calendar_id_event_row_key"');
  });

  it("one open application calendar has a name in an application", async () => {
    const again = `INSERT INTO accounts (id, application_id, kind, name, email, application_calendar_id, revoked_at)
VALUES ($1, 'app', 'application_calendar', 'A', 'a@b', 'one', $2)`;
    await expect(db.query(again, ["apc_2", null])).rejects.toThrow("accounts_open_application_calendar");
    await db.query(again, ["apc_3", new Date(0)]);
  });

  it("a trigger keeps the count of each day through inserts, updates and deletes", async () => {
    const counts = () => db.query(`SELECT day::text, live, declined, deleted FROM calendar_days ORDER BY day`);
    await occurrence("evt_a");
    await occurrence("evt_b", { state: "1" });
    expect(await counts()).toEqual([{ day: "2026-01-01", live: 1, declined: 1, deleted: 0 }]);
    await db.query(
      `UPDATE occurrences SET starts = starts + interval '1 day', ends = ends + interval '1 day' WHERE uid = 'evt_a'`,
    );
    await db.query(`UPDATE occurrences SET state = 2 WHERE uid = 'evt_b'`);
    expect(await counts()).toEqual([
      { day: "2026-01-01", live: 0, declined: 0, deleted: 1 },
      { day: "2026-01-02", live: 1, declined: 0, deleted: 0 },
    ]);
    await db.query("DELETE FROM occurrences");
    expect((await counts()).every((row) => Object.values({ ...row, day: 0 }).every((count) => count === 0))).toBe(true);
  });

  it("triggers note the account of a mailbox while it is disconnected, and while its syncs fail", async () => {
    const noted = async () => {
      const [row] = await db.query(`SELECT p.disconnected_account_created_at = a.created_at AS disconnected,
  (s.failing_account_id, s.failing_account_created_at) = (a.id, a.created_at) AS failing
FROM profiles p JOIN accounts a ON a.id = p.account_id JOIN profile_syncs s ON s.profile_id = p.id WHERE p.id = 'pro'`);
      return row;
    };
    const set = (table: string, key: string, change: string) =>
      db.query(`UPDATE ${table} SET ${change} WHERE ${key} = 'pro'`);
    expect(await noted()).toEqual({ disconnected: null, failing: null });
    await set("profiles", "id", "credential = 'x'");
    await set("profile_syncs", "profile_id", "sync_failures = 2");
    expect(await noted()).toEqual({ disconnected: null, failing: null });
    await set("profile_syncs", "profile_id", "sync_failures = sync_failures + 1");
    await set("profile_syncs", "profile_id", "sync_failures = sync_failures + 1");
    expect(await noted()).toEqual({ disconnected: null, failing: true });
    await set("profiles", "id", "connected = false");
    expect(await noted()).toEqual({ disconnected: true, failing: null });
    await set("profiles", "id", "connected = true");
    expect(await noted()).toEqual({ disconnected: null, failing: true });
    await set("profile_syncs", "profile_id", "sync_failures = 0");
    await set("profiles", "id", "credential = NULL");
    expect(await noted()).toEqual({ disconnected: null, failing: null });
    await db.query(`INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected)
VALUES ('pro_2', 'apc', 'app', 'hosted', 'hosted', 's2', 'P', false)`);
    const inserted = "SELECT disconnected_account_created_at IS NOT NULL AS noted FROM profiles WHERE id = 'pro_2'";
    expect(await db.query(inserted)).toEqual([{ noted: true }]);
  });

  it("audit entries are only ever added", async () => {
    await db.query(`INSERT INTO audit_entries (actor, action, object) VALUES ('a', 'b', 'c')`);
    await expect(db.query(`UPDATE audit_entries SET actor = 'x'`)).rejects.toThrow("only ever added");
    await expect(db.query("DELETE FROM audit_entries")).rejects.toThrow("only ever added");
  });

  it.each([
    "occurrences_window",
    "occurrences_window_deleted",
    "occurrences_long",
    "events_content_changed",
    "channels_open",
    "deliveries_due",
    "events_to_continue",
    "calendars_to_continue",
    "request_logs_facets",
    "accounts_email_prefix",
    "accounts_calendar_name",
    "profiles_disconnected",
    "profiles_disconnected_newest",
    "profiles_disconnected_of_application",
    "profile_syncs_failing_newest",
    "profile_syncs_failing_of_application",
    "provider_writes_refused",
  ])("there is the index %s", async (name) => {
    expect(await db.query("SELECT 1 AS one FROM pg_indexes WHERE indexname = $1", [name])).toEqual([{ one: 1 }]);
  });
});
