import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { resumeWrites } from "@/server/store/provider-writes/suspend";
import { formerDatabase } from "./former-database";

/** The last migration before columns and enums got the names of the field. */
const BEFORE = "20261122060000_profile_disconnected_at";
let db: Database;
let close: () => Promise<void>;

/** What a version before wrote, in its own words: a connected and a disconnected CalDAV profile, series, queued writes, a pending delivery. */
const former = `
INSERT INTO applications (id, client_id, name) VALUES ('app', 'app', 'App');
INSERT INTO accounts (id, application_id, kind, name, email) VALUES ('acc', 'app', 'account', 'A', 'a@acme.io');
INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, credential, sync_error) VALUES
  ('on', 'acc', 'app', 'prov_d', 'svc_d1', 's1', 'P', true, 'sealed', NULL),
  ('off', 'acc', 'app', 'prov_d', 'svc_d1', 's2', 'P', false, 'sealed', 'signed_out'),
  ('g', 'acc', 'app', 'prov_a', 'svc_a2', 's3', 'P', true, 'sealed', 'stale_cursor');
UPDATE profiles SET sync_failures = 3 WHERE id IN ('g', 'off');
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name) VALUES
  ('cal', 'acc', 'on', 1, '/one/', 'C'), ('gone', 'acc', 'off', 2, '/two/', 'C');
INSERT INTO events (id, calendar_id, event_id, external_id, etag, summary, all_day, starts, ends, tzid, agreed_series, recurrence, foreign_rule, said_at) VALUES
  ('evt_1', 'cal', 'e1', '/one/1.ics', '"v1"', 'Series', false, '2026-12-01T10:00Z', '2026-12-01T11:00Z', 'Etc/UTC',
    '{"rules":[{"frequency":"daily"}],"rule":{"frequency":"daily","interval":1,"count":null,"until":null,"byDay":[]},"skipped":["2026-12-03"],"changed":[]}',
    '{"rules":[{"frequency":"daily"}],"rule":{"frequency":"daily","interval":1,"count":null,"until":null,"byDay":[]},"skipped":[],"changed":[]}', NULL, '2026-11-22T00:00Z'),
  ('evt_2', 'gone', 'e2', '/two/2.ics', NULL, 'Waits', false, '2026-12-01T10:00Z', '2026-12-01T11:00Z', 'Etc/UTC', NULL, NULL, NULL, NULL),
  ('evt_3', 'cal', NULL, '/one/3.ics', '"v3"', 'Provider', false, '2026-12-01T10:00Z', '2026-12-01T11:00Z', 'Etc/UTC', NULL, NULL,
    '{"start":0,"allDay":false,"tzid":"Etc/UTC","duration":{"days":0,"exact":3600000},"rrules":["FREQ=HOURLY;COUNT=5"],"exrules":[],"rdates":[],"exdates":[],"overrides":[]}', NULL);
INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, round, notify, removed_guests, touched, passed_over, parked, undone_at, last_error, refused_at) VALUES
  ('evt_1', 'cal', 'on', 'acc', 4, true, '{}', '{summary,2026-12-03}', true, false, NULL, NULL, NULL),
  ('evt_2', 'gone', 'off', 'acc', 1, false, '{}', NULL, false, true, NULL, 'signed_out', NULL),
  ('evt_3', 'cal', 'on', 'acc', 2, false, '{}', '{}', false, false, now(), 'http_403', now());
UPDATE events SET conferencing = '{"provider":"meet_b_legacy2","join_url":"https://join.skype.com/AbCd"}' WHERE id = 'evt_1';
UPDATE events SET conferencing = '{"pending":true}' WHERE id = 'evt_2';
UPDATE events SET foreign_rule = jsonb_set(foreign_rule, '{overrides}', '[{"recurrenceId":0,"fields":{"summary":"Plain"}},
  {"recurrenceId":1,"fields":{"conferencing":{"provider":"meet_a","join_url":"https://meet.google.com/abc"}}}]') WHERE id = 'evt_3';
INSERT INTO occurrences (uid, master_id, calendar_id, day, starts, ends, all_day, managed, changes)
SELECT 'uid_3', 'evt_3', 'cal', '2026-12-01', '2026-12-01T10:00Z', '2026-12-01T11:00Z', false, false,
  '{"summary":"Own","conferencing":{"provider":"meet_a","join_url":"https://meet.google.com/abc"}}';
UPDATE events SET conferencing = '{"provider":"other","join_url":"https://zoom.us/j/1"}' WHERE id = 'evt_3';
INSERT INTO channels (id, account_id, callback_url, sealed_secret) VALUES ('chn', 'acc', 'https://hooks.acme.io/cb', 'sealed');
INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, next_attempt_at) VALUES
  ('whd', 'chn', 'acc', 'app', 'change', '{}', 'hooks.acme.io', now());
`;

