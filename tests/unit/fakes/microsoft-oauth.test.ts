import * as oauth from "oauth4webapi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MicrosoftFake, startMicrosoft } from "../../fakes/microsoft/microsoft";
import { CONSUMERS } from "../../fakes/microsoft/state";

const SCOPE = "openid profile email offline_access User.Read Calendars.ReadWrite";
const http = { [oauth.allowInsecureRequests]: true };
const CONTOSO = "11111111-2222-4333-8444-555555555555";
let microsoft: MicrosoftFake;
let client: oauth.Client;
let secret: oauth.ClientAuth;
let redirectUri: string;

beforeEach(async () => {
  microsoft = await startMicrosoft({
    accounts: [
      { email: "ada@contoso.test", name: "Ada", tid: CONTOSO },
      { email: "bob@fabrikam.test" },
      { email: "carl@strict.test", needsAdmin: true },
      { email: "eve@outlook.test", name: "Eve", kind: "personal" },
    ],
    knobs: { consent: "given" },
  });
  client = { client_id: microsoft.client.id };
  secret = oauth.ClientSecretPost(microsoft.client.secret);
  redirectUri = microsoft.client.redirectUris[0] ?? "";
});
afterEach(() => microsoft.close());

/** The endpoints of a tenant as a client with one issuer in mind reads them; those of several tenants have a template for an issuer. */
async function serverOf(tenant: string, tid = CONTOSO): Promise<oauth.AuthorizationServer> {
  const response = await fetch(`${microsoft.origin}/${tenant}/v2.0/.well-known/openid-configuration`);
  const text = (await response.text()).replace("{tenantid}", tid);
  const { issuer } = JSON.parse(text);
  return await oauth.processDiscoveryResponse(new URL(issuer), new Response(text, { headers: json }));
}
const json = { "content-type": "application/json" };

interface Flow {
  back: URL;
  verifier: string;
  nonce: string;
  state: string;
}

async function addressOf(tenant: string, parameters: Record<string, string>, verifier: string): Promise<URL> {
  const address = new URL(`${microsoft.origin}/${tenant}/oauth2/v2.0/authorize`);
  const all = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: SCOPE,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...parameters,
  };
  address.search = new URLSearchParams(all).toString();
  return address;
}

/** The redirect back to the client after the sign-in. */
async function signIn(tenant: string, parameters: Record<string, string> = {}): Promise<Flow> {
  const flow = {
    verifier: oauth.generateRandomCodeVerifier(),
    nonce: oauth.generateRandomNonce(),
    state: oauth.generateRandomState(),
  };
  const address = await addressOf(tenant, { nonce: flow.nonce, state: flow.state, ...parameters }, flow.verifier);
  const response = await fetch(address, { redirect: "manual" });
  expect(response.status).toBe(302);
  return { ...flow, back: new URL(response.headers.get("location") ?? "") };
}

async function exchange(tenant: string, { back, verifier, nonce, state }: Flow, auth = secret, tid = CONTOSO) {
  const server = await serverOf(tenant, tid);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    parameters,
    redirectUri,
    verifier,
    http,
  );
  return await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce });
}

async function tokenRequest(form: Record<string, string>, tenant = "organizations") {
  const all = { client_id: microsoft.client.id, client_secret: microsoft.client.secret, ...form };
  const response = await fetch(`${microsoft.origin}/${tenant}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams(all),
  });
  const body = (await response.json()) as Record<string, unknown> & { error_codes?: number[]; refresh_token?: string };
  return { status: response.status, body, code: body.error_codes?.[0], error: body.error };
}

const refresh = (refresh_token: string, tenant?: string) =>
  tokenRequest({ grant_type: "refresh_token", refresh_token }, tenant);
const claimsOf = (idToken = "") => JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
const graph = (token: string) =>
  fetch(`${microsoft.origin}/v1.0/me/calendars`, { headers: { authorization: `Bearer ${token}` } });

describe("the discovery documents", () => {
  it.each(["organizations", "common"])("%s has a template in the place of the issuer's tenant", async (tenant) => {
    const response = await fetch(`${microsoft.origin}/${tenant}/v2.0/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: `${microsoft.origin}/{tenantid}/v2.0`,
      token_endpoint: `${microsoft.origin}/${tenant}/oauth2/v2.0/token`,
      jwks_uri: `${microsoft.origin}/${tenant}/discovery/v2.0/keys`,
    });
  });

  it("consumers names the tenant of personal accounts", async () => {
    expect((await serverOf("consumers")).issuer).toBe(`${microsoft.origin}/${CONSUMERS}/v2.0`);
  });

  it("a tenant names itself", async () => {
    expect((await serverOf(CONTOSO)).issuer).toBe(`${microsoft.origin}/${CONTOSO}/v2.0`);
  });

  it("no other path is a tenant", async () => {
    expect((await fetch(`${microsoft.origin}/nobody/v2.0/.well-known/openid-configuration`)).status).toBe(404);
  });
});

