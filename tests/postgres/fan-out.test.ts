import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { connect, type Database, type Query } from "@/server/db/client";
import { locks } from "@/server/db/locks";
import { provideEnv } from "@/server/env";
import { putSignal } from "@/server/store/channels/outbox";
import { fanOut } from "@/server/webhooks/fan-out";
import { bundledProgram } from "@/tests/fakes/bundled-program";
import { fakeClock } from "@/tests/fakes/clock";
import { testDatabase } from "@/tests/fakes/test-database";
import { named } from "@/tests/rig/database";
import { seedAccount, seedApplication, seedChannels } from "@/tests/rig/seed";

const ACCOUNTS = 170;
/** As many accounts a process claims together. */
const AT_ONCE = 50;
const CHANGES = 3;
const HELD = 7;

const program = `import { connect } from "@/server/db/client";
import { fanOut } from "@/server/webhooks/fan-out";
const db = connect(process.env.DATABASE_URL);
process.on("message", async () => process.send(await fanOut(db)));
process.send("ready");`;

const folder = mkdtempSync(join(tmpdir(), "almanac-fan-out-"));
const file = join(folder, "program.mjs");
const children: ChildProcess[] = [];
let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let accounts: string[];

beforeAll(async () => {
  database = await testDatabase();
  // Vite puts its own BASE_URL into the environment of every test.
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost" });
  db = connect(database.url);
  writeFileSync(file, bundledProgram(program));
  const application = await seedApplication(db);
  accounts = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const { accountId } = await seedAccount(db, application);
    await seedChannels(db, { accountId, urls: ["https://one.acme.io/hook", "https://other.acme.io/hook"] });
    accounts.push(accountId);
  }
  await db.query(
    `CREATE TABLE makers (id text PRIMARY KEY, by text);
CREATE FUNCTION note_maker() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
  IF current_setting(''application_name'') = ''killed'' THEN PERFORM pg_advisory_xact_lock(${HELD}); END IF;
  INSERT INTO makers VALUES (NEW.id, current_setting(''application_name'')); RETURN NULL; END';
CREATE TRIGGER note_maker AFTER INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION note_maker()`,
  );
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await db.query("TRUNCATE deliveries, attempts, makers, outbox");
});

/** A change of each account several times, one after another, and the verification of each channel, all due. */
async function seedSignals(): Promise<void> {
  await db.query(
    `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
SELECT 'change', account_id, 'cal_1', json_build_object('managed', false, 'at', 1750000000000), clock_timestamp() - interval '1 minute' + n * interval '1 ms'
FROM unnest($1::text[]) WITH ORDINALITY AS a(account_id, n), generate_series(1, $2) UNION ALL
SELECT 'verification', account_id, id, '{}', clock_timestamp() - interval '1 minute' FROM channels`,
    [accounts, CHANGES],
  );
}

const made = () =>
  db.query<{ type: string; n: number; channels: number }>(
    "SELECT type, count(*)::int AS n, count(DISTINCT channel_id)::int AS channels FROM deliveries GROUP BY type ORDER BY type",
  );
const all = 2 * ACCOUNTS;
const each = [
  { type: "change", n: all, channels: all },
  { type: "verification", n: all, channels: all },
];
const waitingAccounts = async () =>
  (await db.query<{ account: string }>("SELECT DISTINCT account_id AS account FROM outbox")).map(
    ({ account }) => account,
  );

interface Process {
  child: ChildProcess;
  /** How many accounts it processed. */
  fanOut(): Promise<number>;
}

async function processNamed(name: string): Promise<Process> {
  const child = fork(file, { env: { ...process.env, DATABASE_URL: named(database.url, name) } });
  children.push(child);
  const heard = () => new Promise<unknown>((done) => child.once("message", done));
  await heard();
  return {
    child,
    fanOut: async () => {
      const answer = heard();
      child.send({});
      return Number(await answer);
    },
  };
}

it("processes share the accounts, and one that is killed with some of them loses and doubles nothing", async () => {
  await seedSignals();
  const [killed, ...others] = await Promise.all(["killed", "second", "third"].map(processNamed));
  await db.transaction(async (query) => {
    await query(`SELECT pg_advisory_xact_lock(${HELD})`);
    void killed?.fanOut();
    const blocked = "SELECT FROM pg_stat_activity WHERE application_name = 'killed' AND wait_event = 'advisory'";
    await expect.poll(async () => (await db.query(blocked)).length).toBe(1);
    const handled = await Promise.all(others.map((one) => one.fanOut()));
    // Nobody waits for those that the first one has, and each of the others did some.
    expect(handled.reduce((sum, n) => sum + n)).toBe(ACCOUNTS - AT_ONCE);
    expect(await waitingAccounts()).toHaveLength(AT_ONCE);
    killed?.child.kill("SIGKILL");
  });
  const gone = "SELECT FROM pg_stat_activity WHERE application_name = 'killed'";
  await expect.poll(async () => (await db.query(gone)).length).toBe(0);
  await others[0]?.fanOut();
  expect(await made()).toEqual(each);
  expect(await waitingAccounts()).toEqual([]);
  const makers = await db.query<{ by: string }>("SELECT DISTINCT by FROM makers");
  expect(makers.map(({ by }) => by)).not.toContain("killed");
});

