import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { connectorOf, provideConnector } from "@/server/providers/connectors";
import { connectCaller } from "@/server/services/connect/api";
import { revokeUnexchanged } from "@/server/store/grants/revoke-unexchanged";
import { workRevocations } from "@/server/sync/revocations";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { oauthConnector } from "../fakes/oauth-connector";
import { storedProfiles } from "../fakes/stored";
import { authorize, authorizePath, CANCELLED, cookieOf, links, returnedTo, STATE } from "./connect-page";
import { applicationId, connectedWithTokens, exchange, REDIRECT_URI, withToken } from "./grants";
import { ownDatabase } from "./own-database";
import { type ApiResponse, type Application, call, newApplication, newProcessServices } from "./service";

const PAGE_LIFE_MS = 1_800_000;
const CODE_LIFE_MS = 600_000;
const SIGN_INS_AT_ONCE = 60;

// What is due to be revoked is everybody's.
ownDatabase();

let provider: OAuthCalendars;

beforeAll(async () => {
  provider = await startOAuthCalendars();
  provideConnector("google", oauthConnector(provider.url));
  provideConnector("microsoft", oauthConnector(provider.url));
});
afterAll(async () => {
  provideConnector("google", null);
  provideConnector("microsoft", null);
  await provider.close();
});
beforeEach(async () => {
  Object.assign(provider, { consent: "given", failsWith: null, exchanges: 0 });
  provider.putCalendar("work", { isDeleted: false });
  await newProcessServices();
});

/** A browser that the service has sent to the provider: what the provider's page is called with, and the cookie. */
interface Gone {
  to: URL;
  cookie: string;
}

function goneFrom(answer: ApiResponse, cookie = cookieOf(answer)): Gone {
  const to = returnedTo(answer);
  expect(to.origin).toBe(provider.url);
  return { to, cookie };
}

async function goToProvider(application: Application, fields: Record<string, string> = {}): Promise<Gone> {
  return goneFrom(await authorize(application, { provider_name: "google", ...fields }));
}

/** What the user does at the provider, and where that sends their browser. */
async function backFrom({ to }: Gone): Promise<URL> {
  const page = await fetch(to, { redirect: "manual" });
  return new URL(page.headers.get("location") ?? "");
}

function arrive(back: URL, cookie: string): Promise<ApiResponse> {
  return call("GET", back.pathname + back.search, { headers: { cookie } });
}

async function comeBack(gone: Gone): Promise<ApiResponse> {
  return arrive(await backFrom(gone), gone.cookie);
}

const codeOf = (answer: ApiResponse) => returnedTo(answer).searchParams.get("code") ?? "";
const linkTo = (answer: ApiResponse, name: string) =>
  links(answer).find((href) => href.includes(`provider_name=${name}`)) ?? "";

async function profilesOf(application: Application): Promise<unknown[]> {
  const profiles = await storedProfiles({ applicationId: await applicationId(application) });
  return profiles.map(({ provider }) => ({ provider }));
}

/** A page of ours that says this, and nothing was connected. */
async function expectTrouble(answer: ApiResponse, application: Application, sentence: RegExp): Promise<void> {
  expect(answer.text).toMatch(sentence);
  expect(answer.text).toMatch(/<title>[^<]*Nothing was connected|<title>[^<]*calendars|<title>[^<]*Too many/);
  expect(await profilesOf(application)).toEqual([]);
}

