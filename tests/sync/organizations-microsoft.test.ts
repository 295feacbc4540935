import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { basic } from "../api/availability";
import { call } from "../api/service";
import { connectMicrosoftPerson, type Microsoft, microsoft } from "./microsoft-person";
import { isSigned, organizationAt } from "./organization";

const ROLES = [
  "Calendars.ReadWrite",
  "MailboxSettings.Read",
  "User.Read.All",
  "GroupMember.Read.All",
  "Place.Read.All",
];

type AcmeApp = ReturnType<Microsoft["addApplication"]>;

const bySecret = ({ tenant, clientId, clientSecret: secret }: AcmeApp) => ({ tenant, clientId, secret });
const byCertificate = ({ tenant, clientId, certificate: { certificate, privateKey } }: AcmeApp) => ({
  ...{ tenant, clientId, certificate: certificate + privateKey },
});

/** Acme at Microsoft 365: Ada, Bob and Carol work there. */
async function acme({ proofOf = bySecret as (app: AcmeApp) => object, more = {} } = {}) {
  const fake = await microsoft({
    accounts: [
      { email: "ada@example.com", name: "Ada" },
      { email: "bob@example.com", name: "Bob", aliases: ["o'neill@example.com"] },
      { email: "carol@example.com", name: "Carol" },
    ],
  });
  fake.addGroup("sales@example.com", ["bob@example.com"]);
  const app = fake.addApplication({ roles: ROLES });
  const key = { provider: "microsoft", ...proofOf(app) };
  return {
    fake,
    app,
    ...(await organizationAt("microsoft", fake.connector, { ...key, domains: ["example.com"], ...more })),
  };
}

