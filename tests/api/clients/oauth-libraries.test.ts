import { OAuth2Client } from "@badgateway/oauth2-client";
import ClientOAuth2 from "client-oauth2";
import * as oauth from "oauth4webapi";
import { Issuer } from "openid-client";
import { AuthorizationCode } from "simple-oauth2";
import { describe, expect, it } from "vitest";
import { call } from "../service";
import { type Connection, expectConnected, newConnection, type Outcome, secrets } from "./connection";

/** What an application does with each library, in its default settings. */
const libraries: Record<string, (connection: Connection) => Promise<Outcome>> = {
  "simple-oauth2": async ({ application, origin, code, redirectUri }) => {
    const client = new AuthorizationCode({
      client: { id: application.clientId, secret: application.clientSecret },
      auth: { tokenHost: origin, tokenPath: "/oauth/token", revokePath: "/oauth/token/revoke" },
    });
    const first = await client.getToken({ code, redirect_uri: redirectUri });
    const second = await first.refresh();
    await second.revoke("refresh_token");
    return outcomeOf(first.token, second.token, true);
  },
  "openid-client": async ({ application, origin, code, redirectUri }) => {
    const issuer = await Issuer.discover(`${origin}/.well-known/oauth-authorization-server`);
    const client = new issuer.Client({ client_id: application.clientId, client_secret: application.clientSecret });
    const first = await client.oauthCallback(redirectUri, { code }, {});
    const second = await client.refresh(String(first.refresh_token));
    expect(await client.userinfo(String(second.access_token))).toMatchObject({ sub: first.sub });
    await client.revoke(String(second.refresh_token));
    return outcomeOf(first, second, true);
  },
  "client-oauth2": async ({ application, tokenUrl, code, redirectUri }) => {
    const { clientId, clientSecret } = application;
    const client = new ClientOAuth2({ clientId, clientSecret, accessTokenUri: tokenUrl, redirectUri });
    const first = await client.code.getToken(`${redirectUri}?code=${encodeURIComponent(code)}`);
    const second = await first.refresh();
    return outcomeOf(first.data, second.data, false);
  },
  "@badgateway/oauth2-client": ({ origin, ...connection }) => withBadgateway(connection, { server: origin }),
  "@badgateway/oauth2-client without discovery": ({ tokenUrl, revokeUrl, ...connection }) =>
    withBadgateway(connection, { tokenEndpoint: tokenUrl, revocationEndpoint: revokeUrl }),
  oauth4webapi: async ({ application, origin, code, redirectUri }) => {
    const loopback = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(origin);
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback });
    const server = await oauth.processDiscoveryResponse(issuer, response);
    const client: oauth.Client = { client_id: application.clientId };
    const basic = oauth.ClientSecretBasic(application.clientSecret);
    const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.expectNoState);
    const ask = oauth.authorizationCodeGrantRequest;
    const exchanged = await ask(server, client, basic, parameters, redirectUri, oauth.nopkce, loopback);
    const first = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    const renewed = await oauth.refreshTokenGrantRequest(server, client, basic, String(first.refresh_token), loopback);
    const second = await oauth.processRefreshTokenResponse(server, client, renewed);
    const ended = await oauth.revocationRequest(server, client, basic, String(second.refresh_token), loopback);
    await oauth.processRevocationResponse(ended);
    return outcomeOf(first, second, true);
  },
};

async function withBadgateway(
  { application, code, redirectUri }: Pick<Connection, "application" | "code" | "redirectUri">,
  endpoints: Omit<ConstructorParameters<typeof OAuth2Client>[0], "clientId">,
): Promise<Outcome> {
  const { clientId, clientSecret } = application;
  const client = new OAuth2Client({ clientId, clientSecret, ...endpoints });
  const first = await client.authorizationCode.getToken({ code, redirectUri });
  const second = await client.refreshToken(first);
  await client.revoke(second, "refresh_token");
  return {
    ...{ access_token: first.accessToken, refreshed: second.accessToken, refresh_token: second.refreshToken },
    ...{ sub: first.extraParams?.sub, revoked: true },
  };
}

type Tokens = Record<string, unknown>;

function outcomeOf(first: Tokens, second: Tokens, revoked: boolean): Outcome {
  const { access_token, sub } = first;
  const { access_token: refreshed, refresh_token } = second;
  return { access_token, sub, refreshed, refresh_token, ...(revoked && { revoked }) };
}

describe.each(Object.entries(secrets))("with %s", (_, secret) => {
  it.each(Object.entries(libraries))("%s connects, refreshes and revokes by its defaults", async (_name, use) => {
    const connection = await newConnection(secret);
    await expectConnected(connection, await use(connection));
  });
});

it("openid-client's own link, which names the scope openid, opens the connect page", async () => {
  const { application, origin, redirectUri } = await newConnection("secret");
  const issuer = await Issuer.discover(`${origin}/.well-known/oauth-authorization-server`);
  const client = new issuer.Client({ client_id: application.clientId, client_secret: application.clientSecret });
  const { pathname, search } = new URL(client.authorizationUrl({ redirect_uri: redirectUri, state: "s" }));
  expect((await call("GET", pathname + search)).status).toBe(200);
});