describe("signing in on the provider's own page", () => {
  it("sends the user there and back, and the application gets a code for their account", async () => {
    const application = await newApplication();
    const gone = await goToProvider(application);
    expect(gone.to.searchParams.get("redirect_uri")).toBe(`${env().APP_URL}/oauth/callback/google`);
    const answer = await comeBack(gone);
    const to = returnedTo(answer);
    expect(to.origin + to.pathname).toBe(REDIRECT_URI);
    expect(to.searchParams.get("state")).toBe(STATE);
    const { json } = await exchange(application, codeOf(answer));
    const { profiles } = (await withToken("GET", "/v1/profiles", json.access_token)).json;
    expect(profiles).toMatchObject([{ provider_name: "google", profile_name: "anna@example.com" }]);
    const { calendars } = (await withToken("GET", "/v1/calendars", json.access_token)).json;
    expect(calendars).toMatchObject([{ calendar_name: "Work", provider_name: "google" }]);
  });

  it("begins from the choice of providers too", async () => {
    const application = await newApplication();
    const choice = await authorize(application);
    const cookie = cookieOf(choice);
    const answer = await call("GET", linkTo(choice, "google"), { headers: { cookie } });
    expect(codeOf(await comeBack(goneFrom(answer, cookie)))).not.toBe("");
  });

  it("takes the user back to the application when they decline", async () => {
    const application = await newApplication();
    provider.consent = "denied";
    const answer = await comeBack(await goToProvider(application));
    expect(returnedTo(answer).href).toBe(CANCELLED);
    expect(provider.exchanges).toBe(0);
    expect(await profilesOf(application)).toEqual([]);
  });

  it("says so when they leave out the calendars, and the next try connects", async () => {
    const application = await newApplication();
    provider.consent = "without calendars";
    const gone = await goToProvider(application);
    const answer = await comeBack(gone);
    await expectTrouble(answer, application, /didn’t allow access to your Google calendars/);
    provider.consent = "given";
    const again = await call("GET", linkTo(answer, "google"), { headers: { cookie: gone.cookie } });
    expect(codeOf(await comeBack(goneFrom(again, gone.cookie)))).not.toBe("");
  });

  it("says so when the provider fails, has no calendars, or the code is no longer good", async () => {
    const application = await newApplication();
    provider.failsWith = 503;
    await expectTrouble(
      await comeBack(await goToProvider(application)),
      application,
      /Google isn’t responding right now/,
    );
    provider.failsWith = 400;
    await expectTrouble(
      await comeBack(await goToProvider(application)),
      application,
      /Your Google sign-in has expired/,
    );
    provider.failsWith = null;
    provider.putCalendar("work", { isDeleted: true });
    await expectTrouble(await comeBack(await goToProvider(application)), application, /This account has no calendars/);
  });

  it("connects once when the page is loaded again", async () => {
    const application = await newApplication();
    const gone = await goToProvider(application);
    const back = await backFrom(gone);
    expect(codeOf(await arrive(back, gone.cookie))).not.toBe("");
    const { text } = await arrive(back, gone.cookie);
    expect(text).toMatch(/This Google sign-in was already used/);
    expect(text).not.toMatch(/Nothing was connected/);
    expect(await profilesOf(application)).toHaveLength(1);
    expect(provider.exchanges).toBe(1);
  });

  it("is not begun by a HEAD, as of link previews", async () => {
    const application = await newApplication();
    const begun = () => db().prisma.providerSignIn.count();
    const before = await begun();
    const answer = await call("HEAD", authorizePath(application, { provider_name: "google" }));
    expect([answer.status, await begun()]).toEqual([200, before]);
  });

  it("is limited for one address, and says for how long", async () => {
    fakeClock();
    const application = await newApplication();
    for (let i = 0; i < SIGN_INS_AT_ONCE; i += 1) await goToProvider(application);
    const answer = await authorize(application, { provider_name: "google" });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.text).toMatch(/Too many attempts/);
  });
});

