import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { beforeEach, expect, it } from "vitest";
import { env, provideEnv } from "@/server/env";
import { connectAccount, issueCode, REDIRECT_URI } from "./grants";
import { address, call, newProcessServices } from "./service";

beforeEach(async () => {
  provideEnv({ CLIENT_REGISTRATION: "on" });
  await newProcessServices();
});

/** What an assistant remembers, and where it would send its user. */
function assistant() {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; page?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: { client_name: "Assistant", redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (page) => void Object.assign(kept, { page }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? "",
  };
  return { kept, provider };
}

/** Sends requests to this service, whatever host its addresses have. */
const here: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(String(input instanceof Request ? input.url : input));
  return await fetch((await address()) + pathname + search, init);
};

it("the protocol's client finds out where to sign in, registers itself, and reads with the token it gets", async () => {
  const { kept, provider } = assistant();
  const url = new URL(`${env().BASE_URL}/mcp`);
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: provider, fetch: here });
  const first = transport();
  const client = () => new Client({ name: "assistant", version: "1" });
  await expect(client().connect(first)).rejects.toThrow("Unauthorized");
  const { page } = kept;
  const asked = Object.fromEntries(page?.searchParams ?? []);
  expect(`${page?.origin}${page?.pathname}`).toBe(`${env().APP_URL}/oauth/authorize`);
  expect(asked).toMatchObject({
    ...{ response_type: "code", client_id: kept.client?.client_id, redirect_uri: REDIRECT_URI },
    ...{ code_challenge_method: "S256", resource: url.href },
  });
  const { status, text } = await call("GET", `${page?.pathname}${page?.search}`);
  expect([status, text.includes("Assistant")]).toEqual([200, true]);
  // The user signs in at their provider, which the connect page's own tests play.
  const application = { clientId: asked.client_id ?? "", clientSecret: "" };
  const account = await connectAccount(application);
  await first.finishAuth(await issueCode(application, account, { challenge: asked.code_challenge }));
  const signedIn = client();
  await signedIn.connect(transport());
  const { content } = await signedIn.callTool({ name: "list_calendars", arguments: {} });
  expect(JSON.stringify(content)).toContain(account.calendarIds.writable);
  await signedIn.close();
  // Its access token ends, and it goes on with the refresh token.
  Object.assign(kept.tokens ?? {}, { access_token: "at_ended" });
  const later = client();
  await later.connect(transport());
  expect((await later.listTools()).tools).toHaveLength(5);
  await later.close();
});