describe("the authorization endpoint", () => {
  it("returns a code and the state", async () => {
    const { back, state } = await signIn("organizations");
    expect(back.searchParams.get("state")).toBe(state);
    expect(back.searchParams.get("code")).toMatch(/^0\.A/);
  });

  it.each([
    ["client_id", "00000000-0000-4000-8000-000000000000", "AADSTS700016"],
    ["redirect_uri", "https://elsewhere.test/", "AADSTS50011"],
    ["response_type", "magic", "AADSTS900144"],
    ["code_challenge", "short", "AADSTS900144"],
    ["code_challenge_method", "S512", "AADSTS900144"],
    ["prompt", "sometimes", "AADSTS900144"],
  ])("shows a page and does not redirect for a wrong %s", async (name, value, code) => {
    const address = await addressOf("organizations", { [name]: value }, oauth.generateRandomCodeVerifier());
    const response = await fetch(address, { redirect: "manual" });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(code);
  });

  it("redirects with invalid_scope for a scope that does not exist", async () => {
    const { back } = await signIn("organizations", { scope: "openid Nonsense.Read" });
    expect(back.searchParams.get("error")).toBe("invalid_scope");
    expect(back.searchParams.get("error_description")).toMatch(
      /^AADSTS70011: .* Trace ID: .* Correlation ID: .* Timestamp: /,
    );
  });

  it("redirects with access_denied when the user cancels", async () => {
    microsoft.knobs.consent = "denied";
    const { back } = await signIn("organizations");
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "access_denied", error_subcode: "cancel" });
    expect(back.searchParams.has("code")).toBe(false);
  });

  it.each([
    ["admin consent", "consent_required", "AADSTS90094"],
    ["not consented", "interaction_required", "AADSTS65001"],
    ["conditional access", "interaction_required", "AADSTS53003"],
  ] as const)("redirects with the number of the error: %s", async (consent, error, code) => {
    microsoft.knobs.consent = consent;
    const { back } = await signIn("organizations");
    expect(back.searchParams.get("error")).toBe(error);
    expect(back.searchParams.get("error_description")).toContain(code);
  });

  it("asks for claims where conditional access wants more than a password", async () => {
    microsoft.knobs.consent = "conditional access";
    const { back } = await signIn("organizations");
    expect(JSON.parse(back.searchParams.get("claims") ?? "")).toHaveProperty("access_token");
  });

  it("shows a page of its own when it fails", async () => {
    microsoft.knobs.consent = "fails";
    const address = await addressOf("organizations", {}, oauth.generateRandomCodeVerifier());
    expect((await fetch(address)).status).toBe(503);
  });

  it("shows no page to prompt=none: without consent it redirects", async () => {
    microsoft.knobs.consent = "page";
    const { back } = await signIn("organizations", { prompt: "none" });
    expect(back.searchParams.get("error")).toBe("interaction_required");
  });

  it("remembers what was consented to, and asks again for prompt=consent", async () => {
    await signIn("organizations");
    microsoft.knobs.consent = "page";
    expect((await signIn("organizations", { prompt: "none" })).back.searchParams.has("code")).toBe(true);
    const address = await addressOf("organizations", { prompt: "consent" }, oauth.generateRandomCodeVerifier());
    expect(await (await fetch(address)).text()).toContain("Permissions requested");
  });

  it("lets an account sign in that an administrator consented for, whatever the policy", async () => {
    await signIn("organizations");
    microsoft.knobs.consent = "admin consent";
    expect((await signIn("organizations")).back.searchParams.has("code")).toBe(true);
  });
});

