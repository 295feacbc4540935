import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { authorizationErrors } from "@/server/domain/delegations";
import { provideEnv } from "@/server/env";
import { conditionsOf } from "@/server/services/staff/alerts/conditions";
import { findDelegation } from "@/server/store/delegations/delegations";
import { withdraw } from "@/server/store/profiles/withdrawal";
import { workRevocations } from "@/server/sync/revocations";
import { type ClaimedAuthorization, claimAuthorizations } from "@/server/webhooks/authorizations/claim.sql";
import { openMailbox } from "@/server/webhooks/authorizations/open-mailbox";
import { basic } from "../api/availability";
import { book } from "../api/booking";
import { applicationId, exchange, withToken } from "../api/grants";
import { call, newApplication } from "../api/service";
import { refusal } from "../api/staff/staff-caller";
import { connectGooglePerson, google } from "./google-person";
import { isSigned, organizationAt } from "./organization";
import { day, ours } from "./world";

const AUTH = "https://www.googleapis.com/auth";
const SCOPES = [
  ...["calendar.events", "calendar.calendarlist.readonly", "admin.directory.user.readonly"],
  ...["admin.directory.group.member.readonly", "admin.directory.resource.calendar.readonly"],
].map((name) => `${AUTH}/${name}`);

/** Acme at Google: Ada runs it, Bob works there, and Eve elsewhere. */
async function acme(more: { group?: string; addresses?: string[] } = {}) {
  const fake = await google({
    accounts: [
      { email: "ada@acme.io", name: "Ada", isAdmin: true },
      { email: "anna@acme.io", name: "Anna", isAdmin: true },
      { email: "bob@acme.io", name: "Bob", aliases: ["robert@acme.io"] },
      { email: "carol@acme.io", name: "Carol" },
      { email: "eve@other.io", name: "Eve" },
    ],
  });
  fake.addGroup("sales@acme.io", ["bob@acme.io"]);
  const room = fake.addRoom({ name: "Berlin", capacity: 8, building: "Headquarters" });
  const service = fake.addServiceAccount({ domain: "acme.io", scopes: SCOPES });
  const key = { provider: "google", keyFile: JSON.stringify(service.key), administrator: "ada@acme.io" } as const;
  const organization = await organizationAt("google", fake.connector, { ...key, domains: ["acme.io"], ...more });
  return { fake, service, key, room, ...organization };
}

/** The access token of a profile ends. */
const expire = (profileId: string) =>
  db().prisma.providerToken.updateMany({ where: { profileId }, data: { expiresAt: new Date(0), refusedAt: null } });

/** In whose name a token was asked for. */
const subjectOf = (form: string) => decodeJwt(new URLSearchParams(form).get("assertion") ?? "").sub;

