import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { lateAlertsDone } from "@/server/jobs/late-alerts";
import { sweep } from "@/server/jobs/sweep";
import { lookForAlerts, lookIfLate } from "@/server/services/staff/alerts/look";
import { sendAlerts } from "@/server/services/staff/alerts/send";
import { watchAlerts } from "@/server/services/staff/alerts/watch";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { type SmtpServer, startSmtpServer } from "../../fakes/smtp-server";
import { setConnected } from "../../fakes/stored";
import { addChannels, changeChannel } from "../../fakes/stored-deliveries";
import { applicationId, connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

let mail: SmtpServer;
let receiver: Receiver;
let admin: Operator;

beforeAll(async () => {
  [mail, receiver] = await Promise.all([startSmtpServer(), startReceiver()]);
});
ownDatabase(() => ({
  SMTP_URL: mail.url,
  SMTP_FROM: "Almanac <alerts@almanac.test>",
  CALLBACK_ALLOWED_ORIGINS: receiver.origin,
}));
afterAll(async () => {
  await Promise.all([mail.close(), receiver.close()]);
  provideEnv({ SMTP_URL: "", SMTP_FROM: "" });
});
beforeAll(async () => {
  admin = await newOperator("admin");
});

const MINUTE = 60_000;
let now = Date.now();

beforeEach(async () => {
  now += 60 * 24 * MINUTE * 3; // whatever an earlier test noted is forgotten
  for (const table of ["alert_messages", "alerts", "alert_rules", "alert_targets"]) {
    await db().query(`DELETE FROM ${table}`);
  }
  await db().query("UPDATE channels SET closed_at = now()");
  await db().query("UPDATE profiles SET connected = true, disconnected_at = NULL");
  mail.got.length = 0;
  mail.answer(250);
  receiver.got.length = 0;
  receiver.answer(200);
});

/** The minute's work, some minutes later. */
async function after(minutes: number): Promise<void> {
  now += minutes * MINUTE;
  await watchAlerts(db(), now as never);
  await sendAlerts(db(), now as never);
}

const rule = (kind: string, ways: { email?: boolean; webhook?: boolean }) =>
  ({ kind, email: false, webhook: false, quietMinutes: 60, ...ways }) as never;

async function failingEndpoint(url = "https://hooks.acme.io/cb?token=secret") {
  const application = await newApplication();
  const account = await connectAccount(application);
  const [channel = ""] = await addChannels(account.accountId, [{ callbackUrl: url }]);
  await changeChannel(channel, { failing: true, failures: 4, failingSince: new Date(now) });
  return { application: await applicationId(application), account, channel };
}

const subjects = () =>
  mail.got.map(({ data }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(data)?.[1]?.replace(/\r\n /g, " "));

it("an endpoint that fails is one email, another after each quiet time, and one when it works again", async () => {
  await admin.api.alerts.setOfStaff({
    emails: ["oncall@almanac.test"],
    webhookUrl: "",
    rules: [rule("endpoint_failing", { email: true })],
  });
  await after(1);
  expect(mail.got).toEqual([]);
  const { channel } = await failingEndpoint();
  await after(1);
  await after(1);
  await after(57);
  expect(mail.got.map(({ to }) => to)).toEqual([["oncall@almanac.test"]]);
  expect(subjects()).toEqual(["[Almanac] Endpoint failing: hooks.acme.io/cb (Test)"]);
  expect(mail.got[0]?.data).not.toContain("secret");
  expect(mail.got[0]?.data.replace(/=\r\n/g, "")).toContain("Deliveries are retried for about a day.");
  await after(2);
  await changeChannel(channel, { failing: false, failures: 0 });
  await after(1);
  await after(1);
  expect(subjects().slice(1)).toEqual([
    "[Almanac] Still endpoint failing: hooks.acme.io/cb (Test)",
    "[Almanac] Resolved: Endpoint failing: hooks.acme.io/cb (Test)",
  ]);
});

it("is sent by a sweep when no run has looked for a minute and a half, as while an Inngest server is away", async () => {
  const rules = [rule("endpoint_failing", { email: true })];
  await admin.api.alerts.setOfStaff({ emails: ["oncall@almanac.test"], webhookUrl: "", rules });
  await failingEndpoint();
  const lookedAgo = (seconds: number) =>
    db().query("UPDATE alert_looks SET looked_at = clock_timestamp() - make_interval(secs => $1)", [seconds]);
  await lookedAgo(60);
  await lookIfLate(db());
  expect(mail.got).toEqual([]);
  await lookedAgo(95);
  await Promise.all([1, 2, 3].map(() => sweep()));
  // As a process does that ends.
  await lateAlertsDone();
  expect(subjects()).toEqual(["[Almanac] Endpoint failing: hooks.acme.io/cb (Test)"]);
  await lookIfLate(db());
  expect(mail.got).toHaveLength(1);
  await lookedAgo(95);
  await lookForAlerts(db());
  const looked = "SELECT looked_at > clock_timestamp() - interval '30 s' AS just FROM alert_looks";
  expect(await db().query(looked)).toEqual([{ just: true }]);
});

it("a paused endpoint alerts to nothing: somebody has seen it", async () => {
  const rules = [rule("endpoint_failing", { email: true })];
  await admin.api.alerts.setOfStaff({ emails: ["oncall@almanac.test"], webhookUrl: "", rules });
  const { channel } = await failingEndpoint();
  await after(1);
  await changeChannel(channel, { pausedAt: new Date(now) });
  await after(1);
  await after(61);
  expect(subjects()).toEqual([
    "[Almanac] Endpoint failing: hooks.acme.io/cb (Test)",
    "[Almanac] Resolved: Endpoint failing: hooks.acme.io/cb (Test)",
  ]);
  expect(mail.got[1]?.data.replace(/=\r\n/g, "")).toContain("It works again, or was paused or closed.");
});

it("an endpoint that comes and goes within the quiet time is sent once", async () => {
  const rules = [rule("endpoint_failing", { email: true })];
  await admin.api.alerts.setOfStaff({ emails: ["oncall@almanac.test"], webhookUrl: "", rules });
  const { channel } = await failingEndpoint();
  for (const failing of [true, false, true, false, true, false]) {
    await changeChannel(channel, { failing });
    await after(1);
  }
  expect(subjects()).toHaveLength(2); // its beginning and its first end
});

it("many processes at once send one message of one condition", async () => {
  const rules = [rule("endpoint_failing", { email: true })];
  await admin.api.alerts.setOfStaff({ emails: ["oncall@almanac.test"], webhookUrl: "", rules });
  await failingEndpoint();
  now += MINUTE;
  await Promise.all([1, 2, 3, 4].map(() => watchAlerts(db(), now as never)));
  await Promise.all([1, 2, 3, 4].map(() => sendAlerts(db(), now as never)));
  expect(mail.got).toHaveLength(1);
});

it("a webhook is signed as notifications are, and tells nothing of other applications", async () => {
  const { application, account } = await failingEndpoint();
  await failingEndpoint("https://hooks.north.io/cb");
  const developer = await newOperator("developer", "Lin", [application]);
  const { secret } = await developer.api.alerts.setOfApplication({
    ...{ id: application, webhookUrl: receiver.url("/alerts") },
    rules: [rule("endpoint_failing", { webhook: true }), rule("account_disconnected", { email: true })],
  });
  await setConnected(account.profileId, false);
  await db().prisma.profile.updateMany({ where: { id: account.profileId }, data: { disconnectedAt: new Date(now) } });
  await after(1);
  expect(receiver.got).toHaveLength(1);
  const [got] = receiver.got;
  const { headers, body, json } = got as NonNullable<typeof got>;
  expect(json.alert).toMatchObject({
    ...{ type: "endpoint_failing", state: "began", application_id: application, count: 1 },
    items: [{ application_id: application, endpoint: "hooks.acme.io/cb", failures_in_a_row: 4 }],
  });
  const [, t = "", v1 = ""] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["svc-signature"])) ?? [];
  expect(v1).toBe(
    createHmac("sha256", secret ?? "")
      .update(`${t}.${body}`)
      .digest("hex"),
  );
  expect(body).not.toContain("north");
  const { email } = await db().prisma.operator.findUniqueOrThrow({ where: { id: developer.id } });
  expect(mail.got.map(({ to }) => to)).toEqual([[email]]);
  expect(subjects()).toEqual(["[Almanac] 1 account disconnected: Test"]);
  expect(await auditOf(application)).toMatchObject([{ action: "alerts.changed", operator_id: developer.id }]);
});

