import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { provideEnv } from "@/server/env";
import { loggedRequests } from "../../fakes/stored-traffic";
import {
  applicationId,
  type ConnectedAccount,
  connectAccount,
  issueCode,
  REDIRECT_URI,
  refresh,
  withToken,
} from "../grants";
import { type Application, address, newApplication } from "../service";

/** What a client library is given. */
export interface Connection {
  application: Application;
  account: ConnectedAccount;
  origin: string;
  code: string;
  redirectUri: string;
  tokenUrl: string;
  revokeUrl: string;
}

/** Secrets of applications: as Almanac generates one, as `openssl rand -base64 32` does, and one that needs every kind of encoding. */
export const secrets = {
  "a generated secret": randomBytes(32).toString("base64url"),
  "a secret in base64": `+/${randomBytes(30).toString("base64")}=`,
  "a secret with odd characters": "50 % & more: =?/#~!",
};

/** An application whose user has come through the connect page, so that there is a code to exchange. */
export async function newConnection(clientSecret: string): Promise<Connection> {
  const application = await newApplication({ clientSecret });
  const account = await connectAccount(application);
  const origin = await address();
  provideEnv({ BASE_URL: origin, APP_URL: origin });
  return {
    application,
    account,
    origin,
    code: await issueCode(application, account),
    redirectUri: REDIRECT_URI,
    tokenUrl: `${origin}/oauth/token`,
    revokeUrl: `${origin}/oauth/token/revoke`,
  };
}

/** What a library got. Left out: it does not revoke. */
export interface Outcome {
  access_token: unknown;
  sub: unknown;
  refreshed: unknown;
  refresh_token: unknown;
  revoked?: unknown;
}

/**
 * The library connected the account, refreshed its token, and ended the connection if it can. It sent HTTP Basic, as it does unless it is
 * told otherwise, and was understood at once.
 */
export async function expectConnected({ application, account }: Connection, outcome: Outcome): Promise<void> {
  expect(outcome.sub).toBe(account.accountId);
  expect([outcome.access_token, outcome.refreshed]).toEqual([
    expect.stringMatching(/^at_/),
    expect.stringMatching(/^at_/),
  ]);
  expect(outcome.access_token).not.toBe(outcome.refreshed);
  const isRevoked = "revoked" in outcome;
  expect((await withToken("GET", "/v1/account", String(outcome.refreshed))).status).toBe(isRevoked ? 401 : 200);
  const owner = await applicationId(application);
  const [tokens, revocations] = await Promise.all(
    ["/oauth/token", "/oauth/token/revoke"].map(async (path) =>
      (await loggedRequests({ path })).filter((row) => row.applicationId === owner),
    ),
  );
  expect(tokens?.map(({ status }) => status)).toEqual([200, 200]);
  expect(revocations?.map(({ status }) => status)).toEqual(isRevoked ? [200] : []);
  for (const { requestHeaders, requestBody } of [...(tokens ?? []), ...(revocations ?? [])]) {
    expect(requestHeaders).toMatchObject({ authorization: "[redacted]" });
    expect(Object.keys(requestBody as object)).not.toContain("client_secret");
  }
  const again = await refresh(application, String(outcome.refresh_token));
  expect(again.json).toMatchObject(isRevoked ? { error: "invalid_grant" } : { token_type: "bearer" });
}