describe("accounts of the wrong kind", () => {
  it.each([
    ["organizations", "eve@outlook.test", "AADSTS500200"],
    ["consumers", "ada@contoso.test", "AADSTS50020"],
    [CONTOSO, "bob@fabrikam.test", "AADSTS50020"],
    [CONTOSO, "eve@outlook.test", "AADSTS500200"],
  ])("%s refuses %s", async (tenant, login_hint, code) => {
    const { back } = await signIn(tenant, { login_hint });
    expect(back.searchParams.get("error_description")).toContain(code);
  });

  it.each([
    ["common", "eve@outlook.test"],
    ["common", "ada@contoso.test"],
    ["organizations", "bob@fabrikam.test"],
    ["consumers", "eve@outlook.test"],
    [CONSUMERS, "eve@outlook.test"],
    [CONTOSO, "ada@contoso.test"],
  ])("%s admits %s", async (tenant, login_hint) => {
    expect((await signIn(tenant, { login_hint })).back.searchParams.has("code")).toBe(true);
  });

  it("may meet a page of Microsoft's that leads back without a code", async () => {
    microsoft.knobs.wrongKind = "page";
    const address = await addressOf(
      "organizations",
      { login_hint: "eve@outlook.test" },
      oauth.generateRandomCodeVerifier(),
    );
    const response = await fetch(address);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/AADSTS500200[\s\S]*error=access_denied/);
  });

  it("may come through, with the tenant that the token names", async () => {
    microsoft.knobs.wrongKind = "signs in";
    const flow = await signIn("organizations", { login_hint: "eve@outlook.test" });
    const { id_token } = await exchange("organizations", flow, secret, CONSUMERS);
    expect(claimsOf(id_token).tid).toBe(CONSUMERS);
  });
});

describe("the sign-in page", () => {
  /** The page, and what the browser sends when a button is clicked. */
  async function page(decision: "accept" | "cancel", account: string, parameters: Record<string, string> = {}) {
    microsoft.knobs.consent = "page";
    const address = await addressOf("organizations", { state: "s", ...parameters }, oauth.generateRandomCodeVerifier());
    const text = await (await fetch(address)).text();
    const action = /action="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const body = new URLSearchParams({ decision, account });
    const response = await fetch(`${microsoft.origin}${action}`, { method: "POST", body, redirect: "manual" });
    return { text, response, location: response.headers.get("location") ?? "" };
  }

  it("lists the accounts and the permissions, and accepts", async () => {
    const { text, location } = await page("accept", "ada@contoso.test");
    expect(text).toContain("eve@outlook.test");
    expect(text).toContain("<li>Calendars.ReadWrite</li>");
    expect(new URL(location).searchParams.has("code")).toBe(true);
  });

  it("redirects with access_denied when cancelled", async () => {
    const { location } = await page("cancel", "ada@contoso.test");
    expect(new URL(location).searchParams.get("error")).toBe("access_denied");
  });

  it("offers the accounts that the tenant admits, and picks the first of those", async () => {
    microsoft.knobs.consent = "page";
    const address = await addressOf("consumers", {}, oauth.generateRandomCodeVerifier());
    expect(await (await fetch(address)).text()).toContain('value="eve@outlook.test" checked');
  });

  it("leads to Need admin approval where administrators alone may consent, and from there back without it", async () => {
    const { response } = await page("accept", "carl@strict.test");
    const text = await response.text();
    expect(text).toContain("Need admin approval");
    const back = new URL(/href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "");
    expect(back.searchParams.get("error")).toBe("consent_required");
    microsoft.knobs.consent = "given";
    const { back: redirect } = await signIn("organizations", { login_hint: "carl@strict.test" });
    expect(redirect.searchParams.get("error_description")).toContain("AADSTS90094");
  });

  it("refuses an account of the wrong kind that is picked", async () => {
    const { location } = await page("accept", "eve@outlook.test");
    expect(new URL(location).searchParams.get("error_description")).toContain("AADSTS500200");
  });
});

