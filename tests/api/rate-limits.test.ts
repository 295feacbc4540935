import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { connectedWithTokens, credentialsOf, token, withToken } from "./grants";
import { rawRequest } from "./raw-request";
import { expectEmpty, expectOAuthError, expectSignedOut, expectThrottled } from "./responses";
import { type ApiResponse, type Application, call, newApplication, openCalendar } from "./service";

const event = { event_id: "1", summary: "s", start: "2026-11-21", end: "2026-11-22" };

function limits({ headers }: ApiResponse): (string | null)[] {
  return ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => headers.get(name));
}

async function times(count: number, send: () => Promise<ApiResponse>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, send));
  return [...new Set(answers.map(({ status }) => status))];
}

describe("the account's bucket", () => {
  it("holds 150 and fills by 25 a second; the headers say its burst, what is left and the seconds until it is full", async () => {
    const clock = fakeClock();
    const { get } = await openCalendar();
    clock.advance(60_000);
    for (let taken = 1; taken <= 150; taken += 1) {
      const answer = await get("/v1/account");
      expect([answer.status, ...limits(answer)]).toEqual([200, "150", `${150 - taken}`, `${Math.ceil(taken / 25)}`]);
    }
    const refused = await get("/v1/account");
    expectThrottled(refused, 1);
    expect(limits(refused)).toEqual(["150", "0", "6"]);
    clock.advance(39);
    expectThrottled(await get("/v1/account"), 1);
    clock.advance(1);
    expect(limits(await get("/v1/account"))).toEqual(["150", "0", "6"]);
    expectThrottled(await get("/v1/account"), 1);
    clock.advance(1_000);
    expect(await times(25, () => get("/v1/account"))).toEqual([200]);
    expectThrottled(await get("/v1/account"), 1);
  });

  it("is the account's, whichever of its tokens is used", async () => {
    fakeClock();
    const application = await newApplication();
    const [one, other] = [await openCalendar(application, "room"), await openCalendar(application, "room")];
    expect(limits(await one.get("/v1/account"))).toEqual(["150", "147", "1"]);
    expect(limits(await other.get("/v1/account"))).toEqual(["150", "146", "1"]);
  });

  it("counts every authenticated request, whatever its status, and no 401", async () => {
    fakeClock();
    const { accessToken, calendarIds } = await connectedWithTokens(await newApplication());
    const write = (id: string, json: unknown) => withToken("POST", `/v1/calendars/${id}/events`, accessToken, json);
    const answers = [
      await write(calendarIds.writable, event),
      await write(calendarIds.readonly, event),
      await write("cal_x", event),
      await write(calendarIds.writable, {}),
      await withToken("GET", "/v1/events", accessToken),
      await withToken("HEAD", "/v1/account", accessToken),
      await withToken("DELETE", "/v1/channels/chn_x", accessToken),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get("ratelimit-remaining")])).toEqual([
      [202, "149"],
      [403, "148"],
      [404, "147"],
      [422, "146"],
      [422, "145"],
      [200, "144"],
      [404, "143"],
    ]);
    expectSignedOut(await withToken("GET", "/v1/account", `${accessToken}x`), "invalid_token");
    expectEmpty(await withToken("PUT", "/v1/account", accessToken), 405);
    expect(limits(await withToken("GET", "/v1/account", accessToken))).toEqual(["150", "142", "1"]);
  });

  it("refuses a write before it is looked at, and nothing is written", async () => {
    fakeClock();
    const { get, post, calendarId } = await openCalendar();
    expect(await times(149, () => get("/v1/account"))).toEqual([200]);
    expectThrottled(await post(`/v1/calendars/${calendarId}/events`, event), 1);
    expectThrottled(await post(`/v1/calendars/${calendarId}/events`, "no object"), 1);
  });
});

