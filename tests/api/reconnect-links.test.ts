import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { processServices } from "@/server/http/process-services";
import { fakeClock } from "../fakes/clock";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { changeProfile, setConnected } from "../fakes/stored";
import { authorize, cookieOf, links, returnedTo } from "./connect-page";
import { applicationId, connectedWithTokens, exchange, REDIRECT_URI, revoke, withToken } from "./grants";
import { ownDatabase } from "./own-database";
import { expectEmpty, expectIssues, expectSignedOut, expectThrottled } from "./responses";
import { type ApiResponse, type Application, call, newApplication, newProcessServices, openCalendar } from "./service";

const DAY_MS = 86_400_000;
const ADA = "ada@example.com";
const BEN = "ben@example.com";

let google: GoogleFake;
beforeAll(async () => {
  const accounts = [ADA, BEN].map((email) => ({ email, name: email }));
  const redirectUris = [`${env().APP_URL}/oauth/callback/google`];
  google = await startGoogle({ accounts, clients: [{ id: "almanac", secret: "hush", redirectUris }] });
});
afterAll(() => google.close());
ownDatabase(() => ({ GOOGLE_CLIENT_ID: "almanac", GOOGLE_CLIENT_SECRET: "hush", GOOGLE_BASE_URL: google.origin }));
beforeEach(async () => {
  Object.assign(google.knobs, { consent: "given", signedIn: ADA });
  await newProcessServices();
});

const pathOf = (profileId: string) => `/v1/profiles/${profileId}/reconnect_links`;
const create = (accessToken: string, profileId: string, body?: unknown) =>
  withToken("POST", pathOf(profileId), accessToken, body);

/** Follows the browser's way from one of our addresses to the provider, where the user may choose any account: gives the way back. */
async function atGoogle(from: string, cookie: string): Promise<URL> {
  const to = returnedTo(await call("GET", from, { headers: { cookie } }));
  to.searchParams.delete("login_hint");
  const page = await fetch(to, { redirect: "manual" });
  return new URL(page.headers.get("location") ?? "");
}

async function throughGoogle(from: string, cookie: string): Promise<ApiResponse> {
  const back = await atGoogle(from, cookie);
  return await call("GET", back.pathname + back.search, { headers: { cookie } });
}

