import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { loggedRequests } from "../fakes/stored-traffic";
import { authorize, cookieOf, links, returnedTo, STATE, titleOf } from "./connect-page";
import { connectedWithTokens, exchange, REDIRECT_URI, withToken } from "./grants";
import { ownDatabase } from "./own-database";
import { type ApiResponse, type Application, call, newApplication, newProcessServices } from "./service";

let google: GoogleFake;

beforeAll(async () => {
  const redirectUris = [`${env().APP_URL}/oauth/callback/google`];
  const accounts = [{ email: "ada@example.com", name: "Ada" }];
  google = await startGoogle({ accounts, clients: [{ id: "almanac", secret: "hush", redirectUris }] });
});
afterAll(() => google.close());
ownDatabase(() => ({ GOOGLE_CLIENT_ID: "almanac", GOOGLE_CLIENT_SECRET: "hush", GOOGLE_BASE_URL: google.origin }));
beforeEach(async () => {
  Object.assign(google.knobs, { consent: "given", signedIn: "ada@example.com" });
  await newProcessServices();
});

async function confirming(): Promise<Application> {
  const application = await newApplication();
  const { clientId } = application;
  await db().prisma.application.update({ where: { clientId }, data: { connectSuccessPage: true } });
  return application;
}

async function signIn(application: Application, more: Record<string, string> = {}): Promise<ApiResponse> {
  const opened = await authorize(application, { provider_name: "google", ...more });
  const cookie = cookieOf(opened);
  const to = opened.status === 302 ? returnedTo(opened) : await throughTheChoice(opened, cookie);
  const consent = await fetch(to, { redirect: "manual" });
  const back = new URL(consent.headers.get("location") ?? "");
  return await call("GET", back.pathname + back.search, { headers: { cookie } });
}

async function throughTheChoice(page: ApiResponse, cookie: string): Promise<URL> {
  const link = links(page).find((href) => href.includes("provider_name=google")) ?? "";
  return returnedTo(await call("GET", link, { headers: { cookie } }));
}

const backOf = (page: ApiResponse) => new URL(links(page).find((href) => href.startsWith(REDIRECT_URI)) ?? "");

describe("a connected calendar", () => {
  it("is confirmed by a page where the application wants one, whose link carries the code", async () => {
    const application = await confirming();
    const page = await signIn(application);
    expect([page.status, titleOf(page)]).toEqual([200, "<title>Calendar connected · Almanac"]);
    const back = backOf(page);
    expect(back.searchParams.get("state")).toBe(STATE);
    const { json } = await exchange(application, back.searchParams.get("code") ?? "");
    expect((await withToken("GET", "/v1/profiles", json.access_token)).json.profiles).toMatchObject([
      { profile_name: "ada@example.com", profile_connected: true },
    ]);
  });

  it("says that a step is left where the calendar joins an account", async () => {
    const application = await confirming();
    const { accessToken } = await connectedWithTokens(application);
    const { json } = await withToken("POST", "/v1/link_tokens", accessToken);
    const page = await signIn(application, { link_token: json.link_token });
    expect(titleOf(page)).toBe("<title>Almost done · Almanac");
    expect((await withToken("GET", "/v1/profiles", accessToken)).json.profiles).toHaveLength(1);
    await exchange(application, backOf(page).searchParams.get("code") ?? "");
    expect((await withToken("GET", "/v1/profiles", accessToken)).json.profiles).toHaveLength(2);
  });

  it("has a code that is in no log, no cache and no referrer", async () => {
    const page = await signIn(await confirming());
    const code = backOf(page).searchParams.get("code") ?? "";
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
    const logged = await loggedRequests(page.headers.get("svc-request-id") ?? "");
    expect(logged).toHaveLength(1);
    expect(logged[0]?.text).not.toContain(code);
  });

  it("leads back right away without the switch, which is off at first", async () => {
    expect(returnedTo(await signIn(await newApplication())).searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  });
});