beforeAll(async () => {
  ({ db, close } = await formerDatabase({ had: (name) => name <= BEFORE, rows: former }));
}, 300_000);

afterAll(() => close());

describe("a database of the version before", () => {
  it("names providers, services and errors in the words of today", async () => {
    expect(
      await db.query(
        "SELECT id, p.provider, service, sync_error FROM profiles p JOIN profile_syncs ON profile_id = id ORDER BY id",
      ),
    ).toEqual([
      { id: "g", provider: "google", service: "google_workspace", sync_error: "sync_token_expired" },
      { id: "off", provider: "icloud", service: "icloud", sync_error: "credentials_rejected" },
      { id: "on", provider: "icloud", service: "icloud", sync_error: null },
    ]);
  });

  it("has its disconnected and its failing mailboxes in the order of staff's list", async () => {
    expect(
      await db.query(`SELECT p.id, disconnected_account_created_at = created.at AS disconnected, failing_account_id AS failing,
  failing_account_created_at = created.at AS "since" FROM profiles p JOIN profile_syncs ON profile_id = id,
  LATERAL (SELECT created_at AS at FROM accounts WHERE id = 'acc') created ORDER BY p.id`),
    ).toEqual([
      { id: "g", disconnected: null, failing: "acc", since: true },
      { id: "off", disconnected: true, failing: null, since: null },
      { id: "on", disconnected: null, failing: null, since: null },
    ]);
  });

  it("goes on with a queued write: its base, what was changed, and that the provider's change was deferred", async () => {
    expect(await readForPush(db.query, { calendarId: "cal", eventRow: "evt_1" })).toMatchObject({
      ...{ calendar: "/one/", externalId: "/one/1.ics", version: '"v1"', isRemoteChangeDeferred: true },
      name: `${createHash("sha256").update("evt_1").digest("hex")}.ics`,
      ...{ base: { skipped: ["2026-12-03"] }, changedFields: ["summary", "2026-12-03"] },
      state: { summary: "Series", ruleSeries: { skipped: [] }, icalRecurrence: null },
    });
    const [write] = await db.query("SELECT revision, notify, suspended FROM provider_writes WHERE event_row = 'evt_1'");
    expect(write).toEqual({ revision: 4, notify: true, suspended: false });
  });

  it("names the services of meetings as providers are, and leaves other links as they are", async () => {
    const links = await db.query<{ link: unknown }>("SELECT conferencing AS link FROM events ORDER BY id");
    expect(links.map(({ link }) => link)).toEqual([
      { provider: "skype", join_url: "https://join.skype.com/AbCd" },
      { pending: true },
      { provider: "other", join_url: "https://zoom.us/j/1" },
    ]);
    const own = { provider: "google_meet", join_url: "https://meet.google.com/abc" };
    const [event] = await db.query<{ overrides: unknown[] }>(
      "SELECT ical_recurrence -> 'overrides' AS overrides FROM events WHERE id = 'evt_3'",
    );
    expect(event?.overrides).toEqual([
      { recurrenceId: 0, fields: { summary: "Plain" } },
      { recurrenceId: 1, fields: { conferencing: own } },
    ]);
    expect(await db.query("SELECT changes FROM occurrences WHERE uid = 'uid_3'")).toEqual([
      { changes: { summary: "Own", conferencing: own } },
    ]);
  });

  it("keeps a provider's series, a reverted write and a pending delivery", async () => {
    const [event] = await db.query<{ rule: { rrules: string[] } }>(
      "SELECT ical_recurrence AS rule FROM events WHERE id = 'evt_3'",
    );
    expect(event?.rule.rrules).toEqual(["FREQ=HOURLY;COUNT=5"]);
    const reverted = await db.query("SELECT last_error FROM provider_writes WHERE reverted_at IS NOT NULL");
    expect(reverted).toEqual([{ last_error: "http_403" }]);
    expect(await db.query("SELECT id, state::text AS state FROM deliveries")).toEqual([
      { id: "whd", state: "pending" },
    ]);
  });

  it("lets the writes of a disconnected profile go on when it is connected again", async () => {
    const waiting = () => db.query("SELECT suspended, last_error FROM provider_writes WHERE event_row = 'evt_2'");
    expect(await waiting()).toEqual([{ suspended: true, last_error: "credentials_rejected" }]);
    await db.transaction((query) => resumeWrites(query, "off"));
    expect(await waiting()).toMatchObject([{ suspended: false }]);
  });
});