describe("a mailbox of an organization at Microsoft 365", () => {
  it.each([
    ["secret", bySecret],
    ["certificate", byCertificate],
  ])("is read and written by an app with a %s, and its user signs in nowhere", async (_, proofOf) => {
    const { fake, application, receiver, connect } = await acme({ proofOf });
    const bob = await connect("bob@example.com");
    expect(receiver.got[0] && isSigned(receiver.got[0], application)).toBe(true);
    await bob.sync();
    expect(await bob.status()).toMatchObject({ state: "connected", reason: null });
    await bob.write("ours-1");
    expect(fake.account("bob@example.com").primary.events()).toMatchObject([{ subject: "Ours ours-1" }]);
    expect(fake.requests.filter(({ path }) => path.startsWith("/v1.0/me"))).toEqual([]);
  });

  it("is the same one by an alias, and when its user had connected alone: the account and its ids stay", async () => {
    const { fake, application, connect } = await acme();
    const alone = await connectMicrosoftPerson(fake, application);
    await alone.sync();
    const before = await alone.get("/v1/calendars");
    const ada = await connect("ada@example.com");
    expect([ada.accountId, ada.profileId]).toEqual([alone.accountId, alone.profileId]);
    await ada.sync();
    expect((await ada.get("/v1/calendars")).json).toEqual(before.json);
    expect(await ada.status()).toMatchObject({ state: "connected", reason: null });
    const bob = await connect("bob@example.com");
    expect((await connect("o'neill@example.com")).profileId).toBe(bob.profileId);
  });

  it("outside of the domain or the group, unknown, disabled or without a mailbox is refused for that", async () => {
    const { fake, authorize } = await acme({ more: { group: "sales@example.com" } });
    fake.requests.splice(0);
    expect(await authorize("eve@other.io")).toMatchObject({ error: "out_of_reach" });
    expect(fake.requests).toEqual([]);
    expect(await authorize("carol@example.com")).toMatchObject({ error: "out_of_reach" });
    expect(fake.requests.filter(({ path }) => path.includes("/calendars"))).toEqual([]);
    expect(await authorize("nobody@example.com")).toMatchObject({ error: "unknown_mailbox" });
    fake.account("bob@example.com").disable();
    expect(await authorize("bob@example.com")).toMatchObject({ error: "suspended" });
    fake.account("bob@example.com").enable();
    fake.account("bob@example.com").removeMailbox();
    expect(await authorize("bob@example.com")).toMatchObject({ error: "no_mailbox" });
  });

  it("is refused where a permission is missing, and Verify says which", async () => {
    const { app, admin, delegationId } = await acme();
    const verify = () => admin.api.organizations.verify({ delegationId, email: "bob@example.com" });
    app.roles.delete("User.Read.All");
    expect(await verify()).toMatchObject({ kind: "problem", missing: expect.stringContaining("User.Read.All") });
    app.roles.add("User.Read.All");
    app.roles.delete("Calendars.ReadWrite");
    expect(await verify()).toMatchObject({ kind: "problem", missing: expect.stringContaining("Calendars.ReadWrite") });
    app.roles.add("Calendars.ReadWrite");
    expect(await verify()).toMatchObject({ kind: "opened", name: "bob@example.com" });
    app.expireSecret();
    expect(await verify()).toMatchObject({
      ...{ kind: "problem", missing: expect.stringContaining("expired") },
      detail: expect.stringContaining("AADSTS7000222"),
    });
  });

  it.each([true, false])("may be a room, of a list with links to its pages: %s", async (linksRooms) => {
    const { fake, application, connect } = await acme();
    fake.knobs.linksRooms = linksRooms;
    for (let n = 0; n < 120; n += 1) fake.addRoom({ name: `Room ${n}`, capacity: 4, building: "Annex" });
    fake.addRoom({ name: "Berlin", email: "berlin@example.com", capacity: 8, building: "Headquarters" });
    const resources = async () => (await call("GET", "/v1/resources", { headers: basic(application) })).json.resources;
    expect(await resources()).toHaveLength(121);
    const berlin = await connect("berlin@example.com");
    await berlin.sync();
    expect(await berlin.status()).toMatchObject({ state: "connected", reason: null });
    expect((await resources()).find(({ name }: { name: string }) => name === "Berlin")).toEqual({
      ...{ email: "berlin@example.com", name: "Berlin", capacity: 8, building: "Headquarters" },
      sub: berlin.accountId,
    });
  });

  it("is disconnected with all others when the secret expires, and connected again by another", async () => {
    const { fake, app, admin, delegationId, connect } = await acme();
    const [bob, carol] = [await connect("bob@example.com"), await connect("carol@example.com")];
    app.expireSecret();
    await db().prisma.providerToken.updateMany({
      where: { profileId: bob.profileId },
      data: { expiresAt: new Date(0) },
    });
    await bob.sync();
    await bob.sync();
    for (const person of [bob, carol]) {
      expect(await person.status()).toMatchObject({ state: "disconnected", reason: "delegation_withdrawn" });
    }
    expect(await admin.api.organizations.verify({ delegationId, email: "bob@example.com" })).toMatchObject({
      kind: "problem",
    });
    const fresh = { provider: "microsoft" as const, ...bySecret(fake.addApplication({ roles: ROLES })) };
    expect(await admin.api.organizations.replaceKey({ delegationId, ...fresh })).toEqual({ reconnected: 2 });
    for (const person of [bob, carol]) {
      await person.sync();
      expect(await person.status()).toMatchObject({ state: "connected", reason: null });
    }
  });

  it("is one of 200 that are authorized in one run: each code is told once, and each profile is read", async () => {
    const { fake, request, due, receiver, application, syncing } = await acme();
    const emails = Array.from({ length: 200 }, (_, n) => `person-${n}@example.com`);
    for (const email of emails) fake.addAccount({ email, name: email });
    for (let at = 0; at < emails.length; at += 50) {
      const some = emails.slice(at, at + 50).map((email) => ({ email, callback_url: receiver.url(), state: email }));
      expect((await request({ service_account_authorizations: some })).status).toBe(202);
    }
    await due();
    const told = receiver.got.map(({ json }) => json.authorization);
    expect(
      told
        .filter(({ code }) => typeof code === "string")
        .map(({ state }) => state)
        .sort(),
    ).toEqual(emails.sort());
    const of = { application: { clientId: application.clientId } };
    const profiles = await db().prisma.profile.findMany({ where: { account: of }, select: { id: true } });
    expect(profiles).toHaveLength(200);
    await syncing.drain(60_000);
    expect(await db().prisma.profile.count({ where: { account: of, initialSyncRequired: true } })).toBe(0);
  });
});
