import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { processServices } from "@/server/http/process-services";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import {
  authorize,
  CANCELLED,
  cookieOf,
  formOf,
  links,
  openForm,
  returnedTo,
  STATE,
  sendForm,
} from "../api/connect-page";
import { exchange, revoke, withToken } from "../api/grants";
import { type ApiResponse, call, newApplication, openCalendar } from "../api/service";
import { storedRows } from "../api/stored-rows";
import { fakeClock } from "../fakes/clock";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { storedProfile, storedSync } from "../fakes/stored";
import { codeOf, connectedWith, linkToken } from "./connecting";

const PAGE_LIFE_MS = 1_800_000;
const CODE_LIFE_MS = 600_000;

let radicale: Radicale;

beforeAll(async () => {
  radicale = await startRadicale();
  provideEnv({ ICLOUD_CALDAV_URL: new URL(radicale.url).origin });
});
afterAll(() => radicale.close());
beforeEach(() => processServices().limiter.close()); // each test has all its tries

const anna = () => ({ username: radicale.user, password: radicale.password });
const ben = () => ({ username: radicale.second.user, password: radicale.second.password });

/** A page that ends the flow: it says why, and so does the way back. */
function expectEnded(answer: ApiResponse, title: string, description: string): void {
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`<h1>${title}</h1>`);
  const back = new URL(links(answer).at(-1) ?? "");
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: "access_denied",
    error_description: description,
    state: STATE,
  });
}

const expectDead = (answer: ApiResponse) =>
  expectEnded(answer, "This link is no longer valid", "The link token is unknown, used or expired");

const expectElsewhere = (answer: ApiResponse) =>
  expectEnded(
    answer,
    "This calendar is already connected",
    "The calendar account is already connected to another account of the application",
  );

async function profilesOf(accessToken: string): Promise<string[]> {
  const { json } = await withToken("GET", "/v1/profiles", accessToken);
  return json.profiles.map(({ profile_id }: { profile_id: string }) => profile_id);
}

/** Anna's account and a code for Ben's calendar account that has come with a link token of hers. */
async function pendingLink() {
  const application = await newApplication();
  const first = await connectedWith(application, anna());
  const code = await codeOf(application, ben(), { link_token: await linkToken(first.accessToken) });
  return { application, first, code };
}

describe("the page of a link token", () => {
  it("names the account that the calendar is added to, before anything is typed, and lets people refuse", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const link_token = await linkToken(first.accessToken);
    const chooser = await authorize(application, { link_token });
    const form = await authorize(application, { link_token, provider_name: "apple" });
    for (const page of [chooser, form]) {
      expect(page.text).toContain(`This calendar will be added to <bdi>${radicale.user}</bdi>`);
      expect(links(page)).toContain(CANCELLED);
      expect(page.text).toContain("Not your account? Don’t add the calendar");
    }
    const wrong = await sendForm({ ...formOf(form), cookie: cookieOf(form) }, { ...ben(), password: "wrong" });
    expect(wrong.text).toContain(`This calendar will be added to <bdi>${radicale.user}</bdi>`);
  });

  it("names an application calendar by the name that the application gave it", async () => {
    const { application, accessToken } = await openCalendar(undefined, "room-4");
    const page = await authorize(application, { link_token: await linkToken(accessToken) });
    expect(page.text).toContain("This calendar will be added to <bdi>room-4</bdi>");
  });

  it("names nobody without a link token", async () => {
    expect((await authorize(await newApplication())).text).not.toContain("will be added to");
  });

  it("passes the token on from the chooser, so that a person who reads for long still gets through", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const clock = fakeClock();
    const chooser = await authorize(application, { link_token: await linkToken(first.accessToken) });
    const link = links(chooser).find((href) => href.startsWith("/oauth/authorize")) ?? "";
    expect(link).not.toContain("lt_");
    clock.advance(PAGE_LIFE_MS - 1);
    const form = formOf(await call("GET", link, { headers: { cookie: cookieOf(chooser) } }));
    const code = returnedTo(await sendForm(form, ben())).searchParams.get("code") ?? "";
    expect((await exchange(application, code)).json.sub).toBe(first.accountId);
  });

  it("does not offer to start again when it is too old", async () => {
    const application = await newApplication();
    const { accessToken } = await connectedWith(application, anna());
    const form = await openForm(application, { link_token: await linkToken(accessToken) });
    expect(links(await sendForm({ ...form, cookie: "" }, ben()))).toEqual([CANCELLED]);
  });
});

