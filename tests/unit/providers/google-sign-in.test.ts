import { describe, expect, it, onTestFinished } from "vitest";
import { googleConnector } from "@/server/providers/google/connector";
import { startGoogle } from "../../fakes/google/google";
import { signed } from "../../fakes/google/keys";

const SCOPE =
  "openid https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly";
const now = () => Math.floor(Date.now() / 1_000);

/** Ada is back from Google's page with a code. */
async function back() {
  const google = await startGoogle({ knobs: { consent: "given" } });
  onTestFinished(() => google.close());
  const { id: clientId, secret: clientSecret, redirectUris } = google.client;
  const { signIn } = googleConnector({ clientId, clientSecret, origin: google.origin });
  const redirectUri = redirectUris[0] ?? "";
  const { url, secret } = signIn.begin({ redirectUri, state: "s" });
  const page = await fetch(url, { redirect: "manual" });
  const query = new URL(page.headers.get("location") ?? "").searchParams;
  const nonce = new URL(url).searchParams.get("nonce");
  return { google, clientId, nonce, finish: () => signIn.finish({ redirectUri, query, secret }) };
}

/** As `back`, and Google's response to the code has an id_token with other claims. */
async function backWith(claims: object) {
  const { google, clientId, nonce, finish } = await back();
  const own = { iss: google.origin, aud: clientId, sub: "1", email: "eve@example.com", nonce };
  const id_token = signed({ ...own, iat: now(), exp: now() + 3_600, ...claims });
  const tokens = { access_token: "a", refresh_token: "r", expires_in: 3_600, scope: SCOPE, token_type: "Bearer" };
  google.faults.next({ path: /^\/token$/, respond: { status: 200, body: { ...tokens, id_token } } });
  return await finish();
}

describe("an id_token", () => {
  it("whose email address is no text has none", async () => {
    expect(await backWith({ email: { address: "eve@example.com" } })).toMatchObject({ subject: "1", email: "" });
  });

  it("says who has signed in", async () => {
    expect(await backWith({})).toMatchObject({ subject: "1", email: "eve@example.com", credential: "r" });
  });

  it.each([
    ["for another sign-in", { nonce: "another" }],
    ["without a nonce", { nonce: undefined }],
    ["for another client", { aud: "another.apps.googleusercontent.com" }],
    ["of another issuer", { iss: "https://accounts.example.com" }],
    ["that has expired", { iat: now() - 7_200, exp: now() - 3_600 }],
    ["of nobody", { sub: undefined }],
    ["of an empty subject", { sub: "" }],
    ["of a blank subject", { sub: "  " }],
    ["of a subject that is a number", { sub: 7 }],
    ["of a subject that is a list", { sub: ["1"] }],
    ["of a subject that is null", { sub: null }],
    ["of a subject with a NUL", { sub: "1\u0000" }],
    ["of a subject that is too long", { sub: "1".repeat(256) }],
  ])("%s is believed by nobody", async (_, claims) => {
    await expect(backWith(claims)).rejects.toMatchObject({ fault: { kind: "down" } });
  });
});

it("what stands in for Google is asked for its keys although its documents name Google's own host", async () => {
  const { google, finish } = await back();
  const jwks_uri = "https://www.googleapis.com/oauth2/v3/certs";
  const body = { issuer: google.origin, jwks_uri };
  google.faults.next({ path: /openid-configuration$/, respond: { status: 200, body } });
  expect(await finish()).toMatchObject({ email: "ada@example.com" });
  expect(google.requests.map(({ path }) => path)).toContain("/oauth2/v3/certs");
});