describe("the token endpoint", () => {
  it("exchanges a code for tokens, with an id token of the account's tenant", async () => {
    const tokens = await exchange("organizations", await signIn("organizations"));
    expect(tokens).toMatchObject({
      token_type: "bearer",
      expires_in: 3599,
      scope: expect.stringContaining("Calendars.ReadWrite"),
    });
    expect(tokens.scope).not.toContain("offline_access");
    expect(claimsOf(tokens.id_token)).toMatchObject({
      iss: `${microsoft.origin}/${CONTOSO}/v2.0`,
      aud: microsoft.client.id,
      tid: CONTOSO,
      oid: microsoft.account("ada@contoso.test").oid,
      preferred_username: "ada@contoso.test",
      name: "Ada",
      ver: "2.0",
    });
  });

  it("signs id tokens by a published key, also after a new one took over", async () => {
    for (const _ of [1, 2]) {
      const flow = await signIn("organizations");
      const server = await serverOf("organizations");
      const parameters = oauth.validateAuthResponse(server, client, flow.back, flow.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        secret,
        parameters,
        redirectUri,
        flow.verifier,
        http,
      );
      await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: flow.nonce });
      await oauth.validateApplicationLevelSignature(server, response, http);
      microsoft.rotateKeys();
    }
  });

  it("names the tenant of personal accounts, and the full names of scopes", async () => {
    const flow = await signIn("consumers", { login_hint: "eve@outlook.test" });
    const tokens = await exchange("consumers", flow);
    expect(claimsOf(tokens.id_token)).toMatchObject({ iss: `${microsoft.origin}/${CONSUMERS}/v2.0`, tid: CONSUMERS });
    expect(tokens.scope).toContain("https://graph.microsoft.com/Calendars.ReadWrite");
  });

  it("gives no refresh token without offline_access, and no id token without openid", async () => {
    const tokens = await exchange("organizations", await signIn("organizations", { scope: "openid User.Read" }));
    expect(tokens).not.toHaveProperty("refresh_token");
    const { back, verifier } = await signIn("organizations", { scope: "User.Read" });
    const code = back.searchParams.get("code") ?? "";
    const { body } = await tokenRequest({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    expect(body).not.toHaveProperty("id_token");
  });

  it("knows a client by its password in the header as well", async () => {
    const flow = await signIn("organizations");
    expect(await exchange("organizations", flow, oauth.ClientSecretBasic(microsoft.client.secret))).toHaveProperty(
      "access_token",
    );
  });

  it.each([
    ["client_secret", "wrong", 401, "invalid_client", 7000215],
    ["client_id", "stranger", 400, "unauthorized_client", 700016],
    ["redirect_uri", "https://elsewhere.test/", 400, "invalid_request", 50011],
    ["code_verifier", "x".repeat(43), 400, "invalid_grant", 501481],
    ["code", "stranger", 400, "invalid_grant", 70000],
    ["grant_type", "magic", 400, "unsupported_grant_type", 70003],
  ])("refuses a wrong %s", async (name, value, status, error, code) => {
    const { back, verifier } = await signIn("organizations");
    const form = {
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      [name]: value,
    };
    expect(await tokenRequest(form)).toMatchObject({ status, error, code });
  });

  it("refuses a code the second time, and after ten minutes", async () => {
    const codeOf = async () => {
      const { back, verifier } = await signIn("organizations");
      const code = back.searchParams.get("code") ?? "";
      return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
    };
    const form = await codeOf();
    expect((await tokenRequest(form)).status).toBe(200);
    expect(await tokenRequest(form)).toMatchObject({ status: 400, code: 54005 });
    const late = await codeOf();
    microsoft.advance(11 * 60_000);
    expect(await tokenRequest(late)).toMatchObject({ status: 400, code: 70008 });
  });

  it("describes an error with its number, its ids and a time", async () => {
    const { body } = await refresh("stranger");
    expect(body).toMatchObject({
      error: "invalid_grant",
      error_description: expect.stringMatching(/^AADSTS70000: /),
      error_codes: [70000],
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
      trace_id: expect.any(String),
      correlation_id: expect.any(String),
    });
  });
});

