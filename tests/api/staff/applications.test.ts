import { beforeAll, describe, expect, it } from "vitest";
import { processServices } from "@/server/http/process-services";
import { withoutTable } from "../../fakes/missing-name";
import { backdateSessions } from "../../fakes/stored-operators";
import { addHourlyCounts, addRequestCounts } from "../../fakes/stored-traffic";
import { applicationId, refresh } from "../grants";
import { ownDatabase } from "../own-database";
import { call, newApplication, openCalendar } from "../service";
import { laterClock, newOperator as newPerson, PASSWORD, signedInBrowser } from "./browser";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

// The list has everybody's applications.
ownDatabase();

let staff: Operator;
let admin: Operator;

beforeAll(async () => {
  staff = await newOperator();
  admin = await newOperator("admin");
});

const registration = {
  name: "Booking",
  plan: "developer",
  compatibilityMode: true,
  redirectUris: ["https://app.acme.io/cb"],
} as const;

describe("registering an application", () => {
  it("gives credentials that work at once, and shows the secret only then", async () => {
    const made = await admin.api.applications.create({ ...registration, redirectUris: [...registration.redirectUris] });
    const opened = await openCalendar({ ...made, clientSecret: made.clientSecret ?? "" });
    expect(opened.accountId).toMatch(/^apc_/);
    const shown = await staff.api.applications.get({ id: made.id });
    expect(shown).toMatchObject({
      clientId: made.clientId,
      name: "Booking",
      plan: "developer",
      compatibilityMode: true,
      accounts: 1,
      redirectUris: [{ uri: "https://app.acme.io/cb" }],
      secrets: [{ lastFour: made.clientSecret?.slice(-4), lastUsedAt: expect.any(String), retiredAt: null }],
    });
    expect(JSON.stringify([shown, await staff.api.applications.list(), await auditOf(made.id)])).not.toContain(
      made.clientSecret,
    );
    expect(await auditOf(made.id)).toMatchObject([
      { action: "application.created", operator_id: admin.id, detail: { name: "Booking", clientId: made.clientId } },
    ]);
  });

  it.each([
    [{ name: "" }, ["name"]],
    [{ name: "  " }, ["name"]],
    [{ name: "Two\nlines" }, ["name"]],
    [{ name: "Bell\u0007" }, ["name"]],
    [{ name: "Turned\u202egnp" }, ["name"]],
    [{ name: "Apart\u2066" }, ["name"]],
    [{ name: "Line\u2028end" }, ["name"]],
    [{ name: "x", redirectUris: ["https://ok.io/", "http://app.acme.io/"] }, ["redirectUris", 1]],
    [{ name: "x", redirectUris: ["https://app.acme.io/#x"] }, ["redirectUris", 0]],
    [{ name: "x", plan: "gold" }, ["plan"]],
  ])("refuses %j", async (given, path) => {
    expect(await refusal(admin.api.applications.create(given as { name: string }))).toMatchObject({
      kind: "invalid",
      issues: [{ path }],
    });
  });
});

it("only admins change applications", async () => {
  const { applications } = staff.api;
  const id = await applicationId(await newApplication());
  const actions = [
    applications.create({ name: "x" }),
    applications.update({ id, name: "y" }),
    applications.addRedirectUri({ id, uri: "https://a.io/" }),
    applications.removeRedirectUri({ id, uri: "https://app.acme.io/callback" }),
    applications.addSecret({ id }),
    applications.retireSecret({ id, secretId: "sec" }),
  ];
  for (const action of actions) expect(await refusal(action)).toMatchObject({ kind: "forbidden" });
  expect(await auditOf(id)).toEqual([]);
});

it("a public client gets no secret, can be given one, and can retire it again", async () => {
  const { id, clientSecret } = await admin.api.applications.create({ name: "Native", publicClient: true });
  expect(clientSecret).toBeNull();
  expect((await staff.api.applications.get({ id })).secrets).toEqual([]);
  const { id: secretId } = await admin.api.applications.addSecret({ id });
  await admin.api.applications.retireSecret({ id, secretId });
  expect((await staff.api.applications.get({ id })).secrets).toMatchObject([{ retiredAt: expect.any(String) }]);
});

