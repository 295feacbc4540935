import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { en } from "@/components/connect/words/en";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { setForeignEdits } from "../fakes/stored";
import { authorize, CANCELLED, cookieOf, links, returnedTo } from "./connect-page";
import { exchange, withToken } from "./grants";
import { ownDatabase } from "./own-database";
import { type ApiResponse, type Application, call, newApplication, newProcessServices } from "./service";

let google: GoogleFake;

beforeAll(async () => {
  const accounts = [
    { email: "ada@example.com", name: "Ada" },
    { email: "ben@acme.io", name: "Ben", hd: "acme.io" },
  ];
  const redirectUris = [`${env().APP_URL}/oauth/callback/google`];
  google = await startGoogle({ accounts, clients: [{ id: "almanac", secret: "hush", redirectUris }] });
});
afterAll(() => google.close());
ownDatabase(() => ({ GOOGLE_CLIENT_ID: "almanac", GOOGLE_CLIENT_SECRET: "hush", GOOGLE_BASE_URL: google.origin }));
beforeEach(async () => {
  Object.assign(google.knobs, { consent: "given", signedIn: "ada@example.com" });
  google.faults.clear();
  google.requests.length = 0;
  await newProcessServices();
});

interface Gone {
  to: URL;
  cookie: string;
}

async function goToGoogle(application: Application, more: Record<string, string> = {}): Promise<Gone> {
  const answer = await authorize(application, { provider_name: "google", ...more });
  return { to: returnedTo(answer), cookie: cookieOf(answer) };
}