/** Ada, or whoever is signed in at Google, whose calendars are connected. */
async function connected(application: Application, more: Record<string, string> = {}) {
  const answer = await authorize(application, { provider_name: "google", ...more });
  const page = await fetch(returnedTo(answer), { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  const end = await call("GET", back.pathname + back.search, { headers: { cookie: cookieOf(answer) } });
  const { json } = await exchange(application, returnedTo(end).searchParams.get("code") ?? "");
  const profileId: string = json.linking_profile.profile_id;
  const accessToken: string = json.access_token;
  return {
    ...{ application, accessToken, profileId, accountId: json.sub as string },
    link: async (body?: unknown) => {
      const { status, json } = await create(accessToken, profileId, body);
      expect(status).toBe(200);
      return new URL(json.url);
    },
    state: async () => (await withToken("GET", `/v1/profiles/${profileId}/status`, accessToken)).json.state,
  };
}

/** The page that a link opens, and the way to the provider from it. */
async function opened(link: URL) {
  const page = await call("GET", link.pathname + link.search);
  const [way = "", ...others] = links(page).filter((href) => href.startsWith("/oauth/authorize"));
  return { page, way, others, cookie: cookieOf(page) };
}

function expectEnded(page: ApiResponse) {
  expect(page.status).toBe(400);
  expect(page.text).toContain("This link is no longer valid");
  expect(links(page)).toEqual([expect.stringContaining(`${REDIRECT_URI}?error=access_denied&error_description=`)]);
}

describe("200", () => {
  it("gives a link to the connect page, another one each time", async () => {
    const { accessToken, profileId, application } = await connected(await newApplication());
    const answer = await create(accessToken, profileId, {});
    expect(Object.keys(answer.json)).toEqual(["url"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const url = new URL(answer.json.url);
    expect(url.origin + url.pathname).toBe(`${env().APP_URL}/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ response_type: "code", client_id: application.clientId, redirect_uri: REDIRECT_URI },
      ...{ provider_name: "google", link_token: expect.stringMatching(/^lt_[\w-]{43}$/) },
    });
    expect((await create(accessToken, profileId)).json.url).not.toBe(answer.json.url);
  });

  it.each([
    ["read", "calendar.readonly", "can see your events but can’t change them."],
    ["free_busy", "calendar.events.freebusy", "but not what’s in your events."],
  ])("asks for the access that the profile has, whatever becomes of the link: %s", async (access, scope, only) => {
    const { link, accessToken } = await connected(await newApplication(), { access });
    const url = await link();
    expect(url.searchParams.get("access")).toBe(access);
    url.searchParams.delete("access");
    const { page, way, cookie } = await opened(url);
    expect(page.text).toContain(only);
    const to = returnedTo(await call("GET", way, { headers: { cookie } }));
    expect(to.searchParams.get("scope")).toContain(`https://www.googleapis.com/auth/${scope}`);
    await throughGoogle(way, cookie);
    const { calendars } = (await withToken("GET", "/v1/calendars", accessToken)).json;
    expect(calendars).toMatchObject([{ calendar_readonly: true }]);
  });

  it("reconnects the profile at once, returns with a code, and is used up", async () => {
    const { application, link, state, profileId, accountId } = await connected(await newApplication());
    await setConnected(profileId, false);
    expect(await state()).toBe("disconnected");
    const url = await link();
    const { page, way, others, cookie } = await opened(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Reconnect <bdi>${ADA}</bdi>`);
    expect(page.text).not.toContain("will be added to");
    expect(others).toEqual([]);
    const end = returnedTo(await throughGoogle(way, cookie));
    expect(end.origin + end.pathname).toBe(REDIRECT_URI);
    expect([...end.searchParams.keys()]).toEqual(["code"]);
    expect(await state()).toBe("connected");
    expectEnded((await opened(url)).page);
    const { json } = await exchange(application, end.searchParams.get("code") ?? "");
    expect(json).toMatchObject({ sub: accountId, linking_profile: { profile_id: profileId } });
  });

  it("names the account to the provider, and reconnects a profile that is connected", async () => {
    const { link, state } = await connected(await newApplication());
    const { way, cookie } = await opened(await link());
    const to = returnedTo(await call("GET", way, { headers: { cookie } }));
    expect(to.searchParams.get("login_hint")).toBe(ADA);
    expect(returnedTo(await throughGoogle(way, cookie)).searchParams.has("code")).toBe(true);
    expect(await state()).toBe("connected");
  });

  it("is used up by the first of two browsers", async () => {
    const { link } = await connected(await newApplication());
    const url = await link();
    const [first, second, third] = [await opened(url), await opened(url), await opened(url)];
    const back = await atGoogle(second.way, second.cookie);
    expect(returnedTo(await throughGoogle(first.way, first.cookie)).searchParams.has("code")).toBe(true);
    expectEnded(await call("GET", back.pathname + back.search, { headers: { cookie: second.cookie } }));
    expectEnded(await call("GET", third.way, { headers: { cookie: third.cookie } }));
  });

  it("is not used up by being opened, or by a user who declines", async () => {
    const { link } = await connected(await newApplication());
    const url = await link();
    google.knobs.consent = "denied";
    const { way, cookie } = await opened(url);
    const denied = returnedTo(await throughGoogle(way, cookie)).searchParams;
    expect(denied.get("error")).toBe("access_denied");
    google.knobs.consent = "given";
    const again = await opened(url);
    expect(returnedTo(await throughGoogle(again.way, again.cookie)).searchParams.has("code")).toBe(true);
  });

  it.each([
    ["a day", undefined, DAY_MS],
    ["as long as asked", { expires_in: 604_800 }, 7 * DAY_MS],
    ["a second", { expires_in: 1 }, 1_000],
  ])("works for %s", async (_, body, lifeMs) => {
    const clock = fakeClock();
    const { link } = await connected(await newApplication());
    const url = await link(body);
    clock.advance(lifeMs - 1);
    const before = await opened(url);
    expect(before.page.status).toBe(200);
    clock.advance(1);
    expectEnded((await opened(url)).page);
    // Who opened it in time has the life of a page.
    const onward = await call("GET", before.way, { headers: { cookie: before.cookie } });
    expect(returnedTo(onward).origin).toBe(google.origin);
  });

  it("leads back to the redirect URI that is asked for, or to the first with https", async () => {
    const redirectUris = ["http://localhost:4000/a", "https://app.acme.io/b?x=1", "https://app.acme.io/c"];
    const application = await newApplication({ redirectUris });
    const { accessToken, profileId } = await connectedWithTokens(application);
    const uriOf = async (body?: unknown) =>
      new URL((await create(accessToken, profileId, body)).json.url).searchParams.get("redirect_uri");
    expect(await uriOf()).toBe("https://app.acme.io/b?x=1");
    expect(await uriOf({ redirect_uri: null })).toBe("https://app.acme.io/b?x=1");
    for (const redirect_uri of redirectUris) expect(await uriOf({ redirect_uri })).toBe(redirect_uri);
  });

  it("shows the form of a provider with passwords, for this account and no other", async () => {
    const application = await newApplication();
    const { accessToken, profileId } = await connectedWithTokens(application);
    await changeProfile(profileId, { provider: "icloud", service: "icloud" });
    const url = new URL((await create(accessToken, profileId)).json.url);
    expect(url.searchParams.get("provider_name")).toBe("apple");
    const { page, others, way } = await opened(url);
    expect(page.text).toContain("Reconnect <bdi>ada@acme.io</bdi>");
    expect(page.text).toMatch(/name="username"[^>]*value="ada@acme.io"|value="ada@acme.io"[^>]*name="username"/);
    expect([way, others]).toEqual(["", []]);
  });

  it("is nowhere in the request log", async () => {
    const { link, application } = await connected(await newApplication());
    const url = await link();
    await opened(url);
    await processServices().requestLog.flush(10_000);
    const rows = await db().prisma.requestLog.findMany({ where: { applicationId: await applicationId(application) } });
    const created = rows.find(({ endpoint }) => endpoint === "/v1/profiles/{profile_id}/reconnect_links");
    const page = rows.find(({ query }) => query?.includes("link_token"));
    expect(created?.detail).toContain('"url":"[redacted]"');
    expect(page?.query).toContain("link_token=[redacted]");
    expect(JSON.stringify(rows)).not.toContain(url.searchParams.get("link_token"));
  });
});

describe("somebody else at the link", () => {
  it.each([
    ["is unknown to the application", false],
    ["has an account of their own there", true],
  ])("is refused who %s, and the link stays good for its own account", async (_, isKnown) => {
    const application = await newApplication();
    const { link, state, profileId, accessToken } = await connected(application);
    google.knobs.signedIn = BEN;
    if (isKnown) await connected(application);
    await setConnected(profileId, false);
    const url = await link();
    const { way, cookie } = await opened(url);
    const page = await throughGoogle(way, cookie);
    expect(page.status).toBe(400);
    expect(page.text).toContain("This is a different account");
    expect(page.text).toContain(`This link reconnects <bdi>${ADA}</bdi>`);
    expect(links(page).at(-1)).toMatch(/\?error=access_denied&error_description=/);
    expect(await state()).toBe("disconnected");
    expect((await withToken("GET", "/v1/profiles", accessToken)).json.profiles).toHaveLength(1);

    google.knobs.signedIn = ADA;
    const another = links(page).find((href) => href.startsWith("/oauth/authorize?request=")) ?? "";
    const choice = await call("GET", another, { headers: { cookie } });
    const [again = "", ...others] = links(choice).filter((href) => href.startsWith("/oauth/authorize"));
    expect(others).toEqual([]);
    expect(returnedTo(await throughGoogle(again, cookie)).searchParams.has("code")).toBe(true);
    expect(await state()).toBe("connected");
  });

  it("finds no link that was made for another application, and none of an account that was revoked", async () => {
    const application = await newApplication();
    const { link, accessToken } = await connected(application);
    const url = await link();
    const elsewhere = new URL(url);
    elsewhere.searchParams.set("client_id", (await newApplication()).clientId);
    expectEnded((await opened(elsewhere)).page);
    await revoke(application, accessToken);
    expectEnded((await opened(url)).page);
  });
});

describe("401", () => {
  it("is the answer without a token and with an unknown one", async () => {
    expectSignedOut(await call("POST", pathOf("pro_1"), { json: {} }), "invalid_request");
    expectSignedOut(await create("at_unknown", "pro_1"), "invalid_token");
  });
});

describe("404", () => {
  it("is the answer for a profile of another account or application, after the body", async () => {
    const application = await newApplication();
    const { accessToken } = await connectedWithTokens(application);
    const others = [await connectedWithTokens(application), await connectedWithTokens(await newApplication())];
    for (const id of [...others.map(({ profileId }) => profileId), "pro_unknown", "%00"]) {
      expectEmpty(await create(accessToken, id), 404);
      expectIssues(await create(accessToken, id, { expires_in: 0 }), { expires_in: "errors.too_small" });
    }
  });
});

describe("422", () => {
  it.each([
    [{ expires_in: 604_801 }, { expires_in: "errors.too_big" }],
    [{ expires_in: 0 }, { expires_in: "errors.too_small" }],
    [{ expires_in: 1.5 }, { expires_in: "errors.invalid_type" }],
    [{ expires_in: "60" }, { expires_in: "errors.invalid_type" }],
    [{ redirect_uri: "" }, { redirect_uri: "errors.too_small" }],
    [
      { redirect_uri: `https://${"x".repeat(2_000)}`, expires_in: -1 },
      { redirect_uri: "errors.too_big", expires_in: "errors.too_small" },
    ],
    [{ redirect_uri: "https://app.acme.io/elsewhere" }, { redirect_uri: "errors.invalid_value" }],
    [{ redirect_uri: `${REDIRECT_URI}/` }, { redirect_uri: "errors.invalid_value" }],
  ])("comes for %j", async (body, issues) => {
    const { accessToken, profileId } = await connectedWithTokens(await newApplication());
    expectIssues(await create(accessToken, profileId, body), issues);
  });

  it("comes where there is no redirect URI, and for one of another application", async () => {
    const theirs = "https://theirs.acme.io/callback";
    await newApplication({ redirectUris: [theirs] });
    const { accessToken, profileId } = await connectedWithTokens(await newApplication({ redirectUris: [] }));
    expectIssues(await create(accessToken, profileId), { redirect_uri: "errors.required" });
    expectIssues(await create(accessToken, profileId, { redirect_uri: theirs }), {
      redirect_uri: "errors.invalid_value",
    });
  });

  it("comes for an application calendar, which has nothing to reconnect", async () => {
    const { accessToken, profileId } = await openCalendar();
    const answer = await create(accessToken, profileId);
    expectIssues(answer, { base: "errors.invalid" });
    expect(answer.json.errors.base[0].description).toContain("nothing to reconnect");
  });
});

describe("429", () => {
  it("comes when the account's bucket is empty", async () => {
    fakeClock();
    const { accessToken, profileId } = await connectedWithTokens(await newApplication());
    await Promise.all(Array.from({ length: 150 }, () => withToken("GET", "/v1/account", accessToken)));
    expectThrottled(await create(accessToken, profileId), 1);
  });
});