describe("a callback", () => {
  it("is refused in another browser, which reaches no provider, and still good in the right one", async () => {
    const application = await newApplication();
    const gone = await goToProvider(application);
    const back = await backFrom(gone);
    const other = await goToProvider(application);
    for (const cookie of ["", other.cookie]) {
      const { status, text } = await arrive(back, cookie);
      expect(status).toBe(400);
      expect(text).toMatch(/This page has expired/);
    }
    expect(provider.exchanges).toBe(0);
    expect(codeOf(await arrive(back, gone.cookie))).not.toBe("");
  });

  it("is refused at another provider's address, and without a state that was begun here", async () => {
    const gone = await goToProvider(await newApplication());
    const back = await backFrom(gone);
    const state = back.searchParams.get("state") ?? "";
    const elsewhere = ["microsoft", "icloud", "nobody"].map((name) => back.href.replace("/google?", `/${name}?`));
    const others = ["", "x", `${state}x`].map((text) => back.href.replace(`state=${state}`, `state=${text}`));
    for (const href of [...elsewhere, ...others, back.href.replace(/&state=.*/, ""), `${back.href}&state=${state}`]) {
      const { status, text } = await arrive(new URL(href), gone.cookie);
      expect([href, status]).toEqual([href, 400]);
      expect(text).toMatch(/This link doesn’t work.*This sign-in wasn’t started here, or it was started too long ago/);
    }
    expect(provider.exchanges).toBe(0);
    expect(codeOf(await arrive(back, gone.cookie))).not.toBe("");
  });

  it("is refused after 30 minutes", async () => {
    const gone = await goToProvider(await newApplication());
    const { searchParams: query } = await backFrom(gone);
    const [, browser = ""] = gone.cookie.split("=");
    const caller = connectCaller({ db: db(), now: clock().now() + PAGE_LIFE_MS, browser });
    expect(await caller.finishOAuth({ path: "google", query })).toMatchObject({ kind: "stale" });
    expect(provider.exchanges).toBe(0);
  });

  it("is refused once the application has taken its redirect URI back", async () => {
    const application = await newApplication();
    const gone = await goToProvider(application);
    await db().prisma.redirectUri.deleteMany({ where: { application: { clientId: application.clientId } } });
    const { status, text } = await comeBack(gone);
    expect(status).toBe(400);
    expect(text).toMatch(/return address it hasn’t registered/);
    expect(provider.exchanges).toBe(0);
  });

  it.each(["HEAD", "POST", "PUT"])("takes no %s", async (method) => {
    const gone = await goToProvider(await newApplication());
    const back = await backFrom(gone);
    const answer = await call(method, back.pathname + back.search, { headers: { cookie: gone.cookie } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
    expect(provider.exchanges).toBe(0);
  });
});

describe("with a link token", () => {
  async function linked() {
    const application = await newApplication();
    const account = await connectedWithTokens(application);
    const { link_token } = (await withToken("POST", "/v1/link_tokens", account.accessToken)).json;
    return { application, account, link_token };
  }

  it("names the account before the user leaves, and the calendars join it when the code is exchanged", async () => {
    const { application, account, link_token } = await linked();
    const page = await authorize(application, { provider_name: "google", link_token });
    expect(page.status).toBe(200);
    expect(page.text).toContain("ada@acme.io");
    expect(linkTo(page, "apple")).toBe("");
    const cookie = cookieOf(page);
    const answer = await call("GET", linkTo(page, "google"), { headers: { cookie } });
    const { json } = await exchange(application, codeOf(await comeBack(goneFrom(answer, cookie))));
    expect(json.sub).toBe(account.accountId);
    expect((await withToken("GET", "/v1/profiles", json.access_token)).json.profiles).toHaveLength(2);
  });

  it("says so when the calendar account belongs to another account of the application", async () => {
    const { application, link_token } = await linked();
    expect(codeOf(await comeBack(await goToProvider(application)))).not.toBe("");
    const page = await authorize(application, { provider_name: "google", link_token });
    const cookie = cookieOf(page);
    const answer = await call("GET", linkTo(page, "google"), { headers: { cookie } });
    const { status, text } = await comeBack(goneFrom(answer, cookie));
    expect(status).toBe(400);
    expect(text).toMatch(/This calendar is already connected/);
  });
});

describe("a grant that nothing came of", () => {
  const OFFICE = { provider_name: "office365" };
  beforeEach(() => {
    provider.asked.length = 0;
  });
  async function withoutCalendars(application: Application): Promise<FakeClock> {
    provider.putCalendar("work", { isDeleted: true });
    expect((await comeBack(await goToProvider(application, OFFICE))).text).toMatch(/This account has no calendars/);
    provider.putCalendar("work", { isDeleted: false });
    return fakeClock();
  }
  const revoked = async () => {
    await workRevocations(db(), connectorOf);
    return provider.asked.includes("POST /revoke");
  };

  it("is revoked at the provider once no page and no code can make anything of it", async () => {
    const clock = await withoutCalendars(await newApplication());
    clock.advance(PAGE_LIFE_MS + CODE_LIFE_MS - 60_000);
    expect(await revoked()).toBe(false);
    clock.advance(120_000);
    expect(await revoked()).toBe(true);
    expect(await db().prisma.providerRevocation.count({ where: { provider: "microsoft" } })).toBe(0);
  });

  it("is revoked too when the provider failed after the exchange", async () => {
    const clock = fakeClock();
    provider.throttle = { scope: "mailbox", afterS: null };
    const answer = await comeBack(await goToProvider(await newApplication(), OFFICE));
    provider.throttle = null;
    expect(answer.text).toMatch(/isn’t responding right now/);
    clock.advance(PAGE_LIFE_MS + CODE_LIFE_MS + 60_000);
    expect(await revoked()).toBe(true);
  });

  it("is revoked when the application never exchanged the code that held it", async () => {
    const application = await newApplication();
    const account = await connectedWithTokens(application);
    const { link_token } = (await withToken("POST", "/v1/link_tokens", account.accessToken)).json;
    const page = await authorize(application, { ...OFFICE, link_token });
    const cookie = cookieOf(page);
    const answer = await call("GET", linkTo(page, "office365"), { headers: { cookie } });
    expect(codeOf(await comeBack(goneFrom(answer, cookie)))).not.toBe("");
    const clock = fakeClock();
    clock.advance(CODE_LIFE_MS + 60_000);
    await revokeUnexchanged(db());
    expect(await revoked()).toBe(false);
    clock.advance(CODE_LIFE_MS + 60_000);
    expect(await revoked()).toBe(true);
  });

  it("stays if the next try connected the same calendar account", async () => {
    const application = await newApplication();
    const clock = await withoutCalendars(application);
    expect(codeOf(await comeBack(await goToProvider(application, OFFICE)))).not.toBe("");
    clock.advance(PAGE_LIFE_MS + CODE_LIFE_MS + 60_000);
    expect(await revoked()).toBe(false);
    expect(await db().prisma.providerRevocation.count({ where: { provider: "microsoft" } })).toBe(0);
  });
});

it("neither the state nor what the connector keeps to itself can be read in the database", async () => {
  const gone = await goToProvider(await newApplication());
  const state = gone.to.searchParams.get("state") ?? "";
  const rows = await db().prisma.providerSignIn.findMany();
  const stored = rows.map((row) => `${Buffer.from(row.stateHash).toString("latin1")} ${row.sealed}`).join();
  expect(rows.length).toBeGreaterThan(0);
  const plain = rows
    .map((row) => Buffer.from(row.sealed.split(".").at(-1) ?? "", "base64url").toString("latin1"))
    .join();
  for (const text of [state, "signed", "secret"]) expect(stored + plain).not.toContain(text);
});