describe("changing an application", () => {
  it("changes what is given and leaves the rest", async () => {
    const owner = await newApplication({ plan: "developer" });
    const id = await applicationId(owner);
    await admin.api.applications.update({ id, name: "Renamed" });
    await admin.api.applications.update({ id, compatibilityMode: true });
    await admin.api.applications.update({ id, editForeignEvents: true });
    await admin.api.applications.update({ id, mcpWrites: true, publicClient: true, connectSuccessPage: true });
    expect(await staff.api.applications.get({ id })).toMatchObject({
      name: "Renamed",
      plan: "developer",
      compatibilityMode: true,
      ...{ editForeignEvents: true, mcpWrites: true, publicClient: true, connectSuccessPage: true },
    });
    expect(await auditOf(id)).toMatchObject([
      { action: "application.changed", detail: { name: "Renamed" } },
      { action: "application.changed", detail: { compatibilityMode: true } },
      { action: "application.changed", detail: { editForeignEvents: true } },
      { action: "application.changed", detail: { mcpWrites: true, publicClient: true, connectSuccessPage: true } },
    ]);
    expect(await refusal(admin.api.applications.update({ id: "app_0", name: "x" }))).toEqual({ kind: "not_found" });
    expect(await auditOf("app_0")).toEqual([]);
  });

  it("changes nothing that cannot be audited", async () => {
    const id = await applicationId(await newApplication());
    const before = await staff.api.applications.get({ id });
    const uri = before.redirectUris[0]?.uri ?? "";
    await withoutTable("audit_entries", async () => {
      await expect(admin.api.applications.update({ id, name: "Renamed" })).rejects.toThrow();
      await expect(admin.api.applications.removeRedirectUri({ id, uri })).rejects.toThrow();
    });
    expect(await staff.api.applications.get({ id })).toEqual(before);
  });

  it("takes redirect URIs as exact strings, once each, and gives them up again", async () => {
    const id = await applicationId(await newApplication());
    const uri = "https://app.acme.io/callback/";
    await admin.api.applications.addRedirectUri({ id, uri });
    expect(await refusal(admin.api.applications.addRedirectUri({ id, uri }))).toMatchObject({ kind: "conflict" });
    expect(await refusal(admin.api.applications.addRedirectUri({ id, uri: "https://u:p@acme.io/" }))).toMatchObject({
      kind: "invalid",
    });
    expect(await refusal(admin.api.applications.addRedirectUri({ id: "app_0", uri }))).toEqual({ kind: "not_found" });
    await admin.api.applications.removeRedirectUri({ id, uri: "https://app.acme.io/callback" });
    expect((await staff.api.applications.get({ id })).redirectUris).toMatchObject([{ uri }]);
    expect(
      await refusal(admin.api.applications.removeRedirectUri({ id, uri: "https://app.acme.io/callback" })),
    ).toEqual({ kind: "not_found" });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["redirect_uri.added", "redirect_uri.removed"]);
  });
});

describe("rotating a client secret", () => {
  it("two are accepted until the old one is retired; the last one stays", async () => {
    const owner = await newApplication();
    const calendar = await openCalendar(owner);
    const id = await applicationId(owner);
    const { applications } = admin.api;
    const added = await applications.addSecret({ id });
    expect(await refusal(applications.addSecret({ id }))).toMatchObject({ kind: "conflict" });
    const rotated = { ...owner, clientSecret: added.secret };
    expect((await refresh(rotated, calendar.refreshToken)).status).toBe(200);
    expect((await refresh(owner, calendar.refreshToken)).status).toBe(200);
    const [old] = (await applications.get({ id })).secrets.filter((secret) => secret.id !== added.id);
    await applications.retireSecret({ id, secretId: old?.id ?? "" });
    expect((await refresh(owner, calendar.refreshToken)).json).toMatchObject({ error: "invalid_client" });
    expect((await refresh(rotated, calendar.refreshToken)).status).toBe(200);
    expect(await refusal(applications.retireSecret({ id, secretId: added.id }))).toMatchObject({ kind: "conflict" });
    expect(await refusal(applications.retireSecret({ id, secretId: "sec_0" }))).toEqual({ kind: "not_found" });
    const { secrets } = await applications.get({ id });
    expect(secrets).toMatchObject([
      { id: added.id, lastFour: added.secret.slice(-4), retiredAt: null, lastUsedAt: expect.any(String) },
      { id: old?.id, retiredAt: expect.any(String) },
    ]);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["secret.added", "secret.retired"]);
    expect(JSON.stringify(await auditOf(id))).not.toContain(added.secret);
  });
});