describe("a mailbox of an organization at Google", () => {
  it("is connected without its user: the code comes signed to the callback URL, and all that follows is as ever", async () => {
    const { fake, receiver, application, authorize, connect } = await acme();
    expect(await authorize("bob@acme.io", "s-1")).toEqual({ code: expect.any(String), state: "s-1" });
    const [told] = receiver.got;
    expect(told && isSigned(told, application)).toBe(true);
    expect(told?.headers).toMatchObject({
      "svc-delivery-attempt": "1",
      "svc-delivery-id": expect.stringMatching(/^saa_/),
    });
    expect(told?.headers).not.toHaveProperty("svc-signature");
    const bob = await connect("bob@acme.io");
    const start = { dateTime: `${day(2)}T09:00:00Z` };
    fake.calendar("bob@acme.io").putEvent({ summary: "Standup", start, end: { dateTime: `${day(2)}T09:15:00Z` } });
    await bob.sync();
    const { events } = (await bob.get(`/v1/events?tzid=Etc/UTC`)).json;
    expect(events.map(({ summary }: { summary: string }) => summary)).toEqual(["Standup"]);
    await bob.write("ours-1");
    expect(fake.calendar("bob@acme.io").events()).toMatchObject([{ summary: "Standup" }, { summary: "Ours ours-1" }]);
    expect(await bob.status()).toMatchObject({ state: "connected", reason: null });
  });

  it("is the same one by an alias, and when its user had connected alone: the account and its ids stay", async () => {
    const { fake, application, connect } = await acme();
    const alone = await connectGooglePerson(fake, application);
    await alone.sync();
    const before = await alone.get("/v1/calendars");
    const first = await connect("ada@acme.io");
    expect([first.accountId, first.profileId]).toEqual([alone.accountId, alone.profileId]);
    expect((await first.get("/v1/calendars")).json).toEqual(before.json);
    await first.sync();
    expect(await first.status()).toMatchObject({ state: "connected" });
    const bob = await connect("bob@acme.io");
    const robert = await connect("robert@acme.io");
    expect([robert.accountId, robert.profileId]).toEqual([bob.accountId, bob.profileId]);
  });

  it("outside of the domain or the listed addresses is refused, and Google is asked for nothing", async () => {
    const { fake, authorize } = await acme();
    fake.requests.splice(0);
    expect(await authorize("eve@other.io", "s")).toMatchObject({ error: "out_of_reach", state: "s" });
    expect(fake.requests).toEqual([]);
    const listed = await acme({ addresses: ["bob@acme.io"] });
    expect(await listed.authorize("carol@acme.io")).toMatchObject({ error: "out_of_reach" });
    expect(listed.fake.requests).toEqual([]);
    expect(await listed.authorize("bob@acme.io")).toHaveProperty("code");
  });

  it("of somebody outside of the group is refused, and no token is asked for in their name", async () => {
    const { fake, authorize } = await acme({ group: "sales@acme.io" });
    expect(await authorize("bob@acme.io")).toHaveProperty("code");
    fake.requests.splice(0);
    expect(await authorize("carol@acme.io")).toMatchObject({ error: "out_of_reach" });
    const tokens = fake.requests.filter(({ path }) => path === "/token");
    expect(tokens.map(({ body }) => subjectOf(body))).toEqual(["ada@acme.io"]);
  });

  it("of a suspended, an unknown and a user without a calendar is refused for that", async () => {
    const { fake, authorize } = await acme();
    expect(await authorize("nobody@acme.io")).toMatchObject({ error: "unknown_mailbox" });
    fake.account("bob@acme.io").suspend();
    expect(await authorize("bob@acme.io")).toMatchObject({ error: "suspended" });
    fake.account("carol@acme.io").removeCalendarService();
    expect(await authorize("carol@acme.io")).toMatchObject({ error: "no_mailbox" });
    expect(await db().prisma.profile.count({ where: { delegationId: { not: null }, connected: true } })).toBe(0);
  });

  it("is refused where a scope is missing, and Verify says which", async () => {
    const { service, admin, delegationId, authorize } = await acme();
    const verify = (email: string) => admin.api.organizations.verify({ delegationId, email });
    expect(await verify("bob@acme.io")).toEqual({ kind: "opened", name: "bob@acme.io", calendars: 1, reconnected: 0 });
    expect(await db().prisma.profile.count({ where: { delegationId } })).toBe(0);
    expect(await verify("eve@other.io")).toMatchObject({
      kind: "problem",
      missing: expect.stringContaining("isn’t among the domains and addresses"),
    });
    service.scopes.delete(`${AUTH}/calendar.events`);
    expect(await authorize("bob@acme.io")).toMatchObject({ error: "delegation_refused" });
    expect(await verify("bob@acme.io")).toMatchObject({
      ...{ kind: "problem", missing: expect.stringContaining(`${AUTH}/calendar.events`) },
      detail: "unauthorized_client",
    });
  });

  it("takes a room, which is listed with what it holds, and is booked through its account", async () => {
    const { room, application, connect } = await acme();
    const resources = async () => (await call("GET", "/v1/resources", { headers: basic(application) })).json;
    const listed = { email: room.id, name: "Berlin", capacity: 8, building: "Headquarters" };
    expect(await resources()).toEqual({ resources: [{ ...listed, sub: null }], problems: [] });
    const berlin = await connect(room.id);
    expect((await resources()).resources).toEqual([{ ...listed, sub: berlin.accountId }]);
    await berlin.sync();
    const { calendars } = (await berlin.get("/v1/calendars")).json;
    expect(calendars).toMatchObject([{ calendar_name: "Berlin", calendar_readonly: false, profile_name: room.id }]);
    const calendar_id = calendars[0].calendar_id;
    const require_free = [{ sub: berlin.accountId }];
    const booked = await book(application, { calendar_id, event: { ...ours("board"), tzid: "Etc/UTC" }, require_free });
    expect(booked.status, booked.text).toBe(201);
    await berlin.push();
    expect(room.events()).toMatchObject([{ summary: "Ours board" }]);
    const again = { calendar_id, event: { ...ours("again"), tzid: "Etc/UTC" }, require_free };
    expect((await book(application, again)).status).toBe(409);
  });

  it("is another application's only if that has the organization, too", async () => {
    const { request, receiver, due } = await acme();
    const stranger = await newApplication();
    expect((await request({ email: "bob@acme.io", callback_url: receiver.url("/stranger") }, stranger)).status).toBe(
      202,
    );
    await due();
    expect(receiver.got.at(-1)?.json.authorization).toMatchObject({ error: "out_of_reach" });
  });
});