it("triggers that are due when their process is killed fire once, and none is lost", async () => {
  await db.query("TRUNCATE triggers CASCADE");
  await db.query(
    `WITH e AS (INSERT INTO events (id, calendar_id, summary, all_day, starts, ends)
  SELECT 'evt_' || k.account_id, k.id, 'Now', false, clock_timestamp() - interval '1 second', clock_timestamp() + interval '1 hour'
  FROM calendars k WHERE k.account_id = ANY ($1::text[]) RETURNING *),
o AS (INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, starts, ends) SELECT id, id, calendar_id, false, false, starts, ends FROM e RETURNING uid),
t AS (INSERT INTO triggers (id, account_id, channel_id, anchor, minutes, calendar_ids, fired_until, created_at)
  SELECT 'trg_' || account_id, account_id, min(id), 'start', 0, '{}', now() - interval '1 minute', now() - interval '1 minute' FROM channels GROUP BY account_id RETURNING id, account_id)
INSERT INTO outbox (kind, account_id, subject, due_at) SELECT 'trigger', account_id, id, clock_timestamp() FROM t`,
    [accounts],
  );
  const [killed, other] = await Promise.all(["killed", "fourth"].map(processNamed));
  await db.transaction(async (query) => {
    await query(`SELECT pg_advisory_xact_lock(${HELD})`);
    void killed?.fanOut();
    const blocked = "SELECT FROM pg_stat_activity WHERE application_name = 'killed' AND wait_event = 'advisory'";
    await expect.poll(async () => (await db.query(blocked)).length).toBe(1);
    killed?.child.kill("SIGKILL");
  });
  const gone = "SELECT FROM pg_stat_activity WHERE application_name = 'killed'";
  await expect.poll(async () => (await db.query(gone)).length).toBe(0);
  for (let i = 0; i < 2; i++) await other?.fanOut();
  expect(await made()).toEqual([{ type: "trigger", n: ACCOUNTS, channels: ACCOUNTS }]);
  const [fired] = await db.query("SELECT count(*)::int AS n, count(DISTINCT trigger_id)::int AS triggers FROM firings");
  expect(fired).toEqual({ n: ACCOUNTS, triggers: ACCOUNTS });
});

it("many accounts that others have hide none behind them", async () => {
  await seedSignals();
  const held = accounts.slice(0, ACCOUNTS - 5);
  const handled = await db.transaction(async (query) => {
    await query(`SELECT pg_advisory_xact_lock(${locks.accountSignals}, hashtext(id)) FROM unnest($1::text[]) id`, [
      held,
    ]);
    return await fanOut(db);
  });
  expect(handled).toBe(5);
  expect(await fanOut(db)).toBe(held.length);
  expect(await made()).toEqual(each);
});

it("fifty accounts share a transaction and its statements", async () => {
  await seedSignals();
  let transactions = 0;
  let statements = 0;
  const counted: Database = {
    ...db,
    transaction: (work, lock) => {
      transactions += 1;
      const counting = (query: Query): Query => {
        return (text, values) => {
          statements += 1;
          return query(text, values);
        };
      };
      return db.transaction((query, prisma) => work(counting(query), prisma), lock);
    },
  };
  expect(await fanOut(counted)).toBe(ACCOUNTS);
  const pieces = Math.ceil(ACCOUNTS / AT_ONCE);
  expect(transactions).toBe(pieces + 1);
  expect(statements).toBeLessThanOrEqual(6 * pieces + 1);
});

it("an account that fails keeps nothing from those that it was claimed with", async () => {
  // What is tried again in two seconds is not due again before the others are done.
  fakeClock();
  await seedSignals();
  const [broken = ""] = accounts;
  await db.transaction((query) =>
    putSignal(query, { kind: "profile_disconnected", accountId: broken, subject: "pro_1", payload: {} }),
  );
  await db.query("UPDATE channels SET callback_url = 'no URL' WHERE account_id = $1", [broken]);
  expect(await fanOut(db)).toBe(ACCOUNTS);
  expect(await waitingAccounts()).toEqual([broken]);
  const made = await db.query("SELECT DISTINCT account_id FROM deliveries");
  expect(made).toHaveLength(ACCOUNTS - 1);
  await db.query("UPDATE channels SET callback_url = 'https://one.acme.io/hook' WHERE account_id = $1", [broken]);
});
