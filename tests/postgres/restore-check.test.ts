import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { connect, db } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { provideEnv } from "@/server/env";
import { exitCodeOf, type Finding, reportText } from "@/server/front-door/doctor/report";
import { checked } from "@/server/front-door/restore-check/restore-check";
import { bootstrap } from "@/server/services/bootstrap";
import { startEnvironment } from "@/tests/fakes/start-script";
import { emptyDatabase, type TestDatabase, testDatabase } from "@/tests/fakes/test-database";
import { until } from "@/tests/rig/until";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "almanac-restore-check-test-"));
const dump = join(folder, "almanac.dump");
const key = () => `k1:${randomBytes(32).toString("base64")}`;
const SECRET = "a client's own secret";
const scratch = () => db().query("SELECT datname FROM pg_database WHERE datname LIKE 'almanac_restore_check%'");
let database: TestDatabase;
let source: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  source = {
    ...{ DATABASE_URL: database.url, ENCRYPTION_KEYS: key(), DATA_DIR: folder },
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Restored", client_id: "restored", client_secret: SECRET }]),
  };
  await context.database?.close();
  context.database = connect(database.url);
  await bootstrap(provideEnv(source), { isEmbedded: false });
  execFileSync("pg_dump", ["--format=custom", `--file=${dump}`, database.url]);
});

afterEach(async () => {
  expect(await scratch()).toEqual([]);
});