describe("a mailbox of the sandbox", () => {
  it("needs no organization: its local part says what comes of it", async () => {
    const { fake, application, authorize, receiver } = await acme();
    fake.requests.splice(0);
    for (const error of authorizationErrors) {
      const told = await authorize(`${error}@sandbox.example`);
      expect(told).toEqual({ error, error_description: expect.any(String) });
    }
    const { code } = await authorize("grace@sandbox.example");
    const { json } = await exchange(application, code ?? "", { redirect_uri: receiver.url() });
    const { calendars } = (await withToken("GET", "/v1/calendars", json.access_token)).json;
    expect(calendars).toMatchObject([{ provider_name: "hosted", profile_name: "grace@sandbox.example" }]);
    expect(fake.requests).toEqual([]);
  });

  it("is unknown where the sandbox is off", async () => {
    const { authorize } = await acme();
    provideEnv({ SANDBOX: "off" });
    onTestFinished(() => void provideEnv({ SANDBOX: "on" }));
    expect(await authorize("grace@sandbox.example")).toMatchObject({ error: "out_of_reach" });
  });
});

describe("a callback URL", () => {
  it("that fails is told again with another code, and both work until one is used", async () => {
    const { receiver, application, request, due } = await acme();
    receiver.answer(500);
    await request({ email: "bob@acme.io", callback_url: receiver.url() });
    await due();
    receiver.answer(200);
    await due();
    await due();
    const codes = receiver.got.map(({ json }) => json.authorization.code as string);
    expect([codes.length, new Set(codes).size]).toEqual([2, 2]);
    expect(receiver.got.map(({ headers }) => headers["svc-delivery-attempt"])).toEqual(["1", "2"]);
    const redirect_uri = receiver.url();
    const first = await exchange(application, codes[0] ?? "", { redirect_uri });
    const second = await exchange(application, codes[1] ?? "", { redirect_uri });
    expect([first.status, second.status, second.json.sub]).toEqual([200, 200, first.json.sub]);
    expect((await exchange(application, codes[0] ?? "", { redirect_uri })).status).toBe(400);
  });

  it("that is gone is told no more, and the dashboard says so", async () => {
    const { receiver, admin, application, request, due } = await acme();
    receiver.answer(410);
    await request({ email: "bob@acme.io", callback_url: receiver.url() });
    await due();
    await due();
    expect(receiver.got).toHaveLength(1);
    const { authorizations } = await admin.api.organizations.list({ id: await applicationId(application) });
    expect(authorizations).toMatchObject([{ outcome: "authorized", toldAt: null, dueAt: null, lastStatus: 410 }]);
  });

  it.each([
    ["it was claimed", async () => {}],
    ["its mailbox was opened", async (claimed: ClaimedAuthorization) => void (await openMailbox(db(), claimed))],
  ])("is told by another process if one ends after %s, and nothing is stored twice", async (_, before) => {
    const { receiver, delegationId, request, due } = await acme();
    await request({ email: "bob@acme.io", callback_url: receiver.url() });
    const [claimed] = await run(db().query, claimAuthorizations, [databaseTime(), 1]);
    if (!claimed) throw new Error("nothing was claimed");
    await before(claimed);
    expect(receiver.got).toEqual([]);
    await due();
    expect(receiver.got.map(({ json }) => Object.keys(json.authorization))).toEqual([["code"]]);
    expect(await db().prisma.profile.count({ where: { delegationId } })).toBe(1);
    // What the dead process still held changes nothing.
    expect(await openMailbox(db(), claimed)).toBeNull();
  });
});

