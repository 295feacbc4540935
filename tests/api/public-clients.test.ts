import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { PUBLIC_CLIENT } from "@/server/http/rate-limit/buckets";
import { setCompatible } from "../fakes/stored";
import { loggedRequests } from "../fakes/stored-traffic";
import { authorize, returnedTo } from "./connect-page";
import {
  applicationId,
  connectAccount,
  exchange,
  issueCode,
  REDIRECT_URI,
  refresh,
  revoke,
  token,
  withToken,
} from "./grants";
import { connectedPublicly, newPublicClient, newVerifier, publicRefresh, publicToken } from "./public-clients";
import { comparable, expectEmpty, expectOAuthError } from "./responses";
import { type Application, call, newApplication, newProcessServices, openCalendar } from "./service";

const SECRET = "a secret of its own, long enough";

async function expectWorking(accessToken: string): Promise<void> {
  expect(await withToken("GET", "/v1/account", accessToken)).toMatchObject({ status: 200 });
}

async function expectEnded(accessToken: string): Promise<void> {
  expect(await withToken("GET", "/v1/account", accessToken)).toMatchObject({ status: 401 });
}

function revokePublicly({ clientId }: Application, revoked: string) {
  return call("POST", "/oauth/token/revoke", { form: { client_id: clientId, token: revoked } });
}

describe("the authorization request of a public client", () => {
  it("needs a code challenge with S256", async () => {
    const application = await newPublicClient();
    const { challenge } = newVerifier();
    const s256 = { code_challenge: challenge, code_challenge_method: "S256" };
    expect((await authorize(application, s256)).status).toBe(200);
    const insufficient: Record<string, string>[] = [
      {},
      { code_challenge: challenge },
      { ...s256, code_challenge_method: "plain" },
    ];
    for (const fields of insufficient) {
      const back = returnedTo(await authorize(application, fields));
      expect(back.searchParams.get("error")).toBe("invalid_request");
      expect(back.searchParams.get("error_description")).toContain("S256");
    }
    expect((await authorize(await newApplication())).status).toBe(200);
  });

  it("needs none for a reconnect link, which is complete without an exchange", async () => {
    const application = await newPublicClient();
    const { accessToken, profileId } = await connectedPublicly(application);
    const made = await withToken("POST", `/v1/profiles/${profileId}/reconnect_links`, accessToken, {});
    const { pathname, search } = new URL(made.json.url);
    expect((await call("GET", pathname + search)).status).toBe(200);
  });

  it("may name another port of the user's own machine", async () => {
    const { challenge } = newVerifier();
    const s256 = { code_challenge: challenge, code_challenge_method: "S256" };
    const redirectUris = ["http://127.0.0.1/callback", "http://localhost:8080/cb?a=1", "http://[::1]:1/x"];
    const application = await newPublicClient({ redirectUris });
    const statusOf = async (redirect_uri: string, of = application) =>
      (await authorize(of, { redirect_uri, ...s256 })).status;
    for (const uri of ["http://127.0.0.1:51234/callback", "http://localhost/cb?a=1", "http://[::1]:65535/x"]) {
      expect(await statusOf(uri)).toBe(200);
    }
    for (const uri of [
      ...["http://127.0.0.1:51234/callback/", "http://127.0.0.1:51234/callback?b=1", "http://127.0.0.1:0/callback"],
      ...["http://localhost:51234/callback", "https://127.0.0.1:51234/callback", "http://127.0.0.1:65536/callback"],
      ...["http://127.0.0.1:80@evil.example/callback", "http://127.0.0.1:51234@evil.example/callback"],
    ]) {
      expect(await statusOf(uri)).toBe(400);
    }
    const confidential = await newApplication({ redirectUris });
    expect(await statusOf("http://127.0.0.1:51234/callback", confidential)).toBe(400);
    expect(await statusOf("http://127.0.0.1/callback", confidential)).toBe(200);
  });

  it("may say which resource it is for (RFC 8707), and so may the token request", async () => {
    const application = await newPublicClient();
    const { verifier, challenge } = newVerifier();
    const asked = await authorize(application, {
      ...{ code_challenge: challenge, code_challenge_method: "S256", resource: "https://api.acme.io/mcp" },
    });
    expect(asked.status).toBe(200);
    const code = await issueCode(application, await connectAccount(application), { challenge });
    const fields = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    expect(await publicToken(application, { ...fields, resource: "https://api.acme.io/mcp" })).toMatchObject({
      status: 200,
    });
  });
});

