import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { formOf, returnedTo, sendForm } from "../api/connect-page";
import { REDIRECT_URI } from "../api/grants";
import { address, call, newApplication } from "../api/service";
import { type Radicale, startRadicale } from "../fakes/radicale";

let radicale: Radicale;

beforeAll(async () => {
  radicale = await startRadicale();
  provideEnv({ ICLOUD_CALDAV_URL: new URL(radicale.url).origin });
});
afterAll(() => radicale.close());

it("an OAuth client library connects, exchanges, asks userinfo, refreshes and revokes (oauth4webapi)", async () => {
  const application = await newApplication();
  const origin = await address();
  provideEnv({ APP_URL: origin, BASE_URL: origin });
  const loopback = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(origin);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback }),
  );
  const client: oauth.Client = { client_id: application.clientId };
  const secret = oauth.ClientSecretPost(application.clientSecret);

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const asked = new URL(server.authorization_endpoint ?? "");
  asked.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "read_write",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    provider_name: "apple",
  }).toString();
  const form = formOf(await call("GET", asked.pathname + asked.search));
  const to = returnedTo(await sendForm(form, { username: radicale.user, password: radicale.password }));

  const parameters = oauth.validateAuthResponse(server, client, to, state);
  const exchanged = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, secret, parameters, REDIRECT_URI, verifier, loopback),
  );
  expect(exchanged).toMatchObject({ token_type: "bearer", expires_in: 10_800, scope: "read_write" });

  const subject = String(exchanged.sub);
  const userinfo = async (accessToken: string) =>
    oauth.processUserInfoResponse(
      server,
      client,
      subject,
      await oauth.userInfoRequest(server, client, accessToken, loopback),
    );
  expect(await userinfo(exchanged.access_token)).toMatchObject({ sub: subject, email: radicale.user });

  const refreshToken = exchanged.refresh_token ?? "";
  const refresh = async () =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, loopback),
    );
  const refreshed = await refresh();
  expect(await userinfo(refreshed.access_token)).toMatchObject({ sub: subject });

  const revoked = await oauth.revocationRequest(server, client, secret, refreshToken, loopback);
  expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
  await expect(refresh()).rejects.toMatchObject({ error: "invalid_grant" });
  await expect(userinfo(refreshed.access_token)).rejects.toMatchObject({ status: 401 });
});

it("an OAuth client library reads the error of a request that is not supported", async () => {
  const application = await newApplication();
  const path = `/oauth/authorize?${new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "token",
    state: "s",
  })}`;
  const { headers } = await call("GET", path);
  const server = { issuer: await address() };
  const read = () =>
    oauth.validateAuthResponse(
      server,
      { client_id: application.clientId },
      new URL(headers.get("location") ?? ""),
      "s",
    );
  expect(read).toThrow(expect.objectContaining({ error: "unsupported_response_type" }));
});