describe("a key that is withdrawn", () => {
  it("disconnects all profiles for one reason with one alert, and its renewal connects them again", async () => {
    const { fake, service, admin, application, delegationId, key, connect } = await acme();
    const [bob, carol] = [await connect("bob@acme.io"), await connect("carol@acme.io")];
    await bob.sync();
    service.withdraw();
    fake.advance(3_700_000);
    await db().prisma.providerToken.updateMany({
      where: { profileId: bob.profileId },
      data: { expiresAt: new Date(0) },
    });
    await bob.sync();
    await bob.sync();
    for (const person of [bob, carol]) {
      expect(await person.status()).toMatchObject({ state: "disconnected", reason: "delegation_withdrawn" });
    }
    const alerts = (await conditionsOf.account_disconnected(db().query, Date.now()))({
      scope: await applicationId(application),
    });
    expect(alerts.map(({ facts }) => facts)).toMatchObject([{ accounts: 2, withdrawn: ["acme.io"] }]);
    const other = fake.addServiceAccount({ domain: "acme.io", scopes: SCOPES });
    const fresh = { ...key, keyFile: JSON.stringify(other.key) };
    expect(await admin.api.organizations.replaceKey({ delegationId, ...fresh })).toEqual({ reconnected: 2 });
    await carol.sync();
    await bob.sync();
    for (const person of [bob, carol])
      expect(await person.status()).toMatchObject({ state: "connected", reason: null });
  });

  it("is told from an administrator who left and a mailbox that is closed: the others stay connected", async () => {
    const { fake, connect } = await acme();
    const [bob, carol] = [await connect("bob@acme.io"), await connect("carol@acme.io")];
    fake.account("ada@acme.io").suspend();
    fake.account("bob@acme.io").suspend();
    await bob.sync();
    await bob.sync();
    expect(await bob.status()).toMatchObject({ state: "disconnected", reason: "delegation_refused" });
    expect(await carol.status()).toMatchObject({ state: "connected" });
  });

  it("is noticed when the calendars alone are withdrawn, and Verify connects all again once they are back", async () => {
    const { service, admin, delegationId, connect } = await acme();
    const [bob, carol] = [await connect("bob@acme.io"), await connect("carol@acme.io")];
    service.scopes.delete(`${AUTH}/calendar.events`);
    await expire(bob.profileId);
    await bob.sync();
    await bob.sync();
    for (const person of [bob, carol]) expect(await person.status()).toMatchObject({ reason: "delegation_withdrawn" });
    service.scopes.add(`${AUTH}/calendar.events`);
    const verified = await admin.api.organizations.verify({ delegationId, email: "carol@acme.io" });
    expect(verified).toMatchObject({ kind: "opened", reconnected: 2 });
  });

  it("is asked again while Google is down, and disconnects nobody until then", async () => {
    const { fake, service, connect } = await acme();
    const [bob, carol] = [await connect("bob@acme.io"), await connect("carol@acme.io")];
    service.withdraw();
    await expire(bob.profileId);
    await bob.sync();
    await expire(bob.profileId);
    // The mailbox is refused once more, and then Google does not say whether others are.
    fake.faults.next({ path: /^\/token$/, after: 1, times: 10, respond: { status: 503, body: {} } });
    await bob.sync();
    for (const person of [bob, carol]) expect((await person.status()).state).not.toBe("disconnected");
    fake.faults.clear();
    await bob.sync();
    await bob.sync();
    for (const person of [bob, carol]) expect(await person.status()).toMatchObject({ reason: "delegation_withdrawn" });
  });

  it("that is replaced before the old one counts as refused stays", async () => {
    const { fake, key, admin, delegationId } = await acme();
    const old = await findDelegation(db().prisma, delegationId);
    const fresh = fake.addServiceAccount({ domain: "acme.io", scopes: SCOPES });
    await admin.api.organizations.replaceKey({ delegationId, ...key, keyFile: JSON.stringify(fresh.key) });
    expect(old && (await withdraw(db(), old))).toBe(false);
    expect(await findDelegation(db().prisma, delegationId)).toMatchObject({ isWithdrawn: false });
  });

  it("is not replaced by one that opens nothing", async () => {
    const { fake, key, admin, delegationId, connect } = await acme();
    const bob = await connect("bob@acme.io");
    const useless = fake.addServiceAccount({ domain: "acme.io", scopes: [] });
    const replaced = admin.api.organizations.replaceKey({ delegationId, ...key, keyFile: JSON.stringify(useless.key) });
    expect(await refusal(replaced)).toMatchObject({
      kind: "conflict",
      text: expect.stringContaining("calendar.events"),
    });
    await expire(bob.profileId);
    await bob.sync();
    expect(await bob.status()).toMatchObject({ state: "connected", reason: null });
  });

  it("is replaced by one of another administrator, who then books the rooms", async () => {
    const { fake, room, key, admin, delegationId, connect } = await acme();
    const berlin = await connect(room.id);
    fake.account("ada@acme.io").suspend();
    await admin.api.organizations.replaceKey({ delegationId, ...key, administrator: "anna@acme.io" });
    await expire(berlin.profileId);
    await berlin.sync();
    expect(await berlin.status()).toMatchObject({ state: "connected", reason: null });
  });

  it("is told from one mailbox that is closed: the others stay connected", async () => {
    const { fake, connect } = await acme();
    const [bob, carol] = [await connect("bob@acme.io"), await connect("carol@acme.io")];
    fake.account("bob@acme.io").suspend();
    await bob.sync();
    await bob.sync();
    expect(await bob.status()).toMatchObject({ state: "disconnected", reason: "delegation_refused" });
    await carol.sync();
    expect(await carol.status()).toMatchObject({ state: "connected" });
  });
});