describe("a client secret that expires", () => {
  const DAY = 86_400_000;

  it("is accepted until its moment has come, and refused from then on like a retired one", async () => {
    const clock = laterClock();
    const owner = await newApplication();
    const calendar = await openCalendar(owner);
    const id = await applicationId(owner);
    const { api } = await newOperator("admin");
    const added = await api.applications.addSecret({ id, days: 30 });
    const expiresAt = new Date(clock.now() + 30 * DAY).toISOString();
    expect((await api.applications.get({ id })).secrets).toMatchObject([
      { id: added.id, expiresAt, retiredAt: null },
      { expiresAt: null },
    ]);
    const expiring = { ...owner, clientSecret: added.secret };
    clock.advance(30 * DAY - 1);
    expect((await refresh(expiring, calendar.refreshToken)).status).toBe(200);
    clock.advance(1);
    const refused = await refresh(expiring, calendar.refreshToken);
    const never = await refresh({ ...owner, clientSecret: "never given" }, calendar.refreshToken);
    expect([refused.status, refused.json]).toEqual([never.status, never.json]);
    expect(refused.json.error).toBe("invalid_client");
    expect((await refresh(owner, calendar.refreshToken)).status).toBe(200);
  });

  it("makes room for its successor, and doesn't count as the one that has to stay", async () => {
    const clock = laterClock();
    const id = await applicationId(await newApplication());
    const { secrets } = await staff.api.applications.get({ id });
    await (await newOperator("admin")).api.applications.addSecret({ id, days: 30 });
    clock.advance(30 * DAY);
    const { api } = await newOperator("admin");
    const secretId = secrets[0]?.id ?? "";
    expect(await refusal(api.applications.retireSecret({ id, secretId }))).toMatchObject({ kind: "conflict" });
    await api.applications.addSecret({ id });
    await api.applications.retireSecret({ id, secretId });
    expect((await auditOf(id)).map(({ detail }) => detail)).toMatchObject([{ days: 30 }, {}, { secret: secretId }]);
  });

  it("lasts as long as one of the choices", async () => {
    const id = await applicationId(await newApplication());
    const staff = await signedInBrowser(await newPerson({ role: "admin" }));
    for (const [days, status] of [
      [31, 422],
      [365, 200],
    ]) {
      expect((await staff.mutate("applications.addSecret", { id, password: PASSWORD, days })).status).toBe(status);
    }
  });
});

describe("adding a client secret", () => {
  it("takes the operator's password again, and no more than five wrong ones in 15 minutes", async () => {
    const clock = laterClock();
    const person = await newPerson({ role: "admin" });
    const staff = await signedInBrowser(person);
    const id = await applicationId(await newApplication());
    const add = (password?: string) => staff.mutate("applications.addSecret", { id, password });
    const missing = await add();
    expect([missing.status, missing.json.error.message]).toEqual([422, "Password is required."]);
    for (let i = 0; i < 5; i += 1) {
      const wrong = await add("not my password");
      expect([wrong.status, wrong.json.error.message]).toEqual([422, "Password is not your password."]);
    }
    expect((await add(PASSWORD)).status).toBe(429);
    clock.advance(15 * 60_000 + 1);
    expect((await add(PASSWORD)).json.result.data).toMatchObject({ secret: expect.any(String) });
    expect((await auditOf(person.id)).map(({ action }) => action)).toContain("password.proven");
  });

  it("takes a sign-in of the last ten minutes of whoever has no password", async () => {
    const sole = await newOperator("admin");
    const id = await applicationId(await newApplication());
    await backdateSessions(sole.id, 11 * 60_000);
    expect(await refusal(sole.api.applications.addSecret({ id }))).toMatchObject({ kind: "conflict" });
    const fresh = await newOperator("admin");
    expect(await fresh.api.applications.addSecret({ id })).toMatchObject({ secret: expect.any(String) });
  });
});

describe("the names of applications", () => {
  it("are those of the list, in its order, without their traffic", async () => {
    await newApplication();
    const listed = await staff.api.applications.list();
    expect(await staff.api.applications.names()).toEqual(listed.map(({ id, name }) => ({ id, name })));
  });
});

describe("the traffic of an application", () => {
  it("is counted by hour, with the part that failed", async () => {
    const owner = await newApplication();
    const calendar = await openCalendar(owner);
    await calendar.get("/v1/account");
    await calendar.get("/v1/events");
    await call("GET", "/v1/account");
    await processServices().requestLog.flush(10_000);
    const id = await applicationId(owner);
    const { traffic } = await staff.api.applications.get({ id });
    expect(traffic.requestsPerHour).toHaveLength(24);
    expect(traffic.requestsPerHour.reduce((sum, count) => sum + count)).toBe(4);
    expect(traffic).toMatchObject({ errorRate: 0.25, throttled: 0 });
    const listed = (await staff.api.applications.list()).find((row) => row.id === id);
    expect(listed?.traffic).toEqual(traffic);
  });

  it("is quiet for one that was not called", async () => {
    const id = await applicationId(await newApplication());
    const HOUR_MS = 3_600_000;
    const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS);
    await addRequestCounts([
      { minute: new Date(Date.now() - 25 * HOUR_MS), applicationId: id, requests: 5, clientErrors: 5 },
    ]);
    await addHourlyCounts(hour, id, { requests: 5, clientErrors: 5 });
    expect((await staff.api.applications.get({ id })).traffic).toEqual({
      requestsPerHour: new Array(24).fill(0),
      errorRate: 0,
      throttled: 0,
    });
  });
});
