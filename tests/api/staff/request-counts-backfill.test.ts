import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, it, onTestFinished } from "vitest";
import { applyMigrations } from "@/server/db/migrations";

const NAME = "20261121070000_hourly_traffic";
const all = resolve("prisma/migrations");
/** All migrations are applied in this process, which takes a while on a machine that has other work. */
const PATIENCE_MS = 300_000;

/** A database as it was before the migration, and what applies the migration to it. */
async function before() {
  const database = new PGlite();
  const folder = await mkdtemp(join(tmpdir(), "almanac-migrations-"));
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  for (const name of await readdir(all)) {
    if (name < NAME) await cp(join(all, name), join(folder, name), { recursive: true });
  }
  const connection = {
    run: (script: string) => database.exec(script),
    rows: async (statement: string, values: unknown[]) =>
      (await database.query<Record<string, unknown>>(statement, values)).rows,
  };
  await applyMigrations(connection, folder);
  return { database, migrate: () => applyMigrations(connection, all) };
}

it("what was counted by the minute is counted by the hour, and replays keep their figures", {
  timeout: PATIENCE_MS,
}, async () => {
  const { database, migrate } = await before();
  await database.exec(`SET TIME ZONE 'Asia/Kolkata';
INSERT INTO request_counts (minute, application_id, requests, client_errors, server_errors, throttled) VALUES
  ('2026-11-21T10:00:00Z', 'app_1', 3, 1, 1, 1), ('2026-11-21T10:59:00Z', 'app_1', 4, 2, 0, 0), ('2026-11-21T11:00:00Z', 'app_1', 5, 0, 0, 0),
  ('2026-11-21T10:30:00Z', 'app_2', 6, 0, 6, 0), ('2026-11-21T10:31:00Z', '', 7, 7, 0, 0), ('2026-10-25T10:31:00Z', '', 8, 0, 0, 0);
INSERT INTO applications (id, client_id, name, updated_at) VALUES ('app_1', 'one', 'One', now());
INSERT INTO accounts (id, application_id, kind, name, email) VALUES ('acc_1', 'app_1', 'account', 'Ann', 'ann@acme.io');
INSERT INTO channels (id, account_id, callback_url, calendar_ids, sealed_secret) VALUES ('chn_1', 'acc_1', 'https://a.io', '{}', '');
INSERT INTO replays (id, operator_id, filters, total, taken, skipped, state, due_at, created_at) VALUES
  ('rpl_1', 'opr_1', '{}', 9, 9, 2, 'done', now(), now()), ('rpl_2', 'opr_1', '{}', 9, 6, 1, 'running', now(), now());
INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, attempts, replay_from, replay_id)
SELECT 'whd_' || n, 'chn_1', 'acc_1', 'app_1', 'change', '{}', 'a.io', 10 + n, 10, 'rpl_2' FROM generate_series(0, 1) n;`);
  expect((await migrate())[0]).toBe(NAME);
  const { rows } = await database.query(
    `SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS hour, application_id, requests, client_errors, server_errors, throttled
FROM request_counts_by_hour ORDER BY 1, 2`,
  );
  expect(rows.map((row) => Object.values(row as object))).toEqual([
    ["2026-10-25 10:00", "", 8, 0, 0, 0],
    ["2026-11-21 10:00", "", 7, 7, 0, 0],
    ["2026-11-21 10:00", "app_1", 7, 3, 1, 1],
    ["2026-11-21 10:00", "app_2", 6, 0, 6, 0],
    ["2026-11-21 11:00", "app_1", 5, 0, 0, 0],
  ]);
  const replays = await database.query(
    "SELECT id, closed, begun, taken_back FROM replays JOIN replay_tallies ON replay_id = id ORDER BY id",
  );
  expect(replays.rows).toEqual([
    { id: "rpl_1", closed: 2, begun: 7, taken_back: 0 },
    { id: "rpl_2", closed: 1, begun: 4, taken_back: 0 },
  ]);
});
