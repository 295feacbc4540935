import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";

const CALENDAR = "https://www.googleapis.com/auth/calendar";
const http = { [oauth.allowInsecureRequests]: true };
let google: GoogleFake;
let server: oauth.AuthorizationServer;
let client: oauth.Client;
let secret: oauth.ClientAuth;
let redirectUri: string;

beforeEach(async () => {
  google = await startGoogle({
    accounts: [{ email: "ada@example.com", name: "Ada", hd: "example.com" }, { email: "bob@gmail.test" }],
    knobs: { consent: "given" },
  });
  const issuer = new URL(google.origin);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
  client = { client_id: google.client.id };
  secret = oauth.ClientSecretPost(google.client.secret);
  redirectUri = google.client.redirectUris[0] ?? "";
});
afterEach(() => google.close());

interface Flow {
  back: URL;
  verifier: string;
  nonce: string;
  state: string;
}

async function addressOf(parameters: Record<string, string>, verifier: string): Promise<URL> {
  const address = new URL(server.authorization_endpoint ?? "");
  const all = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: `openid email ${CALENDAR}`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...parameters,
  };
  address.search = new URLSearchParams(all).toString();
  return address;
}

/** The redirect back to the client after the consent. */
async function consent(parameters: Record<string, string> = {}): Promise<Flow> {
  const flow = {
    verifier: oauth.generateRandomCodeVerifier(),
    nonce: oauth.generateRandomNonce(),
    state: oauth.generateRandomState(),
  };
  const address = await addressOf({ nonce: flow.nonce, state: flow.state, ...parameters }, flow.verifier);
  const response = await fetch(address, { redirect: "manual" });
  expect(response.status).toBe(302);
  return { ...flow, back: new URL(response.headers.get("location") ?? "") };
}

async function exchange(
  { back, verifier, nonce, state }: Flow,
  more: { auth?: oauth.ClientAuth; redirect?: string } = {},
) {
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    more.auth ?? secret,
    parameters,
    more.redirect ?? redirectUri,
    verifier,
    http,
  );
  return await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce });
}

async function refresh(refreshToken: string) {
  const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, http);
  return await oauth.processRefreshTokenResponse(server, client, response);
}

const offline = { access_type: "offline", prompt: "consent" };

describe("discovery", () => {
  it("names the origin as the issuer, and endpoints at Google's paths", () => {
    expect(server.issuer).toBe(google.origin);
    expect(server.token_endpoint).toBe(`${google.origin}/token`);
    expect(server.revocation_endpoint).toBe(`${google.origin}/revoke`);
  });
});

describe("the authorization endpoint", () => {
  it("returns the state, the scopes and the domain of a Workspace account", async () => {
    const { back, state } = await consent();
    expect(back.searchParams.get("state")).toBe(state);
    expect(back.searchParams.get("scope")).toContain(CALENDAR);
    expect(back.searchParams.get("hd")).toBe("example.com");
  });

  it.each([
    ["client_id", "stranger", 401, "invalid_client"],
    ["redirect_uri", "https://elsewhere.test/", 400, "redirect_uri_mismatch"],
    ["response_type", "magic", 400, "invalid_request"],
    ["scope", "openid https://www.googleapis.com/auth/nonsense", 400, "invalid_scope"],
    ["code_challenge", "short", 400, "invalid_request"],
    ["code_challenge_method", "S512", 400, "invalid_request"],
    ["access_type", "sometimes", 400, "invalid_request"],
    ["prompt", "none consent", 400, "invalid_request"],
  ])("shows a page and does not redirect for a wrong %s", async (name, value, status, error) => {
    const response = await fetch(await addressOf({ [name]: value }, oauth.generateRandomCodeVerifier()), {
      redirect: "manual",
    });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(`Error ${status}: ${error}`);
  });

  it("redirects with access_denied when the user cancels", async () => {
    google.knobs.consent = "denied";
    const { back } = await consent();
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.has("code")).toBe(false);
  });

  it("shows a page of its own when it fails", async () => {
    google.knobs.consent = "fails";
    const response = await fetch(await addressOf({}, oauth.generateRandomCodeVerifier()));
    expect(response.status).toBe(500);
  });

  it("lets the hinted account consent", async () => {
    const { id_token } = await exchange(await consent({ login_hint: "bob@gmail.test" }));
    const claims = JSON.parse(Buffer.from(id_token?.split(".")[1] ?? "", "base64url").toString());
    expect(claims.email).toBe("bob@gmail.test");
    expect(claims).not.toHaveProperty("hd");
  });

  it("lets the account consent that is signed in, and knows a redirect address that was added", async () => {
    google.knobs.signedIn = "bob@gmail.test";
    redirectUri = "https://almanac.test/callback";
    google.client.redirectUris.push(redirectUri);
    const flow = await consent();
    expect(flow.back.origin).toBe("https://almanac.test");
    expect(oauth.getValidatedIdTokenClaims(await exchange(flow))?.email).toBe("bob@gmail.test");
    const fresh = await startGoogle();
    expect(fresh.client.redirectUris).not.toContain(redirectUri);
    await fresh.close();
  });

  it("refuses prompt=none until the user has consented", async () => {
    expect((await consent({ prompt: "none" })).back.searchParams.get("error")).toBe("interaction_required");
    await consent();
    expect((await consent({ prompt: "none" })).back.searchParams.has("code")).toBe(true);
  });
});