it("a webhook's URL is stored sealed, and the audit trail has its host alone", async () => {
  const settings = { emails: [], webhookUrl: receiver.url("/services/T0/hush"), rules: [] };
  const saved = await admin.api.alerts.setOfStaff(settings);
  expect(saved.secret).toMatch(/^whsec/);
  expect((await admin.api.alerts.setOfStaff(settings)).secret).toBeNull();
  expect((await admin.api.alerts.ofStaff()).webhookUrl).toBe(settings.webhookUrl);
  const rows = await db().query("SELECT * FROM alert_targets");
  expect(JSON.stringify(rows)).not.toContain("hush");
  const entries = await auditOf("staff");
  expect(entries.at(-1)).toMatchObject({ detail: { webhook: new URL(receiver.origin).host } });
  expect(JSON.stringify(entries)).not.toContain("hush");
});

it("what is not accepted is tried again, as the same message, and given up in the end", async () => {
  const rules = [rule("endpoint_failing", { webhook: true })];
  await admin.api.alerts.setOfStaff({ emails: [], webhookUrl: receiver.url(), rules });
  await failingEndpoint();
  receiver.answer(503);
  for (const minutes of [1, 1, 5, 15]) await after(minutes);
  receiver.answer(200);
  const ids = receiver.got.map(({ headers }) => headers["svc-delivery-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
  expect((await admin.api.alerts.ofStaff()).messages).toMatchObject([
    { error: "HTTP 503", isPending: true, sentAt: null },
  ]);
});

it("a provider is down when several mailboxes cannot reach it, and a disabled application alerts to nothing", async () => {
  const rules = [rule("provider_down", { email: true }), rule("endpoint_failing", { email: true })];
  await admin.api.alerts.setOfStaff({ emails: ["oncall@almanac.test"], webhookUrl: "", rules });
  const { application } = await failingEndpoint();
  await admin.api.applications.disable({ id: application });
  const other = await newApplication();
  const down = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const { profileId } = await connectAccount(other);
      const failing = { syncFailures: 3, syncError: "down", lastSyncAt: new Date(now) };
      await db().prisma.profileSync.updateMany({ where: { profileId }, data: failing });
    }
  };
  await down(2);
  await after(1);
  expect(subjects()).toEqual([]);
  await down(1);
  await after(1);
  expect(subjects()).toEqual(["[Almanac] Provider not responding: Google"]);
});

