import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { fakeClock } from "../fakes/clock";
import { authorize, links } from "./connect-page";
import { connectedWithTokens, revoke, withToken } from "./grants";
import { rawRequest } from "./raw-request";
import { expectEmpty, expectSignedOut, expectThrottled } from "./responses";
import { call, newApplication, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const LINK_TOKEN_MS = 300_000;
const create = (accessToken: string) => withToken("POST", "/v1/link_tokens", accessToken);

describe("200", () => {
  it("gives a link token, another one each time", async () => {
    const { accessToken } = await connectedWithTokens(await newApplication());
    const answers = [await create(accessToken), await create(accessToken)];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        json: { link_token: expect.stringMatching(/^lt_[\w-]{43}$/) },
      });
      expect(Object.keys(answer.json)).toEqual(["link_token"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("ratelimit-limit")).toBe("150");
    }
    expect(answers[0]?.json.link_token).not.toBe(answers[1]?.json.link_token);
  });

  it("gives one for an application calendar's account too", async () => {
    const { accessToken } = await openCalendar();
    expect(await create(accessToken)).toMatchObject({ status: 200 });
  });

  it.each([
    ["nothing", ""],
    ["an object", "{}"],
    ["an array", "[]"],
    ["no JSON", "not JSON"],
    ["100,000 bytes", "x".repeat(100_000)],
  ])("ignores a body: %s", async (_, body) => {
    const { accessToken } = await openCalendar();
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    expect(await rawRequest({ method: "POST", target: "/v1/link_tokens", headers, body })).toMatchObject({
      status: 200,
    });
  });

  it("stores it as SHA-256 only, for 5 minutes", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const { accessToken, accountId } = await connectedWithTokens(application);
    const { link_token } = (await create(accessToken)).json;
    const stored = await db().prisma.linkToken.findUnique({ where: { hash: digest(link_token) } });
    const expiresAt = new Date(clock.now() + LINK_TOKEN_MS);
    expect(stored).toMatchObject({ accountId, expiresAt, usedAt: null });
    expect(JSON.stringify(await storedRows(application))).not.toContain(link_token);
  });

  it("gives a token that opens the connect page for 5 minutes, and no longer", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const { accessToken } = await connectedWithTokens(application);
    const { link_token } = (await create(accessToken)).json;
    expect(await authorize(application, { link_token })).toMatchObject({ status: 200 });
    clock.advance(LINK_TOKEN_MS - 1);
    expect(await authorize(application, { link_token })).toMatchObject({ status: 200 });
    clock.advance(1);
    const late = await authorize(application, { link_token });
    expect(late.status).toBe(400);
    expect(late.text).toContain("This link is no longer valid");
    expect(links(late)).toEqual([expect.stringContaining("error=access_denied&error_description=")]);
  });

  it("gives a token that ends with the account's grant", async () => {
    const application = await newApplication();
    const { accessToken } = await connectedWithTokens(application);
    const { link_token } = (await create(accessToken)).json;
    await revoke(application, accessToken);
    expect((await authorize(application, { link_token })).text).toContain("This link is no longer valid");
    expect((await storedRows(application)).link_tokens).toEqual([]);
  });
});

describe("401", () => {
  it("comes without a valid access token", async () => {
    expectSignedOut(await call("POST", "/v1/link_tokens"), "invalid_request");
    expectSignedOut(await create("at_unknown"), "invalid_token");
  });
});

describe("405", () => {
  it("is the answer to the other methods, with Allow: POST", async () => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await call(method, "/v1/link_tokens");
      expectEmpty(answer, 405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });
});

describe("429", () => {
  it("comes when the account's bucket is empty, and no token is made", async () => {
    fakeClock();
    const { accessToken, application } = await openCalendar();
    const made = await Promise.all(Array.from({ length: 149 }, () => create(accessToken)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]));
    expectThrottled(await create(accessToken), 1);
    expect((await storedRows(application)).link_tokens).toHaveLength(149);
  });
});
