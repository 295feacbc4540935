import { describe, expect, it, onTestFinished } from "vitest";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { signInCodes } from "../../fakes/microsoft/aadsts";
import { signingKeys } from "../../fakes/microsoft/keys";
import { type MicrosoftOptions, startMicrosoft } from "../../fakes/microsoft/microsoft";
import { CONSUMERS } from "../../fakes/microsoft/state";

const ADA = "ada@example.com";
const now = () => Math.floor(Date.now() / 1_000);

interface Setting extends MicrosoftOptions {
  provider?: "microsoft" | "outlook";
}

async function setUp({ provider = "microsoft", ...options }: Setting = {}) {
  const fake = await startMicrosoft({ ...options, knobs: { consent: "given", ...options.knobs } });
  onTestFinished(() => fake.close());
  const { id: clientId, secret: clientSecret, redirectUris } = fake.client;
  const { signIn } = microsoftConnector({ clientId, clientSecret, provider, origin: fake.origin });
  return { fake, clientId, signIn, redirectUri: redirectUris[0] ?? "" };
}

/** Ada is back from Microsoft's page. */
async function back(setting: Setting = {}) {
  const { fake, clientId, signIn, redirectUri } = await setUp(setting);
  const { url, secret } = signIn.begin({ redirectUri, state: "s" });
  const page = await fetch(url, { redirect: "manual" });
  const query = new URL(page.headers.get("location") ?? "").searchParams;
  const nonce = new URL(url).searchParams.get("nonce");
  const finish = () => signIn.finish({ redirectUri, query, secret });
  return { fake, clientId, signIn, url: new URL(url), nonce, finish };
}

/** As `back`, and Microsoft's response to the code has an id_token with other claims. */
async function backWith(claims: object, more: object = {}, me?: { status: number; body: object }) {
  const { fake, clientId, nonce, finish } = await back();
  const { tid, oid } = fake.account(ADA);
  const own = { iss: `${fake.origin}/${tid}/v2.0`, aud: clientId, sub: "1", tid, oid, email: "Eve@example.com", nonce };
  const id_token = signingKeys().signed({ ...own, iat: now(), exp: now() + 3_600, ...claims });
  const tokens = { access_token: "a", refresh_token: "r", expires_in: 3_600, scope: "openid Calendars.ReadWrite" };
  fake.faults.next({ path: /\/token$/, respond: { status: 200, body: { ...tokens, id_token, ...more } } });
  if (me) fake.faults.next({ path: /\/me$/, respond: me });
  return { fake, tid, oid, signedIn: finish() };
}

const down = { fault: { kind: "down" } };

describe("an id_token", () => {
  it("says who has signed in, by what never changes", async () => {
    const { tid, oid, signedIn } = await backWith({});
    expect(await signedIn).toMatchObject({ subject: `${tid}.${oid}`, email: "eve@example.com", credential: "r" });
  });

  it.each([
    ["for another sign-in", { nonce: "another" }],
    ["without a nonce", { nonce: undefined }],
    ["for another client", { aud: "00000000-0000-0000-0000-000000000000" }],
    ["of another issuer", { iss: "https://login.example.com/v2.0" }],
    ["of another tenant than its issuer", { tid: "11111111-2222-3333-4444-555555555555" }],
    ["of a tenant that is part of a path", { tid: "organizations/x" }],
    ["that has expired", { iat: now() - 7_200, exp: now() - 3_600 }],
    ["of nobody", { sub: undefined }],
    ["of an empty subject", { sub: "" }],
    ["of a subject that is a number", { sub: 7 }],
    ["without the account's id", { oid: undefined }],
    ["with an empty id of the account", { oid: "" }],
    ["with a blank id of the account", { oid: " " }],
    ["with an id of the account that is a number", { oid: 7 }],
    ["with an id of the account that is none", { oid: "everybody" }],
  ])("%s is believed by nobody", async (_, claims) => {
    await expect((await backWith(claims)).signedIn).rejects.toMatchObject(down);
  });

  it("is read with keys that were rotated after they were read", async () => {
    const { fake, signIn, redirectUri } = await setUp();
    const connect = async () => {
      const { url, secret } = signIn.begin({ redirectUri, state: "s" });
      const query = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "").searchParams;
      return await signIn.finish({ redirectUri, query, secret });
    };
    const first = await connect();
    fake.rotateKeys();
    expect(await connect()).toMatchObject({ subject: "subject" in first && first.subject });
  });

  it("signed by a key that is another issuer's is believed by nobody", async () => {
    const { fake, finish } = await back();
    const keys = signingKeys().keySet(`${fake.origin}/${CONSUMERS}/v2.0`);
    fake.faults.next({ path: /\/discovery\/v2.0\/keys$/, times: 2, respond: { status: 200, body: keys } });
    await expect(finish()).rejects.toMatchObject(down);
  });

  it("is read where what stands in for Microsoft names Microsoft's own host", async () => {
    const { fake, finish } = await back();
    const jwks_uri = "https://login.microsoftonline.com/organizations/discovery/v2.0/keys";
    const body = { issuer: `${fake.origin}/{tenantid}/v2.0`, jwks_uri };
    fake.faults.next({ path: /openid-configuration$/, respond: { status: 200, body } });
    expect(await finish()).toMatchObject({ email: ADA });
  });
});