describe("refresh tokens", () => {
  it("bring a new one with each use, and the old one works on", async () => {
    const first = microsoft.refreshToken("ada@contoso.test");
    const second = await refresh(first);
    expect(second.body.refresh_token).not.toBe(first);
    expect((await graph(String(second.body.access_token))).status).toBe(200);
    expect((await refresh(first)).status).toBe(200);
  });

  it("are refused the second time with a grace of 0, however close the two uses", async () => {
    microsoft.knobs.refreshGrace = 0;
    const token = microsoft.refreshToken("ada@contoso.test");
    const results = await Promise.all([refresh(token), refresh(token), refresh(token)]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(results.find(({ status }) => status === 400)).toMatchObject({ error: "invalid_grant", code: 50173 });
  });

  it("work until the grace is over", async () => {
    microsoft.knobs.refreshGrace = 60;
    const token = microsoft.refreshToken("ada@contoso.test");
    expect((await refresh(token)).status).toBe(200);
    microsoft.advance(59_000);
    expect((await refresh(token)).status).toBe(200);
    microsoft.advance(2000);
    expect((await refresh(token)).status).toBe(400);
  });

  it("end all of their family when one is used again after the grace, if so configured", async () => {
    Object.assign(microsoft.knobs, { refreshGrace: 0, reuseEndsFamily: true });
    const first = microsoft.refreshToken("ada@contoso.test");
    const second = String((await refresh(first)).body.refresh_token);
    expect((await refresh(first)).status).toBe(400);
    expect(await refresh(second)).toMatchObject({ status: 400, code: 50173 });
    const stranger = microsoft.refreshToken("ada@contoso.test");
    expect((await refresh(stranger)).status).toBe(200);
  });

  it("expire after 90 days without use", async () => {
    const token = microsoft.refreshToken("ada@contoso.test");
    microsoft.advance(91 * 86_400_000);
    expect(await refresh(token)).toMatchObject({
      status: 400,
      error: "invalid_grant",
      code: 700082,
      body: { suberror: "bad_token" },
    });
  });

  it("end with the consent", async () => {
    const token = microsoft.refreshToken("ada@contoso.test");
    microsoft.revokeConsent("ada@contoso.test");
    expect(await refresh(token)).toMatchObject({
      error: "invalid_grant",
      code: 65001,
      body: { suberror: "consent_required" },
    });
  });

  it("belong to a tenant that admits the account", async () => {
    const token = microsoft.refreshToken("ada@contoso.test");
    expect((await refresh(token, CONTOSO)).status).toBe(200);
    expect(await refresh(token, "consumers")).toMatchObject({ status: 400, code: 50020 });
  });

  it.each([
    [50173, "invalid_grant", 400],
    [50057, "invalid_grant", 400],
    [70043, "invalid_grant", 400],
    [700084, "invalid_grant", 400],
    [50076, "interaction_required", 400],
    [50079, "interaction_required", 400],
    [53003, "interaction_required", 400],
    [90094, "consent_required", 400],
    [7000222, "invalid_client", 401],
    [90033, "temporarily_unavailable", 503],
  ])("fail with AADSTS%i as %s until the user signs in again", async (code, error, status) => {
    const token = microsoft.refreshToken("ada@contoso.test");
    microsoft.account("ada@contoso.test").failRefresh(code);
    expect(await refresh(token)).toMatchObject({ status, error, code });
    await signIn("organizations");
    expect((await refresh(token)).status).toBe(200);
  });
});

describe("access tokens", () => {
  it("expire", async () => {
    const token = microsoft.accessToken("ada@contoso.test");
    expect((await graph(token)).status).toBe(200);
    microsoft.advance(3600_000);
    const response = await graph(token);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("invalid_token");
    expect(await response.json()).toMatchObject({ error: { code: "InvalidAuthenticationToken" } });
  });

  it("meet a claims challenge that a new one passes", async () => {
    const token = microsoft.accessToken("ada@contoso.test");
    microsoft.account("ada@contoso.test").challenge();
    const response = await graph(token);
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate") ?? "";
    expect(challenge).toContain('error="insufficient_claims"');
    const claims = /claims="([^"]+)"/.exec(challenge)?.[1] ?? "";
    expect(JSON.parse(Buffer.from(claims, "base64").toString())).toHaveProperty("access_token");
    microsoft.advance(1);
    const fresh = await refresh(microsoft.refreshToken("ada@contoso.test"));
    expect((await graph(String(fresh.body.access_token))).status).toBe(200);
  });

  it.each([
    [["User.Read"], 403],
    [["Calendars.Read"], 200],
  ])("with %s read calendars: %i", async (scopes, status) => {
    expect((await graph(microsoft.accessToken("bob@fabrikam.test", scopes))).status).toBe(status);
  });

  it("without Calendars.ReadWrite write no events", async () => {
    const headers = { authorization: `Bearer ${microsoft.accessToken("bob@fabrikam.test", ["Calendars.Read"])}` };
    const response = await fetch(`${microsoft.origin}/v1.0/me/events`, { method: "POST", headers, body: "{}" });
    expect(await response.json()).toMatchObject({ error: { code: "ErrorAccessDenied" } });
  });

  it("tell who the user is", async () => {
    const headers = { authorization: `Bearer ${microsoft.accessToken("ada@contoso.test")}` };
    const { sub } = microsoft.account("ada@contoso.test");
    const response = await fetch(`${microsoft.origin}/oidc/userinfo`, { headers });
    expect(await response.json()).toEqual({ sub, name: "Ada", email: "ada@contoso.test" });
  });
});

it("signing out leads back to the client", async () => {
  const back = "https://app.test/bye";
  const address = `${microsoft.origin}/common/oauth2/v2.0/logout?post_logout_redirect_uri=${encodeURIComponent(back)}`;
  expect((await fetch(address, { redirect: "manual" })).headers.get("location")).toBe(back);
  expect((await fetch(`${microsoft.origin}/common/oauth2/v2.0/logout`)).status).toBe(200);
});
