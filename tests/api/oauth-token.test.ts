import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digest } from "@/server/db/sealed";
import { fakeClock } from "../fakes/clock";
import { retireSecret, storedGrant } from "../fakes/stored-grants";
import { connectAccount, credentialsOf, exchange, issueCode, REDIRECT_URI, refresh, token, withToken } from "./grants";
import { comparable, expectOAuthError } from "./responses";
import { type Application, call, newApplication, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const GRACE_MS = 10_000;
const CODE_LIFE_MS = 600_000;

async function applicationWithCode(given: Parameters<typeof issueCode>[2] = {}) {
  const application = await newApplication();
  const account = await connectAccount(application);
  return { application, account, code: await issueCode(application, account, given) };
}

function form(application: Application, fields: Record<string, string>) {
  return call("POST", "/oauth/token", { form: { ...credentialsOf(application), ...fields } });
}

describe("200 authorization_code", () => {
  it("gives the token response with the account and the profile", async () => {
    const { application, account, code } = await applicationWithCode();
    const answer = await exchange(application, code);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      token_type: "bearer",
      access_token: expect.stringMatching(/^at_[\w-]{43,}$/),
      expires_in: 10_800,
      refresh_token: expect.stringMatching(/^rt_[\w-]{43,}$/),
      scope: "read_write",
      sub: account.accountId,
      account_id: account.accountId,
      linking_profile: {
        provider_name: "google",
        profile_id: account.profileId,
        profile_name: "ada@acme.io",
      },
    });
  });

  it("takes a form as well as JSON", async () => {
    const { application, account, code } = await applicationWithCode();
    const answer = await form(application, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI });
    expect(answer).toMatchObject({ status: 200, json: { sub: account.accountId } });
    expect(await withToken("GET", "/v1/account", answer.json.access_token)).toMatchObject({ status: 200 });
  });

  it("stores tokens as SHA-256 only", async () => {
    const { application, account, code } = await applicationWithCode();
    const { access_token, refresh_token } = (await exchange(application, code)).json;
    const { refreshHash, accessTokens } = await storedGrant(account.accountId);
    expect(digest(access_token).equals(accessTokens[0]?.hash ?? Buffer.from(""))).toBe(true);
    expect(digest(refresh_token).equals(refreshHash)).toBe(true);
    const { grants, access_tokens } = await storedRows(application);
    expect(grants).toHaveLength(1);
    expect(access_tokens).toHaveLength(1);
    expect(`${grants}${access_tokens}`).not.toContain(access_token.slice(3));
    expect(`${grants}${access_tokens}`).not.toContain(refresh_token.slice(3));
  });

  it("has exactly one success of 50 parallel exchanges of a code", async () => {
    const { application, code } = await applicationWithCode();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(application, code)));
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const loser of answers.filter(({ status }) => status !== 200)) expectOAuthError(loser, "invalid_grant");
    expect(await withToken("GET", "/v1/account", winner?.json.access_token)).toMatchObject({ status: 200 });
  });

  it("is possible until the code's 10 minutes are over", async () => {
    const clock = fakeClock();
    const { application, code } = await applicationWithCode({ issuedAt: clock.now() });
    clock.advance(CODE_LIFE_MS - 1);
    expect(await exchange(application, code)).toMatchObject({ status: 200 });
  });

  it("wants the verifier of a code with a challenge (PKCE S256)", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const { application, code } = await applicationWithCode({ challenge });
    expectOAuthError(await exchange(application, code), "invalid_grant");
    expectOAuthError(await exchange(application, code, { code_verifier: challenge }), "invalid_grant");
    expect(await exchange(application, code, { code_verifier: verifier })).toMatchObject({ status: 200 });
  });

  it("accepts extra body properties", async () => {
    const { application, code } = await applicationWithCode();
    expect(await exchange(application, code, { scope: 5, state: null, nested: { a: [1] } })).toMatchObject({
      status: 200,
    });
  });
});

describe("200 refresh_token", () => {
  it("gives only token_type, access_token, expires_in, refresh_token and scope; the refresh token never changes", async () => {
    const { application, refreshToken, accessToken } = await openCalendar();
    const answer = await refresh(application, refreshToken);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      token_type: "bearer",
      access_token: expect.stringMatching(/^at_/),
      expires_in: 10_800,
      refresh_token: refreshToken,
      scope: "read_write",
    });
    expect(answer.json.access_token).not.toBe(accessToken);
  });

  it("gives access tokens of the same account, and the earlier ones go on working", async () => {
    const { application, refreshToken, accessToken, accountId } = await openCalendar();
    const first = (await refresh(application, refreshToken)).json.access_token;
    const second = (await refresh(application, refreshToken)).json.access_token;
    for (const each of [accessToken, first, second]) {
      expect((await withToken("GET", "/v1/account", each)).json.account.account_id).toBe(accountId);
    }
  });

  it("takes a form as well as JSON", async () => {
    const { application, refreshToken } = await openCalendar();
    const answer = await form(application, { grant_type: "refresh_token", refresh_token: refreshToken });
    expect(answer).toMatchObject({ status: 200, json: { refresh_token: refreshToken } });
  });

  it("works when the access token has expired, and removes what has", async () => {
    const { application, refreshToken, accessToken, accountId } = await openCalendar();
    const clock = fakeClock();
    clock.advance(10_800_000);
    expect(await withToken("GET", "/v1/account", accessToken)).toMatchObject({ status: 401 });
    const { json } = await refresh(application, refreshToken);
    expect(await withToken("GET", "/v1/account", json.access_token)).toMatchObject({ status: 200 });
    expect((await storedGrant(accountId)).accessTokens).toHaveLength(1);
  });

  it("gives 20 parallel refreshes a working token each", async () => {
    const { application, refreshToken } = await openCalendar();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(application, refreshToken)));
    const tokens = new Set(answers.map(({ json }) => json.access_token));
    expect(tokens.size).toBe(20);
    for (const each of tokens) expect(await withToken("GET", "/v1/account", each)).toMatchObject({ status: 200 });
  });
});

