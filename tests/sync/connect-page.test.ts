import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { pendingScript } from "@/server/http/connect/pending-script";
import { processServices } from "@/server/http/process-services";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { CANCELLED, formOf, links, type OpenForm, openForm, returnedTo, STATE, sendForm } from "../api/connect-page";
import { applicationId, exchange, REDIRECT_URI, revoke, withToken } from "../api/grants";
import { type ApiResponse, type Application, call, newApplication } from "../api/service";
import { storedRows } from "../api/stored-rows";
import { fakeClock } from "../fakes/clock";
import { type Front, type FrontRequest, type FrontResponse, plain, startFront } from "../fakes/forward";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { storedProfile, storedSync } from "../fakes/stored";
import { dropRedirectUris } from "../fakes/stored-grants";
import { loggedRequests } from "../fakes/stored-traffic";
import { codeOf, connectedWith } from "./connecting";

const PAGE_LIFE_MS = 1_800_000;
const CODE_LIFE_MS = 600_000;
const REFILL_MS = 20_000;

let radicale: Radicale;
let front: Front;
/** What was asked of the provider, and what it answers instead of its own: null breaks the connection. */
const provider: { asked: FrontRequest[]; instead(asked: FrontRequest): FrontResponse | null | undefined } = {
  asked: [],
  instead: () => undefined,
};

beforeAll(async () => {
  radicale = await startRadicale();
  await radicale.changePassword("kqzt-wbnh-rmfx-dvpc");
  front = await startFront(
    () => Number(new URL(radicale.url).port),
    async (asked, handOn) => {
      provider.asked.push(asked);
      const instead = provider.instead(asked);
      return instead === undefined ? handOn() : instead;
    },
  );
  provideEnv({ ICLOUD_CALDAV_URL: `http://127.0.0.1:${front.port}` });
});
afterAll(async () => {
  await front.close();
  await radicale.close();
});
beforeEach(() => {
  provider.instead = () => undefined;
  processServices().limiter.close(); // each test has all its tries
});

const anna = () => ({ username: radicale.user, password: radicale.password });

const connect = (application: Application, person = anna(), fields = {}) => codeOf(application, person, fields);
const connected = (application: Application, person = anna()) => connectedWith(application, person);

function said(status: number, type: string, body: string): FrontResponse {
  return { ...plain(status, { "content-type": type }), body: Buffer.from(body) };
}

