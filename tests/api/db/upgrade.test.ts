import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStructure } from "@/prisma/structure.mjs";
import type { Database } from "@/server/db/client";
import { digest, seal } from "@/server/db/sealed";
import { runOne } from "@/server/db/statement";
import { type Day, parseDay } from "@/server/domain/time/day";
import { requestById } from "@/server/services/staff/requests/requests.sql";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { resumeWrites } from "@/server/store/provider-writes/transitions";
import { ensurePartition } from "@/server/store/request-logs/partitions";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { seedChannels, seedDeliveries } from "../../rig/seed";
import { formerDatabase, GROUND, recordReplaced } from "./former-database";

let db: Database;
let applied: string[];
let close: () => Promise<void>;
let receiver: Receiver;
let pending: string[];

/** In the words of the last version with the 65 migrations: two CalDAV mailboxes, one of them disconnected, a series and queued writes. */
const mailboxes = `WITH account AS (INSERT INTO accounts (id, application_id, kind, name, email) SELECT 'acc', id, 'account', 'A', 'a@acme.io' FROM applications
    RETURNING application_id AS app),
  profile AS (INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, credential)
    SELECT id, 'acc', app, 'icloud', 'icloud', id, 'P', id = 'on', 'sealed' FROM account, unnest(ARRAY['on', 'off']) id),
  calendar AS (INSERT INTO calendars (id, account_id, profile_id, number, external_id, name)
    VALUES ('cal', 'acc', 'on', 1, '/one/', 'C'), ('gone', 'acc', 'off', 2, '/two/', 'C')),
  event AS (INSERT INTO events (id, calendar_id, event_id, external_id, etag, summary, all_day, starts, ends, tzid, recurrence, base_recurrence) VALUES
    ('evt_1', 'cal', 'e1', '/one/1.ics', '"v1"', 'Series', false, '2026-12-01T10:00Z', '2026-12-01T11:00Z', 'Etc/UTC',
      '{"rules":[{"frequency":"daily"}],"rule":{"frequency":"daily","interval":1,"count":null,"until":null,"byDay":[]},"skipped":[],"changed":[]}',
      '{"rules":[{"frequency":"daily"}],"rule":{"frequency":"daily","interval":1,"count":null,"until":null,"byDay":[]},"skipped":["2026-12-03"],"changed":[]}'),
    ('evt_2', 'gone', 'e2', NULL, NULL, 'Waits', false, '2026-12-01T10:00Z', '2026-12-01T11:00Z', 'Etc/UTC', NULL, NULL)),
  occurrence AS (INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, managed, starts, ends)
    VALUES ('uid_2', 'evt_2', 'gone', 'e2', false, true, '2026-12-01T10:00Z', '2026-12-01T11:00Z'))
INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, revision, removed_guests, changed_fields, remote_change_deferred, suspended, last_error)
VALUES ('evt_1', 'cal', 'on', 'acc', 4, '{}', '{summary,2026-12-03}', true, false, NULL),
  ('evt_2', 'gone', 'off', 'acc', 1, '{}', NULL, false, true, 'credentials_rejected')`;

const REQUEST = "01900000-0000-7000-8000-000000000001";
const request = `INSERT INTO request_logs (id, expires_on, request_id, at, method, path, status, duration_ms, request_headers, request_body, response_headers)
VALUES ('${REQUEST}', '2030-01-01', 'req', now(), 'POST', '/v1/channels', 422, 1, '{"host":"api.acme.io"}', '{"url":null}', '{"age":"1"}')`;

beforeAll(async () => {
  receiver = await startReceiver();
  const fill = async (former: Database) => {
    await recordReplaced(former);
    await former.query("INSERT INTO applications (id, client_id, name) VALUES ('app', 'client', 'Rig')");
    const secret = seal("secret", { table: "client_secrets", column: "sealed", row: "sec" });
    await former.query(
      "INSERT INTO client_secrets (id, application_id, sealed, digest, last_four) VALUES ('sec', 'app', $1, $2, 'cret')",
      [secret, digest("secret")],
    );
    await former.query(mailboxes);
    await ensurePartition(former, parseDay("2030-01-01") as Day);
    await former.query(request);
    const channels = await seedChannels(former, { accountId: "acc", urls: [receiver.url("/hook")] });
    pending = await seedDeliveries(former, channels, 2);
  };
  ({ db, applied, close } = await formerDatabase({ had: (name) => name === GROUND, fill }));
}, 300_000);

afterAll(async () => {
  await close();
  await receiver.close();
});

describe("a database of the 65 migrations before 1.0", () => {
  it("has the ground in their place, and the migrations since then", async () => {
    const rows = await db.query<{ name: string; logs: string | null }>(
      "SELECT migration_name AS name, logs FROM _prisma_migrations ORDER BY migration_name",
    );
    expect(rows[0]).toEqual({ name: GROUND, logs: null });
    expect(rows.slice(1).map(({ name }) => name)).toEqual(applied);
    expect(applied[0]).toBe("20261127181848_refused_by_providers");
  });

  it("has what structure.sql lists", async () => {
    const { text } = await readStructure((statement) => db.query(statement));
    expect(text).toBe(await readFile("prisma/structure.sql", "utf8"));
  });

  it("delivers what is pending", async () => {
    await dispatcher({ db: () => db, allowedOrigins: [receiver.origin] }).drain(20_000);
    expect(receiver.got).toHaveLength(2);
    const states = await db.query("SELECT id, state::text AS state FROM deliveries ORDER BY id");
    expect(states).toEqual(pending.toSorted().map((id) => ({ id, state: "delivered" })));
  });

  it("goes on with a queued write: its base, what was changed, and that the provider's change was deferred", async () => {
    expect(await readForPush(db.query, { calendarId: "cal", eventRow: "evt_1" })).toMatchObject({
      ...{ calendar: "/one/", externalId: "/one/1.ics", version: '"v1"', isRemoteChangeDeferred: true },
      ...{ base: { skipped: ["2026-12-03"] }, changedFields: ["summary", "2026-12-03"] },
      state: { summary: "Series", ruleSeries: { skipped: [] } },
    });
  });

  it("shows a request with its headers and bodies", async () => {
    expect(await runOne(db.query, requestById, [REQUEST])).toMatchObject({
      ...{ requestHeaders: { host: "api.acme.io" }, requestBody: { url: null } },
      ...{ responseHeaders: { age: "1" }, responseBody: null },
    });
  });

  it("lets the writes of a disconnected profile go on when it is connected again", async () => {
    await db.transaction((query) => resumeWrites(query, "off"));
    const writes = await db.query("SELECT suspended, last_error FROM provider_writes WHERE event_row = 'evt_2'");
    expect(writes).toMatchObject([{ suspended: false }]);
  });
});
