import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { connect, db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { migrate } from "@/server/db/migrations";
import { provideEnv } from "@/server/env";
import { examine } from "@/server/front-door/doctor/doctor";
import { exitCodeOf, type Finding, reportJson, reportText } from "@/server/front-door/doctor/report";
import { choreDone, openChores } from "@/server/jobs/chore-state";
import { chores } from "@/server/jobs/chores";
import { ROUND_TRIP } from "@/server/jobs/functions/round-trip";
import { bootstrap } from "@/server/services/bootstrap";
import { sealClientSecret } from "@/server/store/applications/oauth-clients";
import { fakeClock } from "@/tests/fakes/clock";
import { freePort } from "@/tests/fakes/free-port";
import { type GoogleFake, startGoogle } from "@/tests/fakes/google/google";
import { type FakeInngest, startInngest } from "@/tests/fakes/inngest-server";
import { type MicrosoftFake, startMicrosoft } from "@/tests/fakes/microsoft/microsoft";
import { startPgbouncer } from "@/tests/fakes/pgbouncer";
import { startSmtpServer } from "@/tests/fakes/smtp-server";
import { emptyDatabase, type TestDatabase, testDatabase } from "@/tests/fakes/test-database";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "almanac-doctor-"));
const key = () => randomBytes(32).toString("base64");
const secrets = {
  ENCRYPTION_KEYS: `k1:${key()}`,
  INNGEST_SIGNING_KEY: "00ff".repeat(16),
  INNGEST_EVENT_KEY: "an-event-key-of-the-doctor",
};
const SMTP_PASSWORD = "pass word/of the doctor";
const signIn = `doctor:${encodeURIComponent(SMTP_PASSWORD)}@`;

let database: TestDatabase;
let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
let google: GoogleFake;
let microsoft: MicrosoftFake;
let inngest: FakeInngest;
let healthy: Record<string, string>;

/** Reads the report of an installation that differs from a healthy one. */
async function report(changes: Record<string, string> = {}): Promise<Finding[]> {
  return await examine({ root, source: { ...healthy, ...changes } });
}

const lineOf = (findings: Finding[], check: string) => {
  const found = findings.filter((one) => one.check === check);
  expect(found).toHaveLength(1);
  return `${found[0]?.status} ${found[0]?.text}`;
};
/** What the server, the machine and the Node of these tests are is no matter of theirs. */
const ofMachine = ["autovacuum", "connections", "disk", "statement_timeout", "time zone data"];
const ownFindings = (findings: Finding[]) =>
  findings.filter(({ check, text }) => !ofMachine.includes(check) && !text.includes("Move it closer"));
const attention = (findings: Finding[]) =>
  ownFindings(findings).flatMap(({ check, status }) => (status === "ok" ? [] : [check]));
const strict = (findings: Finding[]) => exitCodeOf(ownFindings(findings), { isStrict: true });

beforeAll(async () => {
  [database, smtp, google, microsoft] = await Promise.all([
    testDatabase(),
    startSmtpServer(),
    startGoogle(),
    startMicrosoft(),
  ]);
  inngest = await startInngest(null);
  healthy = {
    ...secrets,
    ...{ DATABASE_URL: database.url, DATA_DIR: folder },
    ...{ BASE_URL: "https://api.acme.io", APP_URL: "https://calendar.acme.io" },
    ...{
      INNGEST_BASE_URL: inngest.origin,
      SMTP_FROM: "almanac@acme.io",
      SMTP_URL: smtp.url.replace("//", `//${signIn}`),
    },
    ...{ GOOGLE_CLIENT_ID: google.client.id, GOOGLE_CLIENT_SECRET: google.client.secret },
    ...{ GOOGLE_BASE_URL: google.origin, MICROSOFT_BASE_URL: microsoft.origin },
    ...{ MICROSOFT_CLIENT_ID: microsoft.client.id, MICROSOFT_CLIENT_SECRET: microsoft.client.secret },
    BOOTSTRAP_APPLICATIONS: JSON.stringify([
      { name: "Doctor", client_id: "doctor", client_secret: "a client's secret" },
    ]),
  };
  await context.database?.close();
  context.database = connect(database.url);
  await bootstrap(provideEnv(healthy), { isEmbedded: false });
  await openChores(db());
  for (const id of Object.keys(chores)) await choreDone(db(), id);
  await db().query("INSERT INTO chores (id) VALUES ($1)", [ROUND_TRIP]);
});