describe("tokens without a secret", () => {
  it("are issued for a code with its verifier, and for that alone", async () => {
    const application = await newPublicClient();
    const account = await connectAccount(application);
    const { verifier, challenge } = newVerifier();
    const fields = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI };
    const code = await issueCode(application, account, { challenge });
    expectOAuthError(await publicToken(application, { ...fields, code }), "invalid_grant");
    expectOAuthError(await publicToken(application, { ...fields, code, code_verifier: challenge }), "invalid_grant");
    const answer = await publicToken(application, { ...fields, code, code_verifier: verifier });
    expect(answer).toMatchObject({ status: 200, json: { sub: account.accountId } });
    await expectWorking(answer.json.access_token);
    const unbound = await issueCode(application, account);
    expectOAuthError(await publicToken(application, { ...fields, code: unbound }), "invalid_grant");
  });

  it("may come with an empty secret, or with the client id alone as HTTP Basic", async () => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    const named = { ...form, client_id: application.clientId, client_secret: "" };
    expect((await call("POST", "/oauth/token", { form: named })).status).toBe(200);
    const authorization = `Basic ${Buffer.from(`${application.clientId}:`).toString("base64")}`;
    expect((await call("POST", "/oauth/token", { form, headers: { authorization } })).status).toBe(200);
  });

  it("are refused to a confidential client exactly as to an unknown one", async () => {
    const { application, refreshToken } = await openCalendar();
    const grant = { grant_type: "refresh_token", refresh_token: refreshToken };
    const refused = await publicToken(application, grant);
    expectOAuthError(refused, "invalid_request");
    expect(refused.json.error_description).toBe("client_secret is required");
    expect(comparable(await publicToken({ ...application, clientId: "nobody" }, grant))).toEqual(comparable(refused));
    expectOAuthError(await publicToken(application, {}), "invalid_request");
    expectOAuthError(await revokePublicly(application, refreshToken), "invalid_request");
    expect((await refresh(application, refreshToken)).status).toBe(200);
  });

  it("are refused with a wrong secret, and guesses are limited", async () => {
    const application = await newPublicClient({ clientSecret: SECRET });
    const { refreshToken } = await connectedPublicly(application);
    const wrong = { ...application, clientSecret: "wrong" };
    expectOAuthError(await refresh(wrong, refreshToken), "invalid_client");
    expectOAuthError(await refresh({ ...(await newPublicClient()), clientSecret: "wrong" }, "rt_x"), "invalid_client");
    const guesses = await Promise.all(Array.from({ length: 120 }, () => refresh(wrong, refreshToken)));
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
    await newProcessServices();
    expect((await refresh(application, refreshToken)).status).toBe(200);
  });

  it("are limited by address, and not at the cost of the application", async () => {
    const application = await newPublicClient();
    const { accessToken } = await connectedPublicly(application);
    const junk = Array.from({ length: PUBLIC_CLIENT.burst + 50 }, () => publicRefresh(application, "rt_junk"));
    const refused = (await Promise.all(junk)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    const { headers } = await withToken("GET", "/v1/account", accessToken);
    expect(Number(headers.get("ratelimit-remaining"))).toBeGreaterThan(100);
    await newProcessServices();
  });

  it("are in the request log with their application, and never show a token", async () => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const answer = await publicRefresh(application, refreshToken);
    const [row] = await loggedRequests({ requestIds: [answer.headers.get("svc-request-id") ?? ""] });
    expect(row).toMatchObject({ status: 200, applicationId: await applicationId(application) });
    for (const token of [refreshToken, answer.json.refresh_token, answer.json.access_token]) {
      expect(row?.text).not.toContain(token.slice(-20));
    }
  });

  it("are refused while the application is disabled", async () => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const { clientId } = application;
    await db().prisma.application.update({ where: { clientId }, data: { disabledAt: new Date() } });
    expectOAuthError(await publicRefresh(application, refreshToken), "invalid_client");
  });

  it("are the only thing that a client id alone is good for", async () => {
    const application = await newPublicClient();
    const { clientId: client_id } = application;
    const opened = await call("POST", "/v1/application_calendars", {
      json: { client_id, application_calendar_id: "x" },
    });
    expect(opened.status).toBe(422);
    for (const authorization of [`Basic ${btoa(`${client_id}:`)}`, `Basic ${btoa(`${client_id}:x`)}`]) {
      const json = { client_id, client_secret: "x", application_calendar_id: "x" };
      expect((await call("POST", "/v1/application_calendars", { json })).status).toBe(401);
      expect((await call("POST", "/v1/availability", { json: {}, headers: { authorization } })).status).toBe(401);
    }
    const owner = await newPublicClient({ clientSecret: SECRET });
    expect(await openCalendar(owner)).toMatchObject({ accountId: expect.stringMatching(/^apc_/) });
  });
});