async function comeBack({ to, cookie }: Gone): Promise<ApiResponse> {
  const page = await fetch(to, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  return await call("GET", back.pathname + back.search, { headers: { cookie } });
}

const codeOf = (answer: ApiResponse) => returnedTo(answer).searchParams.get("code") ?? "";

async function profilesOf(application: Application, answer: ApiResponse) {
  const { json } = await exchange(application, codeOf(answer));
  return (await withToken("GET", "/v1/profiles", json.access_token)).json.profiles;
}

describe("a user with a Google account", () => {
  it("is sent to Google's choice of accounts and consent page, with PKCE, a nonce and offline access", async () => {
    const { to } = await goToGoogle(await newApplication());
    expect(to.origin + to.pathname).toBe(`${google.origin}/o/oauth2/v2/auth`);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      ...{ response_type: "code", client_id: "almanac", access_type: "offline", prompt: "select_account consent" },
      ...{ code_challenge_method: "S256", code_challenge: expect.stringMatching(/^[\w-]{43}$/) },
      ...{ nonce: expect.stringMatching(/^[\w-]{43}$/), state: expect.stringMatching(/^[\w-]{43}$/) },
      redirect_uri: `${env().APP_URL}/oauth/callback/google`,
    });
  });

  it.each([
    ["ada@example.com", "google"],
    ["ben@acme.io", "gsuite"],
  ])("is connected: %s as %s", async (email, service) => {
    google.knobs.signedIn = email;
    const application = await newApplication();
    const answer = await comeBack(await goToGoogle(application));
    expect(await profilesOf(application, answer)).toMatchObject([
      { provider_name: "google", provider_service: service, profile_name: email, profile_connected: true },
    ]);
  });

  it("is asked first where the application may change events of others, and what they were told is kept", async () => {
    const application = await newApplication();
    const told = async () => {
      const profiles = await db().prisma.profile.findMany({
        select: { foreignEdits: true },
        where: { account: { application: { clientId: application.clientId } } },
      });
      return profiles.map(({ foreignEdits }) => foreignEdits);
    };
    await comeBack(await goToGoogle(application));
    expect(await told()).toEqual([false]);
    await setForeignEdits(application.clientId);
    expect(await told()).toEqual([false]);
    const page = await authorize(application, { provider_name: "google" });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining(en.mayChangeOthers) });
    const [on = ""] = links(page);
    const cookie = cookieOf(page);
    const to = returnedTo(await call("GET", on, { headers: { cookie } }));
    // What the page said counts, and not what the administrator does in the meantime.
    await setForeignEdits(application.clientId, false);
    await comeBack({ to, cookie });
    expect(await told()).toEqual([true]);
    await comeBack(await goToGoogle(application));
    expect(await told()).toEqual([false]);
  });

  it("is the same profile when they connect again", async () => {
    const application = await newApplication();
    const [first] = await profilesOf(application, await comeBack(await goToGoogle(application)));
    const [again, ...more] = await profilesOf(application, await comeBack(await goToGoogle(application)));
    expect([again.profile_id, more]).toEqual([first.profile_id, []]);
  });

  it.each([
    [{}, ["calendar.events", "calendar.calendarlist.readonly"]],
    [{ access: "read" }, ["calendar.readonly"]],
    [{ access: "free_busy" }, ["calendar.events.freebusy", "calendar.calendarlist.readonly"]],
  ])("is asked for no more than %j needs", async (more, names) => {
    const { to } = await goToGoogle(await newApplication(), more);
    const scopes = names.map((name) => `https://www.googleapis.com/auth/${name}`);
    expect(to.searchParams.get("scope")?.split(" ")).toEqual(["openid", "email", "profile", ...scopes]);
  });

  it("has read-only calendars by a link with access=read, writable ones by the next without, and read-only ones by the next with", async () => {
    const application = await newApplication();
    for (const [more, isReadonly] of [
      [{ access: "read" }, true],
      [{}, false],
      [{ access: "free_busy" }, true],
      [{ access: "read" }, true],
    ] as const) {
      const answer = await comeBack(await goToGoogle(application, more));
      const [profile] = await profilesOf(application, answer);
      expect(profile.profile_calendars).toMatchObject([{ calendar_readonly: isReadonly }]);
    }
  });

  it("has read-only calendars that join an account with a link token", async () => {
    const application = await newApplication();
    const first = await exchange(application, codeOf(await comeBack(await goToGoogle(application))));
    const { link_token } = (await withToken("POST", "/v1/link_tokens", first.json.access_token)).json;
    google.knobs.signedIn = "ben@acme.io";
    const opened = await authorize(application, { provider_name: "google", access: "read", link_token });
    const [way = ""] = links(opened).filter((href) => href.startsWith("/oauth/authorize"));
    const begun = await call("GET", way, { headers: { cookie: cookieOf(opened) } });
    const answer = await comeBack({ to: returnedTo(begun), cookie: cookieOf(opened) });
    const profiles = await profilesOf(application, answer);
    const shown = profiles.map(
      ({
        profile_name,
        profile_calendars: [one],
      }: Record<string, string> & { profile_calendars: { calendar_readonly: boolean }[] }) => [
        profile_name,
        one?.calendar_readonly,
      ],
    );
    expect(shown).toEqual([
      ["ada@example.com", false],
      ["ben@acme.io", true],
    ]);
  });

  it("reads that the calendars are missing when they allow less than a restricted link asks for", async () => {
    google.knobs.consent = "without calendar scopes";
    const { text } = await comeBack(await goToGoogle(await newApplication(), { access: "free_busy" }));
    expect(text).toMatch(/didn’t allow access to your Google calendars/);
  });

  it("goes back to the application when they decline", async () => {
    google.knobs.consent = "denied";
    expect(returnedTo(await comeBack(await goToGoogle(await newApplication()))).href).toBe(CANCELLED);
  });

  it("reads that the calendars are missing when they left the boxes empty", async () => {
    google.knobs.consent = "without calendar scopes";
    const { text } = await comeBack(await goToGoogle(await newApplication()));
    expect(text).toMatch(/didn’t allow access to your Google calendars/);
  });

  it.each([
    ["backendError", /Google isn’t responding right now/],
    ["authError", /Google isn’t responding right now/],
  ] as const)("reads that it failed when the code cannot be exchanged: %s", async (respond, sentence) => {
    google.faults.next({ path: /^\/token$/, respond });
    expect((await comeBack(await goToGoogle(await newApplication()))).text).toMatch(sentence);
  });

  it("is not believed to be somebody by an id_token that Google has not signed", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const gone = await goToGoogle(await newApplication());
    const claims = { email: "eve@example.com", nonce: gone.to.searchParams.get("nonce") };
    const token = new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).setIssuer(google.origin);
    const id_token = await token
      .setAudience("almanac")
      .setSubject("1")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
    const scope =
      "openid https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly";
    const body = { access_token: "a", refresh_token: "r", expires_in: 3600, scope, id_token, token_type: "Bearer" };
    google.faults.next({ path: /^\/token$/, respond: { status: 200, body } });
    expect((await comeBack(gone)).text).toMatch(/Google isn’t responding right now/);
  });
});