describe("200 of both", () => {
  it("has Cache-Control: no-store and no RateLimit headers", async () => {
    const { application, code } = await applicationWithCode();
    const exchanged = await exchange(application, code);
    const refreshed = await refresh(application, exchanged.json.refresh_token);
    for (const { status, headers } of [exchanged, refreshed]) {
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("no-store");
      expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
    }
  });

  it("does not look at an Authorization that is not HTTP Basic", async () => {
    const { application, refreshToken } = await openCalendar();
    for (const authorization of ["Bearer undefined", "Bearer None", "nonsense"]) {
      const answer = await call("POST", "/oauth/token", {
        json: { ...credentialsOf(application), grant_type: "refresh_token", refresh_token: refreshToken },
        headers: { authorization },
      });
      expect(answer.status).toBe(200);
    }
  });
});

describe("400 invalid_client", () => {
  it("does not tell an unknown client id from a wrong secret", async () => {
    const application = await newApplication();
    const fields = { grant_type: "refresh_token", refresh_token: "rt_x" };
    const wrongSecret = await token(application, { ...fields, client_secret: "wrong" });
    const unknownId = await token(application, { ...fields, client_id: "unknown" });
    expectOAuthError(wrongSecret, "invalid_client");
    expect(comparable(unknownId)).toEqual(comparable(wrongSecret));
  });

  it("is the answer to the secret of another application and to a retired one", async () => {
    const [application, other] = [await newApplication(), await newApplication()];
    const fields = { grant_type: "refresh_token", refresh_token: "rt_x" };
    expectOAuthError(await token(application, { ...fields, client_secret: other.clientSecret }), "invalid_client");
    await retireSecret(application.clientSecret);
    expectOAuthError(await token(application, fields), "invalid_client");
  });

  it("comes before what is wrong with the grant", async () => {
    const application = await newApplication();
    expectOAuthError(await token(application, { client_secret: "wrong", grant_type: "password" }), "invalid_client");
  });

  it("leaves a code usable", async () => {
    const { application, code } = await applicationWithCode();
    expectOAuthError(await exchange(application, code, { client_secret: "wrong" }), "invalid_client");
    expect(await exchange(application, code)).toMatchObject({ status: 200 });
  });
});

describe("400 invalid_grant", () => {
  it("is the answer to an unknown code", async () => {
    expectOAuthError(await exchange(await newApplication(), "unknown"), "invalid_grant");
  });

  it("is the answer to a code after 10 minutes", async () => {
    const clock = fakeClock();
    const { application, code } = await applicationWithCode({ issuedAt: clock.now() });
    clock.advance(CODE_LIFE_MS);
    expectOAuthError(await exchange(application, code), "invalid_grant");
  });

  it("is the answer to another redirect URI, compared as an exact string", async () => {
    const { application, code } = await applicationWithCode();
    for (const redirect_uri of [`${REDIRECT_URI}/`, `${REDIRECT_URI}?a=b`, REDIRECT_URI.toUpperCase(), "x"]) {
      expectOAuthError(await exchange(application, code, { redirect_uri }), "invalid_grant");
    }
    expect(await exchange(application, code)).toMatchObject({ status: 200 });
  });

  it("is the answer to a code of another application", async () => {
    const { application, code } = await applicationWithCode();
    expectOAuthError(await exchange(await newApplication(), code), "invalid_grant");
    expect(await exchange(application, code)).toMatchObject({ status: 200 });
  });

  it("is the answer to the second use of a code", async () => {
    const { application, code } = await applicationWithCode();
    await exchange(application, code);
    expectOAuthError(await exchange(application, code), "invalid_grant");
  });

  it("is the answer to an unknown refresh token, to that of another application and to an access token", async () => {
    const { application, accessToken, refreshToken } = await openCalendar();
    expectOAuthError(await refresh(application, "rt_unknown"), "invalid_grant");
    expectOAuthError(await refresh(await newApplication(), refreshToken), "invalid_grant");
    expectOAuthError(await refresh(application, accessToken), "invalid_grant");
  });
});