describe("the form that is sent with the right password", () => {
  it("takes the person back to the redirect URI with code and state, and no referrer", async () => {
    const answer = await sendForm(await openForm(await newApplication()), anna());
    expect(answer.status).toBe(302);
    const to = returnedTo(answer);
    expect(to.origin + to.pathname).toBe(REDIRECT_URI);
    expect(Object.fromEntries(to.searchParams)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state: STATE });
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("connects the account: tokens, userinfo, profile and calendars are there at once", async () => {
    const application = await newApplication();
    const { accessToken, accountId, profileId } = await connected(application);
    expect(accountId).toMatch(/^acc_[0-9a-f]{24}$/);
    const { json } = await withToken("GET", "/v1/userinfo", accessToken);
    expect(json).toMatchObject({ sub: accountId, email: radicale.user, name: radicale.user, "svc.type": "account" });
    expect(json["svc.data"].profiles).toEqual([
      {
        provider_name: "apple",
        provider_service: "icloud",
        profile_id: profileId,
        profile_name: radicale.user,
        profile_connected: true,
        profile_relink_url: null,
        profile_initial_sync_required: true,
        profile_calendars: [expect.objectContaining({ calendar_name: "Personal", calendar_readonly: false })],
      },
    ]);
  });

  it("leaves the first sync due at once", async () => {
    const application = await newApplication();
    const { profileId } = await connected(application);
    const { connected: isConnected } = await storedProfile(profileId);
    const { syncDueAt } = await storedSync(profileId);
    expect(isConnected).toBe(true);
    expect(syncDueAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("takes spaces around what was pasted", async () => {
    const { username, password } = anna();
    await connect(await newApplication(), { username: ` ${username} `, password: `\t${password}\n` });
  });

  it("stores the password sealed only, and the code as SHA-256 only", async () => {
    const application = await newApplication();
    const code = await connect(application);
    const rows = JSON.stringify(await storedRows(application));
    expect(rows).toMatch(/credential\W+v1\./);
    for (const secret of [radicale.password, Buffer.from(radicale.password).toString("base64"), code]) {
      expect(rows).not.toContain(secret);
    }
  });

  it("logs nothing of what was typed, neither user name nor password nor code", async () => {
    const application = await newApplication();
    const id = `test-${randomBytes(8).toString("hex")}`;
    const form = await openForm(application);
    const answers = [
      await sendForm(form, { ...anna(), password: "canary-wrong" }, { "svc-request-id": id }),
      await sendForm(form, anna(), { "svc-request-id": id }),
    ];
    const code = returnedTo(answers[1] as ApiResponse).searchParams.get("code") ?? "";
    const owner = await applicationId(application);
    const rows = await loggedRequests(id);
    expect(rows.filter((row) => row.applicationId === owner && [200, 302].includes(row.status))).toHaveLength(2);
    for (const { text } of rows) {
      for (const typed of ["canary-wrong", radicale.password, "anna", code, STATE]) expect(text).not.toContain(typed);
    }
  });
});

describe("the same calendar account connected again", () => {
  it("gives back the same profile, calendars and account, connected again", async () => {
    const application = await newApplication();
    const { accessToken, ...first } = await connected(application);
    expect(await disconnectProfile(db(), first.profileId)).toBe(true);
    const broken = await withToken("GET", "/v1/profiles", accessToken);
    expect(broken.json.profiles[0].profile_connected).toBe(false);
    const { accessToken: second, ...again } = await connected(application);
    expect([again.accountId, again.profileId, again.calendarIds]).toEqual([
      first.accountId,
      first.profileId,
      first.calendarIds,
    ]);
    for (const token of [accessToken, second]) {
      const { json } = await withToken("GET", "/v1/profiles", token);
      expect(json.profiles).toMatchObject([{ profile_id: first.profileId, profile_connected: true }]);
    }
  });

  it("is one profile when it happens twice at the same moment", async () => {
    const application = await newApplication();
    const forms = await Promise.all(Array.from({ length: 6 }, () => openForm(application)));
    const answers = await Promise.all(forms.map((form) => sendForm(form, anna())));
    const codes = answers.map((answer) => returnedTo(answer).searchParams.get("code") ?? "");
    const tokens = await Promise.all(codes.map((code) => exchange(application, code)));
    expect(new Set(tokens.map(({ json }) => json.sub)).size).toBe(1);
    const rows = await storedRows(application);
    expect([rows.accounts?.length, rows.profiles?.length, rows.calendars?.length]).toEqual([1, 1, 1]);
  });

  it("is another account for another application", async () => {
    const [one, other] = [await connected(await newApplication()), await connected(await newApplication())];
    expect(one.accountId).not.toBe(other.accountId);
  });

  it("is a new account after a revocation, which took profile, credential and calendars away", async () => {
    const application = await newApplication();
    const first = await connected(application);
    await revoke(application, first.refreshToken);
    const left = await storedRows(application);
    expect([left.profiles, left.calendars, left.codes, left.grants]).toEqual([[], [], [], []]);
    const second = await connected(application);
    expect(second.accountId).not.toBe(first.accountId);
  });
});

describe("the code", () => {
  it("is exchanged by exactly one of 50 parallel calls", async () => {
    const application = await newApplication();
    const code = await connect(application);
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(application, code)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(400)]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await withToken("GET", "/v1/account", winner?.json.access_token)).toMatchObject({ status: 200 });
  });

  it("is valid for 10 minutes", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const [kept, late] = [await connect(application), await connect(application)];
    clock.advance(CODE_LIFE_MS - 1);
    expect((await exchange(application, kept)).status).toBe(200);
    clock.advance(1);
    expect(await exchange(application, late)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  it("needs the verifier of the code_challenge that was sent", async () => {
    const application = await newApplication();
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const asked = { code_challenge, code_challenge_method: "S256" };
    const code = await connect(application, anna(), asked);
    for (const wrong of [{}, { code_verifier: "x".repeat(43) }]) {
      expect(await exchange(application, code, wrong)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    }
    expect(await exchange(application, code, { code_verifier: verifier })).toMatchObject({ status: 200 });
  });
});

describe("the form that comes back", () => {
  async function sent(more: Record<string, string>) {
    const application = await newApplication();
    const answer = await sendForm(await openForm(application), { ...anna(), ...more });
    const { profiles, accounts, codes } = await storedRows(application);
    expect([profiles, accounts, codes]).toEqual([[], [], []]);
    return answer;
  }

  /** The form says it, tied to the field when it is of one; what was typed stays, the password does not. */
  function expectTrouble(answer: ApiResponse, words: string, field: "username" | "password" | "form"): void {
    expect([200, 429]).toContain(answer.status);
    expect(answer.text).toContain(words);
    expect(answer.text).toMatch(new RegExp(`<title>[^<]*${words.slice(0, 12)}`));
    expect(answer.text).toMatch(new RegExp(`<p class="bad" id="${field}-problem"`));
    if (field !== "form") {
      const input = new RegExp(`<input id="${field}"[^>]*`).exec(answer.text)?.[0];
      expect(input).toContain('aria-invalid="true"');
      expect(input).toMatch(new RegExp(`aria-describedby="${field}-problem`));
    }
    expect(answer.text).not.toContain(radicale.password);
    expect(answer.text).not.toContain("wrong-secret");
    expect(formOf(answer).fields.request).toMatch(/^[\w-]+\.[\w-]{43}$/);
  }

  it("says that the password is wrong, keeps the address and forgets the password", async () => {
    const answer = await sent({ password: "wrong-secret" });
    expectTrouble(answer, "Incorrect username or password.", "password");
    expect(answer.text).toContain(`value="${radicale.user}"`);
  });

  it("says which field is empty, without asking the provider", async () => {
    provider.asked.length = 0;
    expectTrouble(await sent({ username: "  " }), "Enter your username or email.", "username");
    expectTrouble(await sent({ password: "" }), "Enter your password.", "password");
    expect(provider.asked).toEqual([]);
  });

  it.each([
    ["breaks the connection", null],
    ["answers 500", plain(500)],
    ["answers 503", plain(503)],
    ["answers 429", plain(429, { "retry-after": "60" })],
    ["answers what is not CalDAV", said(200, "text/html", "<html>Welcome to the café</html>")],
    ["leads to a stranger", plain(302, { location: "https://elsewhere.io/" })],
  ])("says that the provider does not answer, when it %s", async (_, answer) => {
    provider.instead = () => answer;
    expectTrouble(await sent({}), "isn’t responding right now. Nothing was connected.", "form");
  });

  it("says that there is no calendar", async () => {
    const home = `<response><href>/${radicale.user}/</href><propstat><prop><resourcetype><collection/></resourcetype></prop>
<status>HTTP/1.1 200 OK</status></propstat></response>`;
    const body = `<?xml version="1.0"?><multistatus xmlns="DAV:">${home}</multistatus>`;
    provider.instead = ({ headers }) => (headers.depth === "1" ? said(207, "application/xml", body) : undefined);
    expectTrouble(await sent({}), "This account has no calendars", "form");
  });

  it.each(['"><script>alert(1)</script>', "<b>", "&amp;", "'\"`", "\u0000", "x".repeat(5_000), "日本語"])(
    "shows what was typed as text: %j",
    async (username) => {
      const answer = await sent({ username, password: "wrong-secret" });
      expect(answer.text.replace(`<script>${pendingScript}</script>`, "")).not.toMatch(/<script|<b>/);
      expectTrouble(answer, "Incorrect username or password.", "password");
    },
  );

  it("can be sent again, and then connects", async () => {
    const application = await newApplication();
    const first = await openForm(application);
    const again = formOf(await sendForm(first, { ...anna(), password: "wrong-secret" }));
    expect(returnedTo(await sendForm({ ...again, cookie: first.cookie }, anna())).searchParams.has("code")).toBe(true);
  });

  it("speaks the language that was asked for", async () => {
    const form = await openForm(await newApplication(), { locale: "ja" });
    const answer = await sendForm(form, { ...anna(), password: "wrong-secret" });
    expect(answer.text).toContain('<html lang="ja">');
    expect(answer.text).toContain("ユーザー名またはパスワードが正しくありません");
  });
});

describe("too many tries", () => {
  const tries = (form: OpenForm, username: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => sendForm(form, { username, password: "wrong-secret" })));

  it("are more than 10 with one user name, whatever its case; one more every 20 seconds", async () => {
    const clock = fakeClock();
    const form = await openForm(await newApplication());
    const username = `${randomBytes(6).toString("hex")}@acme.io`;
    const first = await tries(form, username, 10);
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
    provider.asked.length = 0;
    const refused = await sendForm(form, { username: username.toUpperCase(), password: "wrong-secret" });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("20");
    expect(refused.text).toContain("Too many attempts");
    expect(provider.asked).toEqual([]);
    expect((await sendForm(form, { ...anna(), password: "wrong-secret" })).status).toBe(200);
    clock.advance(REFILL_MS);
    expect((await tries(form, username, 2)).map(({ status }) => status).sort()).toEqual([200, 429]);
  });

  it("are more than 60 from one socket address, whoever they are for", async () => {
    const clock = fakeClock();
    clock.advance(60_000);
    const form = await openForm(await newApplication());
    const names = Array.from({ length: 61 }, () => `${randomBytes(6).toString("hex")}@acme.io`);
    const answers = await Promise.all(names.map((name) => tries(form, name, 1)));
    const statuses = answers.flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe("400", () => {
  async function expectTooOld(answer: ApiResponse, application: Application): Promise<void> {
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("This page has expired");
    const [again, back] = links(answer);
    expect((await call("GET", again ?? "")).status).toBe(200);
    expect(back).toBe(CANCELLED);
    expect((await storedRows(application)).profiles).toEqual([]);
  }

  it("is the answer to a form that another site or another browser sent: without the cookie, or with another", async () => {
    const application = await newApplication();
    const form = await openForm(application);
    const other = await openForm(application);
    expect(other.cookie).not.toBe(form.cookie);
    for (const cookie of ["", other.cookie, "almanac-connect="]) {
      await expectTooOld(await sendForm({ ...form, cookie }, anna()), application);
    }
  });

  it("is the answer to a form that is older than 30 minutes", async () => {
    const clock = fakeClock();
    const application = await newApplication();
    const form = await openForm(application);
    clock.advance(PAGE_LIFE_MS);
    await expectTooOld(await sendForm(form, anna()), application);
  });

  it("is the answer when the redirect URI was taken back in the meantime", async () => {
    const application = await newApplication();
    const form = await openForm(application);
    await dropRedirectUris(await applicationId(application));
    const answer = await sendForm(form, anna());
    expect(answer.status).toBe(400);
    expect(links(answer)).toEqual([]);
  });

  it("is the answer to what is not the form, and 413 to what is too long", async () => {
    const { fields, cookie } = await openForm(await newApplication());
    const all = { ...fields, ...anna() };
    const headers = { cookie };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(all)) multipart.set(name, value);
    expect((await call("POST", "/oauth/authorize", { json: all, headers })).status).toBe(400);
    expect((await call("POST", "/oauth/authorize", { body: multipart, headers })).status).toBe(400);
    expect((await call("POST", "/oauth/authorize", { headers })).status).toBe(400);
    expect(
      (await call("POST", "/oauth/authorize", { form: { ...all, provider_name: "google" }, headers })).status,
    ).toBe(400);
    const padding = "x".repeat(70_000);
    expect((await call("POST", "/oauth/authorize", { form: { ...all, padding }, headers })).status).toBe(413);
  });
});