afterAll(async () => {
  await Promise.all([smtp.close(), google.close(), microsoft.close()]);
  inngest.close();
  await db().close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a healthy installation", () => {
  it("is ok in every line, and nothing is sent", async () => {
    const findings = await report();
    expect(attention(findings)).toEqual([]);
    expect(strict(findings)).toBe(0);
    expect(findings.length).toBeGreaterThanOrEqual(18);
    expect(smtp.got).toEqual([]);
    expect(inngest.events).toEqual([]);
  });

  it("has the settings of its server", async () => {
    const findings = await report();
    const [{ autovacuum } = { autovacuum: "" }] = await db().query<{ autovacuum: string }>("SHOW autovacuum");
    expect(lineOf(findings, "autovacuum")).toMatch(autovacuum === "on" ? /^ok On/ : /^fail Off: .*postgresql\.conf/);
    expect(lineOf(findings, "connections")).toMatch(/ \d+ of \d+ in use; this process needs up to 12/);
    const small = await report({ DATABASE_POOL: "200" });
    expect(lineOf(small, "connections")).toMatch(/^fail .* up to 202\. Raise max_connections/);
  });

  it("is reported as text and as JSON, without a secret", async () => {
    const findings = await report({ REDIS_URL: `redis://:redis-password@127.0.0.1:${await freePort()}` });
    const [text, json] = [reportText(findings), reportJson(findings)];
    expect(text).toMatch(/^ok {4}encryption keys +ENCRYPTION_KEYS open what is stored\.$/m);
    expect(JSON.parse(json)).toMatchObject({ status: "fail", checks: findings });
    const kept = [...Object.values(secrets), SMTP_PASSWORD, encodeURIComponent(SMTP_PASSWORD), "redis-password"];
    for (const secret of [...kept, google.client.secret, microsoft.client.secret, "a client's secret"])
      expect(text + json).not.toContain(secret);
  });
});