describe("the consent page", () => {
  const submit = async (form: [string, string][], prompt = "select_account") => {
    google.knobs.consent = "page";
    const verifier = oauth.generateRandomCodeVerifier();
    const address = await addressOf({ state: "s", prompt }, verifier);
    const page = await (await fetch(address)).text();
    const action = /action="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const options = { method: "POST", body: new URLSearchParams(form), redirect: "manual" } as const;
    const response = await fetch(new URL(action, google.origin), options);
    return { page, back: new URL(response.headers.get("location") ?? "") };
  };

  it("has a button each for yes and no, an entry for each account, and an empty checkbox for each granular scope", async () => {
    const { page } = await submit([["decision", "cancel"]]);
    expect(page).toContain(">Allow</button>");
    expect(page).toContain(">Cancel</button>");
    expect(page.match(/type="radio"/g)).toHaveLength(2);
    expect(page.match(/type="checkbox"/g)).toHaveLength(1);
    expect(page).toContain(`type="checkbox" name="scope" value="${CALENDAR}">`);
  });

  it("offers the account that is signed in alone unless the client asks for the choice", async () => {
    google.knobs.signedIn = "bob@gmail.test";
    const { page } = await submit([["decision", "cancel"]], "consent");
    expect(page.match(/name="account" value="[^"]+"/g)).toEqual(['name="account" value="bob@gmail.test"']);
  });

  it("grants the ticked scopes to the chosen account", async () => {
    const form: [string, string][] = [
      ["decision", "allow"],
      ["account", "bob@gmail.test"],
      ["scope", CALENDAR],
    ];
    const { back } = await submit(form);
    expect(back.searchParams.get("scope")?.split(" ")).toContain(CALENDAR);
  });

  it("grants no calendar scope when its box is empty, and nothing on Cancel", async () => {
    const unticked = await submit([
      ["decision", "allow"],
      ["account", "ada@example.com"],
    ]);
    expect(unticked.back.searchParams.get("scope")).not.toContain(CALENDAR);
    const cancelled = await submit([["decision", "cancel"]]);
    expect(cancelled.back.searchParams.get("error")).toBe("access_denied");
  });
});

describe("the token endpoint", () => {
  it("exchanges a code for tokens whose id_token oauth4webapi accepts, signature and at_hash included", async () => {
    const flow = await consent(offline);
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
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: flow.nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, http);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    expect(claims).toMatchObject({
      iss: google.origin,
      aud: client.client_id,
      azp: client.client_id,
      hd: "example.com",
    });
    expect(claims).toMatchObject({ email: "ada@example.com", email_verified: true, nonce: flow.nonce });
    const half = createHash("sha256").update(tokens.access_token).digest().subarray(0, 16);
    expect(claims?.at_hash).toBe(half.toString("base64url"));
    expect(tokens.expires_in).toBe(3599);
    expect(tokens.scope?.split(" ")).toContain(CALENDAR);
  });

  it("accepts the secret in a Basic header", async () => {
    const tokens = await exchange(await consent(), { auth: oauth.ClientSecretBasic(google.client.secret) });
    expect(tokens.access_token).toMatch(/^ya29\./);
  });

  it("refuses a wrong secret", async () => {
    const failure = exchange(await consent(), { auth: oauth.ClientSecretPost("wrong") });
    await expect(failure).rejects.toMatchObject({ status: 401, error: "invalid_client" });
  });

  it("accepts a code once", async () => {
    const flow = await consent();
    await exchange(flow);
    await expect(exchange(flow)).rejects.toMatchObject({ status: 400, error: "invalid_grant" });
  });

  it("refuses another code verifier", async () => {
    const flow = { ...(await consent()), verifier: oauth.generateRandomCodeVerifier() };
    await expect(exchange(flow)).rejects.toMatchObject({ status: 400, error: "invalid_grant" });
  });

  it("refuses another redirect_uri", async () => {
    const failure = exchange(await consent(), { redirect: "https://elsewhere.test/" });
    await expect(failure).rejects.toMatchObject({ status: 400, error: "redirect_uri_mismatch" });
  });

  it("refuses an expired code", async () => {
    const flow = await consent();
    google.advance(11 * 60 * 1000);
    await expect(exchange(flow)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("tells by its scopes that the user left out the calendar", async () => {
    google.knobs.consent = "without calendar scopes";
    const tokens = await exchange(await consent());
    expect(tokens.scope?.split(" ")).toEqual(["openid", "https://www.googleapis.com/auth/userinfo.email"]);
  });

  it("issues a refresh token only offline, and then at the first consent or with prompt=consent", async () => {
    expect(await exchange(await consent())).not.toHaveProperty("refresh_token");
    expect(await exchange(await consent({ access_type: "offline" }))).not.toHaveProperty("refresh_token");
    expect(await exchange(await consent(offline))).toHaveProperty("refresh_token");
    const more = {
      access_type: "offline",
      scope: `openid ${CALENDAR} https://www.googleapis.com/auth/calendar.events`,
    };
    expect(await exchange(await consent(more))).not.toHaveProperty("refresh_token");
    const bob = { access_type: "offline", login_hint: "bob@gmail.test" };
    expect(await exchange(await consent(bob))).toHaveProperty("refresh_token");
  });

  it("refreshes without a new refresh token", async () => {
    const first = await exchange(await consent(offline));
    const second = await refresh(first.refresh_token ?? "");
    expect(second.access_token).not.toBe(first.access_token);
    expect(second).not.toHaveProperty("refresh_token");
    expect(second.scope).toBe(first.scope);
  });

  it("can be told to fail", async () => {
    const { refresh_token = "" } = await exchange(await consent(offline));
    google.faults.next({ path: /^\/token$/, respond: "invalid_grant" });
    await expect(refresh(refresh_token)).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await refresh(refresh_token)).toHaveProperty("access_token");
  });
});

describe("revocation", () => {
  const revoke = async (token: string) =>
    oauth.processRevocationResponse(await oauth.revocationRequest(server, client, secret, token, http));

  it.each(["access_token", "refresh_token"] as const)("by %s ends the refresh and the access", async (kind) => {
    const tokens = await exchange(await consent(offline));
    await revoke(tokens[kind] ?? "");
    await expect(refresh(tokens.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, http);
    expect(response.status).toBe(401);
  });

  it("of an unknown token is invalid_token", async () => {
    await expect(revoke("unknown")).rejects.toMatchObject({ status: 400, error: "invalid_token" });
  });

  it("by the user at Google ends the refresh, and the next consent issues a refresh token again", async () => {
    const tokens = await exchange(await consent(offline));
    google.revokeConsent("ada@example.com");
    await expect(refresh(tokens.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await exchange(await consent({ access_type: "offline" }))).toHaveProperty("refresh_token");
  });
});

describe("userinfo", () => {
  it("returns the claims of the granted scopes", async () => {
    const tokens = await exchange(await consent());
    const { sub = "" } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, http);
    const claims = await oauth.processUserInfoResponse(server, client, sub, response);
    expect(claims).toEqual({ sub, email: "ada@example.com", email_verified: true, hd: "example.com" });
  });

  it("refuses an expired access token", async () => {
    const tokens = await exchange(await consent());
    google.advance(3600 * 1000);
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, http);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("invalid_token");
  });
});