afterAll(async () => {
  await db().close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const check = async (args: string[], changes: Record<string, string> = {}) =>
  await checked({ root, source: { ...source, ...changes }, args });
const statuses = (findings: Finding[]) => Object.fromEntries(findings.map(({ check, status }) => [check, status]));
const textOf = (findings: Finding[], name: string) => findings.find((one) => one.check === name)?.text;
const exit = (findings: Finding[]) => exitCodeOf(findings, { isStrict: false });
const sound = { dump: "ok", restore: "ok", migrations: "ok", rows: "ok", "encryption keys": "ok", cleanup: "ok" };

describe("a sound backup", () => {
  it("is restored, counted and opened, from a file", async () => {
    const findings = await check(["--dump", dump]);
    expect(statuses(findings)).toEqual(sound);
    expect(textOf(findings, "rows")).toMatch(/^1 applications, 0 accounts, 0 calendars, /);
    expect(textOf(findings, "encryption keys")).toBe("ENCRYPTION_KEYS open all 1 encrypted values.");
    expect(textOf(findings, "migrations")).toBe("It is of this version.");
    expect(exit(findings)).toBe(0);
  });

  it("is made first if none is given", async () => {
    const findings = await check([]);
    expect(statuses(findings)).toEqual(sound);
    expect(textOf(findings, "dump")).toMatch(/^0\.\d MiB, less than an hour old$/);
  });

  it("is made with a password that has a percent sign", async () => {
    const url = new URL(database.url);
    const address = `postgresql://${url.username}:50%off@${url.host}${url.pathname}`;
    expect(statuses(await check([], { DATABASE_URL: address }))).toEqual(sound);
  });

  it("leaves the database in use as it was, and prints no secret", async () => {
    const before = await db().query("SELECT * FROM client_secrets");
    const text = reportText(await check(["--dump", dump]));
    expect(await db().query("SELECT * FROM client_secrets")).toEqual(before);
    for (const secret of [SECRET, source.ENCRYPTION_KEYS?.split(":")[1] ?? ""]) expect(text).not.toContain(secret);
  });

  it("of an older version is brought up to this one", async () => {
    const older = join(folder, "migrations");
    cpSync(join(root, "prisma", "migrations"), older, { recursive: true });
    const names = readdirSync(older).filter((name) => /^\d/.test(name));
    rmSync(join(older, names.sort().at(-1) ?? ""), { recursive: true });
    const before = await emptyDatabase();
    await migrate(before.url, older);
    const old = join(folder, "older.dump");
    execFileSync("pg_dump", ["--format=custom", `--file=${old}`, before.url]);
    await before.close();
    const findings = await check(["--dump", old]);
    expect(textOf(findings, "migrations")).toMatch(/^It is of an older version, and 1 migrations bring it up/);
    expect(textOf(findings, "rows")).toMatch(/^0 applications, .*: it is empty\.$/);
    expect(exit(findings)).toBe(2);
  });
});

describe("a backup that can't be relied on is told what is wrong:", () => {
  it("half of a dump", async () => {
    const half = join(folder, "half.dump");
    const whole = readFileSync(dump);
    writeFileSync(half, whole.subarray(0, whole.length / 2));
    const findings = await check(["--dump", half]);
    expect(statuses(findings)).toMatchObject({ restore: "fail", cleanup: "ok" });
    expect(textOf(findings, "restore")).toMatch(/^pg_restore: /);
    expect(exit(findings)).toBe(2);
  });

  it("something else than a dump", async () => {
    const other = join(folder, "other.dump");
    writeFileSync(other, "not a dump at all");
    const findings = await check(["--dump", other]);
    expect(textOf(findings, "restore")).toMatch(/^pg_restore: .*input file/);
    expect(exit(findings)).toBe(2);
  });

  it("a dump that is not there", async () => {
    const findings = await check(["--dump", join(folder, "missing.dump")]);
    expect(textOf(findings, "dump")).toMatch(/missing\.dump can't be read\.$/);
    expect(exit(findings)).toBe(2);
  });

  it("another key", async () => {
    const findings = await check(["--dump", dump], { ENCRYPTION_KEYS: key() });
    expect(textOf(findings, "encryption keys")).toMatch(
      /^ENCRYPTION_KEYS don't open client_secrets\.sealed \(1 of 1\)\./,
    );
    expect(exit(findings)).toBe(2);
  });

  it("a dump of the week before", async () => {
    const old = join(folder, "week.dump");
    cpSync(dump, old);
    utimesSync(old, new Date(), new Date(Date.now() - 7 * 86_400_000));
    const findings = await check(["--dump", old]);
    expect(findings[0]).toMatchObject({ status: "warn", text: expect.stringMatching(/168 h old: the latest backup/) });
    expect(exitCodeOf(findings, { isStrict: true })).toBe(1);
  });

  it("a database that is away, whose password isn't printed", async () => {
    const findings = await check([], { DATABASE_URL: "postgresql://me:pw-of-me@127.0.0.1:1/almanac" });
    expect(textOf(findings, "dump")).toMatch(/^pg_dump: /);
    expect(reportText(findings)).not.toContain("pw-of-me");
  });

  it.each([
    [{ ENCRYPTION_KEYS: "" }, [], "ENCRYPTION_KEYS is not set"],
    [{}, ["--databse", "x"], "Known: --dump <file>"],
    [{ DATABASE_URL: "" }, [], "DATABASE_URL is not set"],
    [{ DATABASE_POOL: "1000" }, [], "DATABASE_POOL"],
  ])("a wrong call: %o %o", async (changes, args, words) => {
    const findings = await check(args, changes);
    expect(findings).toMatchObject([{ status: "fail", text: expect.stringContaining(words) }]);
  });
});

describe("a check that is stopped leaves nothing behind:", () => {
  const temporary = () => readdirSync(folder).filter((name) => name.startsWith("almanac-restore-check-"));

  /** Runs the command, stops it once `began`, and returns what it reported. */
  async function stopped(signal: NodeJS.Signals, began: () => Promise<boolean>, args: string[]) {
    const env = { ...startEnvironment("3000"), ...source, TMPDIR: folder };
    const command = [join(root, "server/front-door/restore-check.mjs"), "--json", ...args];
    const child = spawn(process.execPath, command, { env, stdio: ["ignore", "pipe", "inherit"] });
    const [ended, report] = [once(child, "close"), text(child.stdout)];
    await until(began, { within: 60_000, what: "its beginning" });
    child.kill(signal);
    expect(await ended).toEqual([2, null]);
    const findings: Finding[] = JSON.parse(await report).checks;
    expect(textOf(findings, "restore check")).toBe(`It was stopped by ${signal}.`);
    return statuses(findings);
  }

  it("no dump", async () => {
    const found = await db().transaction(async (query) => {
      await query("LOCK TABLE applications IN ACCESS EXCLUSIVE MODE"); // a dump waits for it
      return await stopped("SIGTERM", async () => temporary().length > 0, []);
    });
    expect(found).toEqual({ "restore check": "fail" });
    expect(temporary()).toEqual([]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("no database, on %s", async (signal) => {
    const endless = join(folder, `${signal}.dump`);
    execFileSync("mkfifo", [endless]);
    const found = await stopped(signal, async () => (await scratch()).length > 0, ["--dump", endless]);
    expect(found).toEqual({ dump: "ok", cleanup: "ok", "restore check": "fail" });
    expect(await scratch()).toEqual([]);
  });
});