describe("a calendar account that came with a link token", () => {
  it("joins the account when its code is exchanged", async () => {
    const { application, first, code } = await pendingLink();
    const { json } = await exchange(application, code);
    expect(json).toMatchObject({ sub: first.accountId, account_id: first.accountId });
    expect(json.linking_profile).toMatchObject({ provider_name: "apple", profile_name: radicale.second.user });
    expect(await profilesOf(first.accessToken)).toEqual([first.profileId, json.linking_profile.profile_id]);
    const { calendars } = (await withToken("GET", "/v1/calendars", json.access_token)).json;
    expect(calendars.map(({ profile_id }: { profile_id: string }) => profile_id)).toContain(
      json.linking_profile.profile_id,
    );
  });

  it("belongs to nobody until then: nothing of it is stored in the open, read or synced", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const before = await storedRows(application);
    await codeOf(application, ben(), { link_token: await linkToken(first.accessToken) });
    const after = await storedRows(application);
    for (const table of ["accounts", "profiles", "calendars"]) expect(after[table]).toEqual(before[table]);
    expect(await profilesOf(first.accessToken)).toEqual([first.profileId]);
    const rows = JSON.stringify(after);
    for (const secret of [radicale.second.user, radicale.second.password]) expect(rows).not.toContain(secret);
  });

  it("is synced from the exchange on", async () => {
    const { application, code } = await pendingLink();
    const { json } = await exchange(application, code);
    const { connected: isConnected } = await storedProfile(json.linking_profile.profile_id);
    const { syncDueAt } = await storedSync(json.linking_profile.profile_id);
    expect(isConnected).toBe(true);
    expect(syncDueAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("joins once, of 20 parallel exchanges", async () => {
    const { application, code, first } = await pendingLink();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(application, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    expect(await profilesOf(first.accessToken)).toHaveLength(2);
  });

  it("does not join when the code is late, for another redirect URI or without its verifier", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const proof = {
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    };
    const code = await codeOf(application, ben(), { ...proof, link_token: await linkToken(first.accessToken) });
    const wrong = [{ redirect_uri: "https://app.acme.io/other" }, {}, { code_verifier: "x".repeat(43) }];
    for (const more of wrong) expect((await exchange(application, code, more)).json.error).toBe("invalid_grant");
    expect(await profilesOf(first.accessToken)).toEqual([first.profileId]);
    clock.advance(CODE_LIFE_MS);
    const right = { code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" };
    expect((await exchange(application, code, right)).json.error).toBe("invalid_grant");
    expect(await profilesOf(first.accessToken)).toEqual([first.profileId]);
  });

  it("reconnects a profile of its own account, at the exchange and not before", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    await disconnectProfile(db(), first.profileId);
    const code = await codeOf(application, anna(), { link_token: await linkToken(first.accessToken) });
    const isConnected = async () =>
      (await withToken("GET", "/v1/profiles", first.accessToken)).json.profiles[0].profile_connected;
    expect(await isConnected()).toBe(false);
    const { json } = await exchange(application, code);
    expect([json.sub, json.linking_profile.profile_id]).toEqual([first.accountId, first.profileId]);
    expect(await isConnected()).toBe(true);
  });

  it("is one profile when two link tokens brought it to one account at the same moment", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const forms = await Promise.all(
      [1, 2].map(async () => openForm(application, { link_token: await linkToken(first.accessToken) })),
    );
    const pages = await Promise.all(forms.map((form) => sendForm(form, ben())));
    const codes = pages.map((page) => returnedTo(page).searchParams.get("code") ?? "");
    const answers = await Promise.all(codes.map((code) => exchange(application, code)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ json }) => json.linking_profile.profile_id)).size).toBe(1);
    expect(await profilesOf(first.accessToken)).toHaveLength(2);
  });

  it("ends with invalid_grant when it was connected to another account in the meantime", async () => {
    const { application, first, code } = await pendingLink();
    const other = await connectedWith(application, ben());
    expect(await exchange(application, code)).toMatchObject({
      status: 400,
      json: { error: "invalid_grant", error_description: expect.stringContaining("another account") },
    });
    expect(await profilesOf(first.accessToken)).toEqual([first.profileId]);
    expect(await profilesOf(other.accessToken)).toEqual([other.profileId]);
  });

  it("joins one of two accounts, whoever of both exchanges first", async () => {
    const { application, first, code } = await pendingLink();
    const { accessToken: calendars } = await openCalendar(application);
    const second = await codeOf(application, ben(), { link_token: await linkToken(calendars) });
    const answers = await Promise.all([exchange(application, code), exchange(application, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const counts = [first.accessToken, calendars].map(async (accessToken) => (await profilesOf(accessToken)).length);
    expect((await Promise.all(counts)).sort()).toEqual([1, 2]);
  });

  it("goes with its account when that is revoked before the exchange", async () => {
    const { application, first, code } = await pendingLink();
    await revoke(application, first.refreshToken);
    expect(await exchange(application, code)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    const { profiles, calendars, codes } = await storedRows(application);
    expect([profiles, calendars, codes]).toEqual([[], [], []]);
  });

  it("joins or goes, when the account is revoked at the moment of the exchange", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { application, first, code } = await pendingLink();
      const [{ status }] = await Promise.all([exchange(application, code), revoke(application, first.refreshToken)]);
      expect([200, 400]).toContain(status);
      const { profiles, calendars, grants } = await storedRows(application);
      expect([profiles, calendars, grants]).toEqual([[], [], []]);
    }
  });
});