describe("the replay of a code", () => {
  it("more than 10 seconds after the first use revokes the grant", async () => {
    const clock = fakeClock();
    const { application, code } = await applicationWithCode({ issuedAt: clock.now() });
    const { access_token, refresh_token } = (await exchange(application, code)).json;
    clock.advance(GRACE_MS + 1);
    expectOAuthError(await exchange(application, code), "invalid_grant");
    expect(await withToken("GET", "/v1/account", access_token)).toMatchObject({ status: 401 });
    expectOAuthError(await refresh(application, refresh_token), "invalid_grant");
  });

  it("revokes the grant also when the code has expired by then", async () => {
    const clock = fakeClock();
    const { application, code } = await applicationWithCode({ issuedAt: clock.now() });
    const { access_token } = (await exchange(application, code)).json;
    clock.advance(CODE_LIFE_MS + 1);
    expectOAuthError(await exchange(application, code), "invalid_grant");
    expect(await withToken("GET", "/v1/account", access_token)).toMatchObject({ status: 401 });
  });

  it("within 10 seconds is a client's own retry and only answers invalid_grant", async () => {
    const clock = fakeClock();
    const { application, code } = await applicationWithCode({ issuedAt: clock.now() });
    const { access_token } = (await exchange(application, code)).json;
    clock.advance(GRACE_MS);
    expectOAuthError(await exchange(application, code), "invalid_grant");
    expect(await withToken("GET", "/v1/account", access_token)).toMatchObject({ status: 200 });
  });

  it("by another application, with another redirect URI or a wrong secret only answers its error", async () => {
    const clock = fakeClock();
    const { application, code } = await applicationWithCode({ issuedAt: clock.now() });
    const { access_token } = (await exchange(application, code)).json;
    clock.advance(GRACE_MS + 1);
    expectOAuthError(await exchange(await newApplication(), code), "invalid_grant");
    expectOAuthError(await exchange(application, code, { redirect_uri: `${REDIRECT_URI}/` }), "invalid_grant");
    expectOAuthError(await exchange(application, code, { client_secret: "wrong" }), "invalid_client");
    expect(await withToken("GET", "/v1/account", access_token)).toMatchObject({ status: 200 });
  });
});

describe("400 invalid_request", () => {
  const complete = { client_id: "a", client_secret: "b", grant_type: "refresh_token", refresh_token: "c" };

  it.each(["client_id", "client_secret", "grant_type"])("is the answer without %s", async (field) => {
    const { [field]: _, ...rest } = complete as Record<string, string>;
    expectOAuthError(await call("POST", "/oauth/token", { json: rest }), "invalid_request");
    expectOAuthError(await call("POST", "/oauth/token", { form: rest }), "invalid_request");
    expectOAuthError(await call("POST", "/oauth/token", { form: { ...rest, [field]: "" } }), "invalid_request");
  });

  it.each([
    ["authorization_code", "code"],
    ["authorization_code", "redirect_uri"],
    ["refresh_token", "refresh_token"],
  ])("is the answer to grant_type %s without %s", async (grant_type, field) => {
    const application = await newApplication();
    const { [field]: _, ...rest } = { code: "a", redirect_uri: "b", refresh_token: "c" } as Record<string, string>;
    const answer = await token(application, { grant_type, ...rest });
    expectOAuthError(answer, "invalid_request");
    expect(answer.json.error_description).toContain(field);
  });

  it.each([
    ["client_id", 500],
    ["client_secret", 500],
    ["grant_type", 100],
    ["code", 500],
    ["refresh_token", 500],
    ["redirect_uri", 2000],
  ])("is the answer to %s over %i characters, which are code points", async (field, limit) => {
    const grant_type = field === "refresh_token" ? "refresh_token" : "authorization_code";
    const fields = { ...complete, code: "d", redirect_uri: "e", grant_type };
    const atLimit = await call("POST", "/oauth/token", { json: { ...fields, [field]: "𝄞".repeat(limit) } });
    const overLimit = await call("POST", "/oauth/token", { json: { ...fields, [field]: "𝄞".repeat(limit + 1) } });
    expectOAuthError(atLimit, "invalid_client");
    expectOAuthError(overLimit, "invalid_request");
  });

  it("names every mistake in its description", async () => {
    const { json } = await call("POST", "/oauth/token", { json: { client_id: 5 } });
    for (const field of ["client_id", "client_secret", "grant_type"]) expect(json.error_description).toContain(field);
  });
});

describe("400 unsupported_grant_type", () => {
  it.each(["password", "client_credentials", "Refresh_Token", "x".repeat(100)])(
    "is the answer to %s",
    async (grant_type) => {
      expectOAuthError(await token(await newApplication(), { grant_type }), "unsupported_grant_type");
    },
  );
});

describe("400 of any kind", () => {
  it("has Cache-Control: no-store and no RateLimit headers", async () => {
    const { headers } = await token(await newApplication(), { grant_type: "password" });
    expect(headers.get("cache-control")).toBe("no-store");
    expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });
});