describe("the application's bucket", () => {
  it("holds 600 and fills by 100 a second; a request needs room in both, and a refused one takes from neither", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const [first, second, third, fourth] = [
      await openCalendar(application),
      await openCalendar(application),
      await openCalendar(application),
      await openCalendar(application),
    ];
    // Opened: 4 × 2 of the application's 600, and one of each account's 150.
    for (const { get } of [first, second, third]) expect(await times(149, () => get("/v1/account"))).toEqual([200]);
    expect(await times(20, () => first.get("/v1/account"))).toEqual([429]);
    expect(limits(await fourth.get("/v1/account"))).toEqual(["600", "144", "5"]);
    expect(await times(144, () => fourth.get("/v1/account"))).toEqual([200]);
    const refused = await fourth.get("/v1/account");
    expectThrottled(refused, 1);
    expect(limits(refused)).toEqual(["600", "0", "6"]);
    expect(await times(20, () => fourth.get("/v1/account"))).toEqual([429]);
    clock.advance(40);
    // Four tokens are back in the application's bucket; the account's own has four left, and one that came back.
    expect(await times(4, () => fourth.get("/v1/account"))).toEqual([200]);
    expectThrottled(await fourth.get("/v1/account"), 1);
  });

  it("gives one token to each call with right client credentials, which has no RateLimit headers", async () => {
    const clock = fakeClock();
    const [application, other] = [await newApplication(), await newApplication()];
    const grant_type = "password";
    await times(20, () => token(application, { grant_type, client_secret: "wrong" }));
    expect(await times(600, () => token(application, { grant_type }))).toEqual([400]);
    for (const send of credentialCalls(application)) {
      const answer = await send();
      expectThrottled(answer, 1);
      expect(limits(answer)).toEqual([null, null, null]);
    }
    expectOAuthError(await token(other, { grant_type }), "unsupported_grant_type");
    clock.advance(10);
    expectOAuthError(await token(application, { grant_type }), "unsupported_grant_type");
    expectThrottled(await token(application, { grant_type }), 1);
  });
});

describe("wrong client credentials", () => {
  it("have 60 guesses and one more each second, for each client id and socket address; then 429 with Retry-After", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const wrong = { ...application, clientSecret: "wrong" };
    for (const send of credentialCalls(wrong)) {
      for (const status of await times(20, send)) expect([400, 401]).toContain(status);
    }
    for (const send of [...credentialCalls(wrong), ...credentialCalls(application)]) expectThrottled(await send(), 1);
    expectOAuthError(await token(await newApplication(), { grant_type: "password" }), "unsupported_grant_type");
    clock.advance(999);
    expectThrottled(await token(wrong, { grant_type: "password" }), 1);
    clock.advance(1);
    expectOAuthError(await token(wrong, { grant_type: "password" }), "invalid_client");
    expectThrottled(await token(wrong, { grant_type: "password" }), 1);
  });

  it("at one socket address leave another address alone", async () => {
    fakeClock();
    const application = await newApplication();
    const grant_type = "password";
    expect(await times(60, () => token(application, { grant_type, client_secret: "wrong" }))).toEqual([400]);
    expectThrottled(await token(application, { grant_type }), 1);
    const answer = await rawRequest({
      method: "POST",
      target: "/oauth/token",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...credentialsOf(application), grant_type }),
      from: "127.0.0.2",
    });
    expectOAuthError(answer, "unsupported_grant_type");
  });

  it("are limited by the socket's address, whatever the caller says of it", async () => {
    fakeClock();
    const application = await newApplication();
    const json = { ...credentialsOf(application), client_secret: "wrong", grant_type: "password" };
    let made = 0;
    const guess = () => {
      made += 1;
      const address = `10.0.0.${made}`;
      const headers = { "x-forwarded-for": address, forwarded: `for=${address}`, "x-almanac-address": address };
      return call("POST", "/oauth/token", { json, headers });
    };
    expect(await times(60, guess)).toEqual([400]);
    expectThrottled(await guess(), 1);
  });

  it("of an unknown client id are limited alike", async () => {
    fakeClock();
    const unknown = { clientId: `unknown-${Math.random()}`, clientSecret: "wrong" };
    expect(await times(60, () => token(unknown, { grant_type: "password" }))).toEqual([400]);
    expectThrottled(await token(unknown, { grant_type: "password" }), 1);
  });
});

/** The three endpoints that take client credentials. */
function credentialCalls(application: Application): (() => Promise<ApiResponse>)[] {
  const credentials = credentialsOf(application);
  return [
    () => token(application, { grant_type: "password" }),
    () => call("POST", "/oauth/token/revoke", { json: { ...credentials, token: "unknown" } }),
    () => call("POST", "/v1/application_calendars", { json: { ...credentials, application_calendar_id: "room" } }),
  ];
}