describe("a broken installation is told what is wrong, and what to do:", () => {
  it("a database that is away, whose password has a percent sign", async () => {
    const findings = await report({
      DATABASE_URL: `postgresql://me:50%off-today@127.0.0.1:${await freePort()}/almanac`,
    });
    expect(lineOf(findings, "database")).toMatch(/^fail .*127\.0\.0\.1/);
    expect(reportText(findings)).not.toContain("off-today");
  });

  it("another encryption key", async () => {
    const findings = await report({ ENCRYPTION_KEYS: `k1:${key()}` });
    expect(lineOf(findings, "encryption keys")).toMatch(/^fail .*a different key k1\. Set ENCRYPTION_KEYS/);
    expect(attention(findings)).toEqual(["encryption keys"]);
    expect(strict(findings)).toBe(2);
  });

  it("a database without the newest migration", async () => {
    const older = join(folder, "migrations");
    cpSync(join(root, "prisma", "migrations"), older, { recursive: true });
    const newest =
      readdirSync(older)
        .filter((name) => /^\d/.test(name))
        .sort()
        .at(-1) ?? "";
    rmSync(join(older, newest), { recursive: true });
    const behind = await emptyDatabase();
    await migrate(behind.url, older);
    const findings = await report({ DATABASE_URL: behind.url });
    await behind.close();
    expect(lineOf(findings, "migrations")).toBe(
      `fail The database lacks ${newest} of this version. Start this version: it migrates first.`,
    );
    expect(strict(findings)).toBe(2);
  });

  it("an online migration that is not complete", async () => {
    const newer = join(folder, "newer");
    const migrations = join(newer, "prisma", "migrations");
    cpSync(join(root, "prisma", "migrations"), migrations, { recursive: true });
    mkdirSync(join(migrations, "29990101000000_online"));
    const script = '-- rolling: online: a test\nANALYZE "events";';
    writeFileSync(join(migrations, "29990101000000_online", "migration.sql"), script);
    const findings = await examine({ root: newer, source: healthy });
    expect(lineOf(findings, "migrations")).toMatch(
      /^warn Up to date: \d+_\w+\. Not complete yet: 29990101000000_online\. A worker runs it while the service is up\.$/,
    );
    expect(attention(findings)).toEqual(["migrations"]);
  });

  it("Redis that is away", async () => {
    const findings = await report({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    expect(lineOf(findings, "redis")).toMatch(/^fail Can't use Redis at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start it/);
    expect(attention(findings)).toEqual(["redis"]);
    expect(strict(findings)).toBe(2);
  });

  it("an Inngest server whose runs don't come back", async () => {
    const hourAgo = "UPDATE chores SET done_at = clock_timestamp() - interval '1 hour' WHERE id = $1";
    await db().query(hourAgo, [ROUND_TRIP]);
    const findings = await report();
    await choreDone(db(), ROUND_TRIP);
    expect(lineOf(findings, "inngest runs")).toMatch(/^fail The last one came back 60 min ago\. .*INNGEST_SIGNING_KEY/);
    expect(attention(findings)).toEqual(["inngest runs"]);
    expect(strict(findings)).toBe(2);
  });

  it("an Inngest server that is away", async () => {
    const findings = await report({ INNGEST_BASE_URL: `http://127.0.0.1:${await freePort()}` });
    expect(lineOf(findings, "inngest server")).toMatch(/^fail Can't be reached at .* \(connect\)/);
    expect(strict(findings)).toBe(2);
  });

  it("an SMTP server that refuses the password", async () => {
    const refusing = await startSmtpServer();
    refusing.refuseSignIn();
    const findings = await report({ SMTP_URL: refusing.url.replace("//", `//${signIn}`) });
    await refusing.close();
    expect(lineOf(findings, "email")).toMatch(/^fail .*\(SMTP EAUTH 535\)\. It refuses the user or the password/);
    expect(attention(findings)).toEqual(["email"]);
    expect(strict(findings)).toBe(2);
  });

  it("a pooler in transaction mode", async () => {
    const pooler = await startPgbouncer(database.url, "transaction");
    const findings = await report({ DATABASE_URL: pooler.url });
    await pooler.close();
    expect(lineOf(findings, "pooler")).toMatch(/^warn .*forgets prepared statements.* Use session mode/);
    expect(attention(findings)).toEqual(["pooler"]);
    expect(strict(findings)).toBe(1);
    expect(exitCodeOf(ownFindings(findings), { isStrict: false })).toBe(0);
  });

  it.each([
    ["Google", "GOOGLE", "invalid_client"],
    ["Microsoft", "MICROSOFT", "invalid_client, AADSTS7000215"],
  ])("%s refuses the credentials", async (name, prefix, words) => {
    const findings = await report({ [`${prefix}_CLIENT_SECRET`]: "the one before" });
    expect(lineOf(findings, `${name} credentials`)).toContain(`fail ${name} refuses the client (${words}), so nobody`);
    expect(attention(findings)).toEqual([`${name} credentials`]);
    expect(strict(findings)).toBe(2);
  });

  it("an application's own OAuth client is refused, or its secret doesn't open", async () => {
    const { id: applicationId } = await db().prisma.application.findFirstOrThrow({ where: { clientId: "doctor" } });
    const own = { applicationId, createdAt: new Date() };
    const { id: clientId, secret } = google.client;
    const known = { ...own, id: "oac_known", provider: "google", clientId } as const;
    const replaced = {
      ...own,
      id: "oac_replaced",
      provider: "google",
      clientId: "old",
      sealed: "x",
      replacedAt: new Date(),
    } as const;
    const expired = { ...own, id: "oac_expired", provider: "microsoft", clientId: microsoft.client.id } as const;
    await db().prisma.oauthClient.createMany({
      data: [
        { ...known, sealed: sealClientSecret(known.id, secret) },
        { ...expired, sealed: sealClientSecret(expired.id, "the one before") },
        replaced, // no calendar is read by it
      ],
    });
    const findings = (await report()).filter(({ check }) => check === "OAuth clients");
    expect(findings.map(({ status, text }) => `${status} ${text}`)).toEqual([
      "ok The provider knows the one of an application.",
      expect.stringMatching(
        /^fail Microsoft refuses \S+ of Doctor \(invalid_client, AADSTS7000215\), so no calendar that was connected by it is synced\. Create a new secret/,
      ),
    ]);

    const account = {
      applicationId,
      kind: "account",
      name: "Ida",
      email: "ida@doctor.test",
      createdAt: new Date(),
    } as const;
    const { id: accountId } = await db().prisma.account.create({ data: { ...account, id: "acc_doctor" } });
    const profile = {
      id: "pro_doctor",
      accountId,
      applicationId,
      provider: "google",
      subject: "ida",
      name: "ida",
    } as const;
    await db().prisma.profile.create({ data: { ...profile, service: "google_workspace", oauthClientId: replaced.id } });
    await db().prisma.oauthClient.delete({ where: { id: expired.id } });
    expect(attention(await report())).toEqual(["OAuth clients"]);
    expect((await report()).find(({ check, status }) => check === "OAuth clients" && status === "fail")?.text).toBe(
      "No key of ENCRYPTION_KEYS opens the secret of old of Doctor. Create a new secret there, and set the client again on the application's page.",
    );
    await db().prisma.account.delete({ where: { id: accountId } });
    await db().prisma.oauthClient.deleteMany({});
  });

  it("a clock that is wrong", async () => {
    const began = Date.now();
    fakeClock(began + 180_000);
    expect(databaseTime()).not.toBeNull();
    const findings = await report();
    const clock = /^fail This machine's clock is (\d+\.\d) s ahead of the database's\. Sync/;
    const ahead = Number(clock.exec(lineOf(findings, "clock"))?.[1]);
    // The clock of the test stands still, and that of the database goes on.
    expect(ahead).toBeGreaterThan(179.8 - (Date.now() - began) / 1_000);
    expect(ahead).toBeLessThan(180.2);
    expect(attention(findings)).toEqual(["clock"]);
    expect(strict(findings)).toBe(2);
  });

  it("a database that is away", async () => {
    const findings = await report({ DATABASE_URL: `postgresql://me:pw-of-me@127.0.0.1:${await freePort()}/almanac` });
    expect(lineOf(findings, "database")).toContain("(ECONNREFUSED). Check DATABASE_URL.");
    expect(attention(findings)).toEqual(["database", "the database"]);
    expect(reportText(findings)).not.toContain("pw-of-me");
  });

  it("addresses and callback origins for a machine of one's own", async () => {
    const findings = await report({
      ...{ BASE_URL: "http://api.acme.io", APP_URL: "" },
      CALLBACK_ALLOWED_ORIGINS: "https://10.0.0.7,https://hooks.acme.io",
      ...{ GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "", MICROSOFT_CLIENT_ID: "", MICROSOFT_CLIENT_SECRET: "" },
    });
    expect(attention(findings)).toEqual(["BASE_URL", "APP_URL", "callback origins"]);
    expect(lineOf(findings, "callback origins")).toContain("send requests to https://10.0.0.7, without TLS");
  });

  it("a configuration that Almanac doesn't start with", async () => {
    const findings = await report({ DATABASE_POOL: "1000" });
    expect(attention(findings)).toEqual(["configuration", "everything else"]);
    expect(strict(findings)).toBe(2);
  });
});