describe("the email address", () => {
  const unnamed = { email: undefined, preferred_username: "upn@example.com" };

  it("is that of the mailbox where the token has none", async () => {
    const me = { mail: "Ada@corp.example", userPrincipalName: ADA };
    const { signedIn } = await backWith(unnamed, {}, { status: 200, body: me });
    expect(await signedIn).toMatchObject({ email: "ada@corp.example" });
  });

  it("is the name of the account where there is no mailbox, and where Graph is down", async () => {
    const { signedIn } = await backWith(unnamed, {}, { status: 503, body: {} });
    expect(await signedIn).toMatchObject({ email: "upn@example.com" });
    const me = { mail: null, userPrincipalName: "ada@corp.example" };
    const other = await backWith(unnamed, {}, { status: 200, body: me });
    expect(await other.signedIn).toMatchObject({ email: "ada@corp.example" });
  });
});

describe("the page that the user is sent to", () => {
  it.each([
    ["microsoft", "organizations"],
    ["outlook", "consumers"],
  ] as const)("is the one for accounts of its kind: %s", async (provider, tenant) => {
    const kind = provider === "outlook" ? "personal" : "work";
    const { fake, url } = await back({ provider, accounts: [{ email: ADA, kind }] });
    expect(url.origin + url.pathname).toBe(`${fake.origin}/${tenant}/oauth2/v2.0/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: "code", prompt: "select_account", code_challenge_method: "S256" },
      ...{ scope: "offline_access openid profile email User.Read Calendars.ReadWrite MailboxSettings.Read" },
    });
  });
});

describe("a user", () => {
  const personal = [{ email: ADA, kind: "personal" as const }];
  const work = [{ email: ADA }];

  it.each([
    ["microsoft", personal, "redirects"],
    ["outlook", work, "redirects"],
    ["microsoft", personal, "signs in"],
    ["outlook", work, "signs in"],
  ] as const)(
    "whose account is of the other kind is not connected: %s, %o, %s",
    async (provider, accounts, wrongKind) => {
      const knobs = { wrongKind, signedIn: ADA };
      const { finish } = await back({ provider, accounts: [...accounts], knobs });
      expect(await finish()).toEqual({ problem: "wrong_account" });
    },
  );

  it.each([
    ["denied", "denied"],
    ["admin consent", "admin_consent"],
    ["not consented", "admin_consent"],
    ["conditional access", "blocked"],
  ] as const)("reads why they are not connected: %s", async (consent, problem) => {
    expect(await (await back({ knobs: { consent } })).finish()).toEqual({ problem });
  });

  it("who consented to less is not connected", async () => {
    const { signedIn } = await backWith({}, { scope: "openid profile https://graph.microsoft.com/Calendars.Read" });
    expect(await signedIn).toEqual({ problem: "missing_scope" });
  });

  it("with a personal account, whose permissions have long names, is connected", async () => {
    const { fake, finish } = await back({ provider: "outlook", accounts: personal });
    const { oid } = fake.account(ADA);
    expect(await finish()).toMatchObject({ subject: `${CONSUMERS}.${oid}`, email: ADA });
  });

  it("who has to prove more when the code is exchanged reads so", async () => {
    const { fake, finish } = await back();
    fake.account(ADA).failRefresh(50076);
    const body = { error: "interaction_required", error_description: "AADSTS50076: Use multi-factor authentication." };
    fake.faults.next({ path: /\/token$/, respond: { status: 400, body } });
    expect(await finish()).toEqual({ problem: "blocked" });
  });
});

describe("a refresh", () => {
  async function refreshing() {
    const { fake, signIn } = await setUp();
    return { fake, refresh: () => signIn.refresh(fake.refreshToken(ADA)) };
  }

  it("gives the refresh token that replaces the old one", async () => {
    const { fake, signIn } = await setUp({ knobs: { refreshGrace: 0, reuseEndsFamily: true } });
    const first = fake.refreshToken(ADA);
    const { credential } = await signIn.refresh(first);
    expect(credential).not.toBe(first);
    expect(await signIn.refresh(credential)).toMatchObject({ token: { text: expect.any(String) } });
  });

  const passing = [50196, 90024, 90033];
  const ourFault = [
    ...[50011, 500200, 50194, 70003, 70011, 90002, 90014, 900144, 1002012],
    ...[700021, 700023, 700024, 700027, 7000215, 7000218, 7000222],
  ];
  const ended = signInCodes.filter((code) => !passing.includes(code) && !ourFault.includes(code));

  it.each(ended)("that gets AADSTS%i says that the user has to connect again", async (code) => {
    const { fake, refresh } = await refreshing();
    await refresh();
    fake.account(ADA).failRefresh(code);
    await expect(refresh()).rejects.toMatchObject({ fault: { kind: "credentials_rejected" } });
  });

  it.each([
    ...passing.map((code) => [code, code === 50196 ? "throttled" : "down"] as const),
    ...ourFault.map((code) => [code, "misconfigured"] as const),
  ])("that gets AADSTS%i ends nothing: %s", async (code, kind) => {
    const { fake, refresh } = await refreshing();
    await refresh();
    fake.account(ADA).failRefresh(code);
    const error = await refresh().catch((thrown) => thrown);
    expect(error.fault.kind).toBe(kind);
    expect(error.detail).toContain(`AADSTS${code}`);
    fake.account(ADA).recover();
    expect(await refresh()).toMatchObject({ token: { text: expect.any(String) } });
  });

  it("that finds no such client ends nothing as long as Microsoft has accepted the client ID for nobody", async () => {
    const { fake, refresh } = await refreshing();
    fake.account(ADA).failRefresh(700016);
    await expect(refresh()).rejects.toMatchObject({ fault: { kind: "misconfigured" } });
  });

  it("waits as long as the sign-in service asks", async () => {
    const { fake, refresh } = await refreshing();
    fake.faults.next({ path: /\/token$/, respond: "serviceUnavailable", retryAfter: 7 });
    const fault = { kind: "throttled", after: 7_000, scope: "request" };
    await expect(refresh()).rejects.toMatchObject({ fault });
  });
});