describe("an organization that is removed", () => {
  it("disconnects its mailboxes for that, while their accounts stay", async () => {
    const { admin, application, delegationId, connect } = await acme();
    const bob = await connect("bob@acme.io");
    await admin.api.organizations.remove({ delegationId });
    expect(await bob.status()).toMatchObject({ state: "disconnected", reason: "delegation_removed" });
    const { delegations } = await admin.api.organizations.list({ id: await applicationId(application) });
    expect(delegations).toEqual([]);
  });

  it("can have its reach changed instead", async () => {
    const { admin, delegationId, authorize } = await acme();
    await admin.api.organizations.setReach({ delegationId, domains: ["acme.io"], addresses: ["carol@acme.io"] });
    expect(await authorize("bob@acme.io")).toMatchObject({ error: "out_of_reach" });
    expect(await authorize("carol@acme.io")).toHaveProperty("code");
  });
});

describe("the access that a user gave", () => {
  it("is ended at Google once their organization opens the mailbox", async () => {
    const { fake, application, connect } = await acme();
    const alone = await connectGooglePerson(fake, application);
    await alone.sync();
    await connect("ada@acme.io");
    fake.requests.splice(0);
    await workRevocations(db(), () => fake.connector);
    expect(fake.requests.map(({ path }) => path)).toContain("/revoke");
    await alone.sync();
    expect((await alone.profile()).connected).toBe(true);
  });
});

describe("the key of an organization", () => {
  it("is checked before it is stored, and never shown", async () => {
    const { admin, application, service } = await acme();
    const id = await applicationId(application);
    const add = (key: object, domains = ["acme.dev"]) =>
      refusal(
        admin.api.organizations.add({ id, ...key, domains } as Parameters<typeof admin.api.organizations.add>[0]),
      );
    const google = { provider: "google", administrator: "ada@acme.io" };
    for (const keyFile of ["", "{}", "not JSON", JSON.stringify({ ...service.key, private_key: "none" })]) {
      expect(await add({ ...google, keyFile })).toMatchObject({ kind: "invalid" });
    }
    const microsoft = { provider: "microsoft", tenant: "acme", clientId: "b", secret: "" };
    expect(await add(microsoft)).toMatchObject({ kind: "invalid" });
    expect(await add({ ...google, keyFile: JSON.stringify(service.key) }, ["acme.io"])).toMatchObject({
      kind: "conflict",
    });
    const shown = JSON.stringify(await admin.api.organizations.list({ id }));
    expect(shown).not.toContain("PRIVATE KEY");
    expect(shown).toContain(service.key.client_email);
    const [row] = await db().prisma.delegation.findMany({ where: { applicationId: id } });
    expect(row?.sealed).not.toContain("PRIVATE");
  });
});