describe("the refresh token of a public client", () => {
  it("is replaced at each use, and the new one works", async () => {
    const application = await newPublicClient();
    let { refreshToken } = await connectedPublicly(application);
    const seen = new Set([refreshToken]);
    for (let use = 1; use <= 5; use++) {
      const answer = await publicRefresh(application, refreshToken);
      expect(answer.status).toBe(200);
      await expectWorking(answer.json.access_token);
      refreshToken = answer.json.refresh_token;
      expect(refreshToken).toMatch(/^rt_[\w-]{43,}$/);
      seen.add(refreshToken);
    }
    expect(seen.size).toBe(6);
  });

  it("stays usable until one that replaces it was used: lost responses lock nobody out", async () => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const lost = [];
    for (let n = 0; n < 5; n++) lost.push((await publicRefresh(application, refreshToken)).json.refresh_token);
    const arrived = lost[1] as string; // not the latest: responses overtake one another
    expect((await publicRefresh(application, arrived)).status).toBe(200);
    expect((await publicRefresh(application, arrived)).status).toBe(200);
  });

  it("ends the grant when it is used after that: somebody else has it", async () => {
    const application = await newPublicClient();
    const { accessToken, refreshToken, accountId } = await connectedPublicly(application);
    const next = (await publicRefresh(application, refreshToken)).json;
    const after = (await publicRefresh(application, next.refresh_token)).json;
    await expectWorking(after.access_token);
    expectOAuthError(await publicRefresh(application, refreshToken), "invalid_grant");
    for (const ended of [accessToken, next.access_token, after.access_token]) await expectEnded(ended);
    for (const ended of [next.refresh_token, after.refresh_token]) {
      expectOAuthError(await publicRefresh(application, ended), "invalid_grant");
    }
    expect((await db().prisma.account.findUniqueOrThrow({ where: { id: accountId } })).revokedAt).not.toBeNull();
  });

  it("ends the grant when two of its successors are used", async () => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const [mine, theirs] = [
      await publicRefresh(application, refreshToken),
      await publicRefresh(application, refreshToken),
    ];
    const used = await publicRefresh(application, mine.json.refresh_token);
    expectOAuthError(await publicRefresh(application, theirs.json.refresh_token), "invalid_grant");
    await expectEnded(used.json.access_token);
  });

  it("has one winner of two successors that are used at once, and ends the grant each time", async () => {
    const application = await newPublicClient();
    for (let round = 0; round < 10; round++) {
      const { refreshToken } = await connectedPublicly(application);
      const successors = [
        await publicRefresh(application, refreshToken),
        await publicRefresh(application, refreshToken),
      ];
      const used = await Promise.all(successors.map(({ json }) => publicRefresh(application, json.refresh_token)));
      expect(used.map(({ status }) => status).sort()).toEqual([200, 400]);
      await expectEnded(used.find(({ status }) => status === 200)?.json.access_token);
    }
  });

  it("ends no other grant of the account, and none of another application", async () => {
    const application = await newPublicClient();
    const stolen = await connectedPublicly(application);
    const other = await connectedPublicly(application, stolen);
    const next = (await publicRefresh(application, stolen.refreshToken)).json;
    await publicRefresh(application, next.refresh_token);
    expectOAuthError(await publicRefresh(await newPublicClient(), stolen.refreshToken), "invalid_grant");
    await expectWorking(next.access_token);
    expectOAuthError(await publicRefresh(application, stolen.refreshToken), "invalid_grant");
    await expectEnded(next.access_token);
    await expectWorking(other.accessToken);
    expect((await publicRefresh(application, other.refreshToken)).status).toBe(200);
  });

  it("gives 20 parallel refreshes a working access token each, and any of them can go on", async () => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const answers = await Promise.all(Array.from({ length: 20 }, () => publicRefresh(application, refreshToken)));
    for (const { json } of answers) await expectWorking(json.access_token);
    expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(20);
    expect((await publicRefresh(application, answers[7]?.json.refresh_token)).status).toBe(200);
  });

  it("rotates from the first refresh on when its application becomes a public client, and stays when it no longer is", async () => {
    const { application, refreshToken, accessToken } = await openCalendar();
    const { clientId } = application;
    await db().prisma.application.update({ where: { clientId }, data: { publicClient: true } });
    const first = await publicRefresh(application, refreshToken);
    expect(first.json.refresh_token).not.toBe(refreshToken);
    await db().prisma.application.update({ where: { clientId }, data: { publicClient: false } });
    for (let n = 0; n < 2; n++) {
      const kept = await refresh(application, first.json.refresh_token);
      expect(kept).toMatchObject({ status: 200, json: { refresh_token: first.json.refresh_token } });
    }
    await expectWorking(accessToken);
  });

  it("rotates with a secret too", async () => {
    const application = await newPublicClient({ clientSecret: SECRET });
    const { refreshToken } = await connectedPublicly(application);
    const answer = await token(application, { grant_type: "refresh_token", refresh_token: refreshToken });
    expect(answer.status).toBe(200);
    expect(answer.json.refresh_token).not.toBe(refreshToken);
    const account = await connectAccount(application);
    expectOAuthError(await exchange(application, await issueCode(application, account)), "invalid_grant");
  });
});

describe("revoking without a secret", () => {
  it.each(["access_token", "refresh_token"] as const)("ends the grant by its %s, used or not", async (which) => {
    const application = await newPublicClient();
    const { refreshToken } = await connectedPublicly(application);
    const { json } = await publicRefresh(application, refreshToken);
    expectEmpty(await revokePublicly(await newPublicClient(), json[which]), 200);
    await expectWorking(json.access_token);
    expectEmpty(await revokePublicly(application, json[which]), 200);
    await expectEnded(json.access_token);
  });

  it("ends nothing by an account id, which is no secret", async () => {
    const application = await newPublicClient({ clientSecret: SECRET });
    const { accountId, accessToken } = await connectedPublicly(application);
    await setCompatible(application.clientId);
    const body = { client_id: application.clientId, sub: accountId };
    expectOAuthError(await call("POST", "/oauth/token/revoke", { json: body }), "invalid_request");
    await expectWorking(accessToken);
    expectEmpty(await call("POST", "/oauth/token/revoke", { json: { ...body, client_secret: SECRET } }), 200);
    await expectEnded(accessToken);
    expectEmpty(await revoke(application, "at_unknown"), 200);
  });
});