it("a test says of each way whether it was sent", async () => {
  await admin.api.alerts.setOfStaff({ emails: ["oncall@almanac.test"], webhookUrl: receiver.url(), rules: [] });
  mail.answer(550);
  expect(await admin.api.alerts.testOfStaff()).toEqual([
    { way: "email", error: "SMTP EMESSAGE 550" },
    { way: "webhook", error: null },
  ]);
  expect(receiver.got[0]?.json).toMatchObject({ alert: { type: "test", state: "test" } });
  for (let n = 0; n < 4; n++) await admin.api.alerts.testOfStaff();
  expect(await refusal(admin.api.alerts.testOfStaff())).toMatchObject({ kind: "throttled" });
});

it.each([
  [
    "slack",
    (body: object) => expect(body).toMatchObject({ text: "Test alert", blocks: [{ type: "section" }, {}, {}] }),
  ],
  [
    "teams",
    (body: object) => expect(body).toMatchObject({ type: "message", attachments: [{ content: { version: "1.2" } }] }),
  ],
] as const)("a test in the format of %s arrives, without a signature or a secret", async (webhookFormat, check) => {
  const settings = { emails: [], webhookUrl: receiver.url("/services/T0/hush"), rules: [] };
  const { secret } = await admin.api.alerts.setOfStaff(settings);
  const saved = await admin.api.alerts.setOfStaff({ ...settings, webhookFormat });
  expect([secret !== null, saved.secret]).toEqual([true, null]);
  expect((await admin.api.alerts.ofStaff()).webhookFormat).toBe(webhookFormat);
  expect(await admin.api.alerts.testOfStaff()).toEqual([{ way: "webhook", error: null }]);
  const [got] = receiver.got;
  check(got?.json);
  expect(got?.body).not.toContain("hush");
  expect(Object.keys(got?.headers ?? {}).filter((name) => name.startsWith("svc-"))).toEqual([]);
  // Whoever changes back verifies signatures, with a secret that was never shown before.
  expect((await admin.api.alerts.setOfStaff(settings)).secret).toMatch(/^whsec/);
});

it.each([
  [{ webhookUrl: "http://hooks.acme.io/" }, "webhookUrl"],
  [{ webhookUrl: "https://169.254.169.254/" }, "webhookUrl"],
  [{ emails: ["a@b.io, c@d.io"] }, "emails"],
  [{ rules: [{ kind: "endpoint_failing", email: true, webhook: false, quietMinutes: 1 }] }, "rules"],
])("refuses %j", async (given, field) => {
  const input = { emails: [], webhookUrl: "", rules: [], ...given } as never;
  const { issues } = (await refusal(admin.api.alerts.setOfStaff(input))) as { issues: { path: unknown[] }[] };
  expect(issues[0]?.path[0]).toBe(field);
});