describe("a link token that leads nowhere", () => {
  it("was used before: by another page, or by one that was open beside it", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const link_token = await linkToken(first.accessToken);
    const [one, two] = [await openForm(application, { link_token }), await openForm(application, { link_token })];
    expect(returnedTo(await sendForm(one, ben())).searchParams.get("code")).toMatch(/^[\w-]{43}$/);
    expectDead(await sendForm(two, ben()));
    expectDead(await authorize(application, { link_token }));
  });

  it("is used once, of 6 pages sent at the same moment", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const link_token = await linkToken(first.accessToken);
    const forms = await Promise.all(Array.from({ length: 6 }, () => openForm(application, { link_token })));
    const answers = await Promise.all(forms.map((form) => sendForm(form, ben())));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(5).fill(400)]);
  });

  it("belonged to an account that was revoked in the meantime", async () => {
    const application = await newApplication();
    const first = await connectedWith(application, anna());
    const form = await openForm(application, { link_token: await linkToken(first.accessToken) });
    await revoke(application, first.refreshToken);
    expectDead(await sendForm(form, ben()));
  });
});

describe("a calendar account that is connected to another account of the application", () => {
  it("is not joined: the page says so, and the same link still takes another calendar account", async () => {
    const application = await newApplication();
    const mine = await connectedWith(application, anna());
    await connectedWith(application, ben());
    const before = await storedRows(application);
    const form = await openForm(application, { link_token: await linkToken(mine.accessToken) });
    const refused = await sendForm(form, ben());
    expectElsewhere(refused);
    const after = await storedRows(application);
    for (const table of ["accounts", "profiles", "calendars", "codes"]) expect(after[table]).toEqual(before[table]);
    expect(refused.text).toContain("Use another account");
    const [another = ""] = links(refused);
    const chooser = await call("GET", another, { headers: { cookie: form.cookie } });
    const [next = ""] = links(chooser).filter((href) => href.startsWith("/oauth/authorize"));
    const again = formOf(await call("GET", next, { headers: { cookie: form.cookie } }));
    const code = returnedTo(await sendForm({ ...again, cookie: form.cookie }, anna())).searchParams.get("code") ?? "";
    expect((await exchange(application, code)).json.sub).toBe(mine.accountId);
  });
});
