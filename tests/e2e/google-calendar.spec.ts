import { type APIRequestContext, expect, type Page, type TestInfo, test } from "@playwright/test";
import type { CalendarState } from "../fakes/google/calendar-state";
import type { Got } from "../fakes/receiver";
import { credentials } from "./api";
import { consentAtGoogle, type GoogleService, startGoogleService } from "./google-service";
import { tabTo } from "./keyboard";
import { ADA, BEN, CAROL } from "./provider-service";
import { look, picture } from "./sound";

/** Patience, not a promise: each wait ends with what it waits for. Refused credentials are tried once more after half a minute. */
const WITHIN_MS = 120_000;

let at: GoogleService;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  at = await startGoogleService();
});
test.afterAll(() => at?.end());
test.beforeEach(() => at.google.faults.clear());

const GOOGLE_DOWN = "Google isn’t responding right now. Nothing was connected. Try again in a few minutes.";
/** What Google says of a code that is too old, or was used. */
const expiredCode = { status: 400, body: { error: "invalid_grant", error_description: "Bad Request" } };

test("a Google calendar is connected, written to, changed elsewhere, disconnected and connected again", async ({
  page,
}, info) => {
  test.setTimeout(600_000);
  const { google, api, receiver } = at;
  const { primary } = google.account(ADA);
  const team = google.calendar(google.account(ADA).addCalendar({ summary: "Team" }));
  google.account(ADA).addSharedCalendar({ summary: "Holidays", owner: BEN, accessRole: "reader" });
  primary.putEvent({ summary: "Stand-up", ...times(8) });

  await page.goto(at.authorize());
  await look(page, info, "choice");
  const first = await connectByKeyboard(page, info);
  expect(first.linking_profile).toMatchObject({ provider_name: "google", profile_name: ADA });
  const { calendars } = await api(first.access_token, "GET", "/v1/calendars");
  expect(calendars.map(listed)).toEqual([
    { name: ADA, readonly: false, primary: true, meetings: true },
    { name: "Team", readonly: false, primary: false, meetings: true },
    { name: "Holidays", readonly: true, primary: false, meetings: false },
  ]);
  const [personal, shared] = calendars.map(({ calendar_id }: { calendar_id: string }) => calendar_id);
  await expect
    .poll(async () => (await profileOf(first)).profile_initial_sync_required, { timeout: WITHIN_MS })
    .toBe(false);
  expect(await summaries(first)).toEqual(["Stand-up"]);
  const [standUp] = await events(first);
  // changes_since is in whole seconds: what comes later is not to share one with this.
  await expect
    .poll(() => Math.floor(Date.now() / 1_000))
    .toBeGreaterThan(Math.floor(Date.parse(standUp.updated) / 1_000));
  await expect.poll(() => google.channels.length).toBe(4); // one for each calendar, and one for their list
  const of = await openChannel(first, "/everything", {});
  const ofShared = await openChannel(first, "/shared", { calendar_ids: [shared] });
  const lists = () => google.requests.filter(({ path }) => path.endsWith("/calendarList")).length;
  const listsBefore = lists();

  await write(first, shared, "retreat");
  await expect.poll(() => titled("Our retreat", team), { timeout: WITHIN_MS }).toHaveLength(1);
  await expect.poll(() => readsSinceWrite(team), { timeout: WITHIN_MS }).toBeGreaterThan(0); // Google has notified us of it
  await write(first, personal, "review", { attendees: { invite: [{ email: "bob@example.com" }] } });
  await expect.poll(() => titled("Our review"), { timeout: WITHIN_MS }).toHaveLength(1);
  expect(google.outbox).toMatchObject([{ to: "bob@example.com", kind: "invitation", summary: "Our review" }]);
  await expect.poll(() => readsSinceWrite(primary), { timeout: WITHIN_MS }).toBeGreaterThan(0);

  const [id = ""] = titled("Our review");
  primary.changeEvent(id, { summary: "Their review" });
  const change = await receiver.next(of("change"), WITHIN_MS);
  const since = change.json.notification.changes_since;
  expect(await summaries(first, { since, calendar: personal })).toEqual(["Their review"]);
  expect(receiver.got.filter(of("change"))).toHaveLength(1);

  receiver.got.splice(0);
  primary.reply(id, "bob@example.com", "accepted");
  const reply = await receiver.next(of("change"), WITHIN_MS);
  const replied = { since: reply.json.notification.changes_since, calendar: personal };
  expect(await events(first, replied)).toMatchObject([
    { summary: "Their review", attendees: [{ email: "bob@example.com", status: "accepted" }] },
  ]);
  expect(lists()).toBe(listsBefore); // all of it by push: a poll begins with the list
  expect(writes()).toEqual(Array(2).fill(["POST", "all"]));

  google.revokeConsent(ADA);
  await write(first, personal, "pending");
  await receiver.next(of("profile_disconnected"), WITHIN_MS);
  expect(receiver.got.filter(ofShared("change"))).toEqual([]); // what we wrote ourselves
  expect(await profileOf(first)).toMatchObject({ profile_connected: false });
  expect((await api(first.access_token, "GET", "/v1/calendars")).calendars).toEqual(calendars);
  expect(await summaries(first)).toEqual(["Stand-up", "Their review", "Our pending", "Our retreat"]);
  expect(titled("Our pending")).toEqual([]);

  const second = await connectByKeyboard(page, info);
  expect(second.sub).toBe(first.sub);
  expect(second.linking_profile.profile_id).toBe(first.linking_profile.profile_id);
  expect((await api(second.access_token, "GET", "/v1/calendars")).calendars).toEqual(calendars);
  expect(await profileOf(second)).toMatchObject({ profile_connected: true });
  await expect.poll(() => titled("Our pending"), { timeout: WITHIN_MS }).toHaveLength(1);
  await expect.poll(() => google.channels.length).toBe(8);
  expect(writes()).toEqual(Array(3).fill(["POST", "all"]));
  receiver.got.splice(0);
  primary.changeEvent(id, { summary: "Seen again" });
  const seen = async () => {
    const { json } = await receiver.next(of("change"), WITHIN_MS);
    return await summaries(second, { since: json.notification.changes_since });
  };
  await expect.poll(seen, { timeout: WITHIN_MS }).toEqual(["Seen again"]);
  expect(receiver.got.filter(ofShared("change"))).toEqual([]);
  team.changeEvent(titled("Our retreat", team)[0] ?? "", { summary: "Their retreat" });
  await receiver.next(ofShared("change"), WITHIN_MS);
});

test("a user whose calendar at Google was not connected reads why, and tries again", async ({ page }, info) => {
  test.setTimeout(600_000);
  const { google } = at;
  const before = await at.counts();
  await page.goto(at.authorize({ provider_name: "google" }));
  await consentAtGoogle(page, BEN, /calendar\.events/);
  await expectTrouble(
    page,
    "You didn’t allow access to your Google calendars. Nothing was connected. Try again and select every permission.",
  );
  await look(page, info, "boxes-left-empty");

  google.faults.next({ path: /^\/token$/, respond: expiredCode });
  await tryAgain(page);
  await expectTrouble(page, "Your Google sign-in has expired. Nothing was connected. Try again.");
  await look(page, info, "code-expired");

  google.faults.next({ path: /^\/token$/, respond: "backendError" });
  await tryAgain(page);
  await expectTrouble(page, GOOGLE_DOWN);
  await look(page, info, "exchange-failed");

  // A kept connection is tried once more, a new one isn't.
  google.faults.next({ method: "GET", path: /calendarList/, times: 2, breakConnection: true });
  await tryAgain(page);
  await expectTrouble(page, GOOGLE_DOWN);
  await expect.poll(() => google.faults.left()).toBeLessThan(2);
  google.faults.clear();

  expect(await at.counts()).toEqual(before);
  await tabTo(page, page.getByRole("link", { name: "Google" }));
  await page.keyboard.press("Enter");
  await consentAtGoogle(page, BEN);
  await page.waitForURL("**/welcome?code=*&state=s-1");
});

test("a user whose language is German reads German when they are back from Google too", async ({ page }, info) => {
  await page.goto(at.authorize({ locale: "de", provider_name: "google" }));
  await consentAtGoogle(page, BEN, /calendarlist/);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expectTrouble(
    page,
    "Sie haben den Zugriff auf Ihre Google-Kalender nicht erlaubt. Es wurde nichts verbunden. Versuchen Sie es noch einmal und wählen Sie alle Berechtigungen aus.",
  );
  await look(page, info, "boxes-left-empty-de");
});

test("a user who declines at Google is back at the application, and nothing is stored", async ({ page }) => {
  const before = await at.counts();
  await page.goto(at.authorize({ provider_name: "google" }));
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL("**/welcome?error=access_denied&error_description=The%20user%20cancelled&state=s-1");
  await expect(page.getByRole("heading", { name: "Welcome back to Acme" })).toBeVisible();
  expect(await at.counts()).toEqual(before);
});

test("a sign-in that another browser began, that nobody began, or that was used connects nothing", async ({
  page,
  browser,
}, info) => {
  test.setTimeout(600_000);
  const callback = `${at.service.origin}/oauth/callback/google`;
  const attacker = await browser.newContext();
  const toGoogle = await redirectOf(attacker.request, at.authorize({ provider_name: "google" }));
  at.google.knobs.consent = "given";
  const theirs = await redirectOf(attacker.request, toGoogle);
  at.google.knobs.consent = "page";
  await attacker.close();
  const before = await at.counts();
  at.google.requests.length = 0;

  await page.goto(at.authorize());
  await page.goto(theirs);
  await expect(page.getByRole("heading", { name: "This page has expired" })).toBeVisible();
  await look(page, info, "another-browser");
  await page.goto(`${callback}?code=4%2F0abc&state=${"x".repeat(43)}`);
  await expect(page.getByRole("heading", { name: "This link doesn’t work" })).toBeVisible();
  await expect(page.getByText("This sign-in wasn’t started here, or it was started too long ago.")).toBeVisible();
  await look(page, info, "nobody-began-it");
  expect(at.google.requests.filter(({ path }) => path === "/token")).toEqual([]);
  expect(await at.counts()).toEqual(before);

  const ours = page.waitForRequest((request) => request.url().startsWith(callback));
  await page.goto(at.authorize({ provider_name: "google" }));
  await consentAtGoogle(page, BEN);
  await page.waitForURL("**/welcome?code=*");
  const connected = await at.counts();
  await page.goto((await ours).url());
  await expect(page.getByRole("alert")).toHaveText(
    "This Google sign-in was already used. If your calendar isn’t connected yet, try again.",
  );
  await look(page, info, "used-before");
  expect(await at.counts()).toEqual(connected);
});

test("a calendar account that somebody else has connected is not added, and another one is", async ({ page }, info) => {
  test.setTimeout(600_000);
  const { api } = at;
  await page.goto(at.authorize({ provider_name: "google" }));
  await consentAtGoogle(page, ADA);
  await page.waitForURL("**/welcome?code=*");
  const name = { ...credentials, application_calendar_id: "somebody-else" };
  const other = await api(null, "POST", "/v1/application_calendars", name);
  const { link_token } = await api(other.access_token, "POST", "/v1/link_tokens");
  at.google.knobs.signedIn = ADA;

  await page.goto(at.authorize({ link_token }));
  await expect(page.getByText("This calendar will be added to somebody-else")).toBeVisible();
  const before = await at.counts();
  await page.getByRole("link", { name: "Google" }).click();
  await consentAtGoogle(page, ADA);
  await expect(page.getByRole("heading", { name: "This calendar is already connected" })).toBeVisible();
  await look(page, info, "already-connected");
  expect(await at.counts()).toEqual(before);
  expect((await api(other.access_token, "GET", "/v1/profiles")).profiles).toHaveLength(1);

  await tabTo(page, page.getByRole("link", { name: "Use another account" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: "Google" }));
  await page.keyboard.press("Enter");
  await consentAtGoogle(page, CAROL);
  await page.waitForURL("**/welcome?code=*");
  await exchange(page);
  const { profiles } = await api(other.access_token, "GET", "/v1/profiles");
  expect(profiles.map(({ profile_name }: { profile_name: string }) => profile_name)).toContain(CAROL);
});

/** From the authorize URL to tokens with nothing but the keyboard, as somebody who is signed in at Google already. */
// biome-ignore lint/suspicious/noExplicitAny: the test looks into the documented JSON.
async function connectByKeyboard(page: Page, info: TestInfo): Promise<any> {
  await page.goto(at.authorize());
  await tabTo(page, page.getByRole("link", { name: "Google" }));
  await page.keyboard.press("Enter");
  for (const name of [/calendar\.events/, /calendar\.calendarlist\.readonly/]) {
    await tabTo(page, page.getByRole("checkbox", { name }));
    await page.keyboard.press("Space");
  }
  await picture(page, info, "consent-at-google");
  await tabTo(page, page.getByRole("button", { name: "Allow" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/welcome?code=*&state=s-1");
  return await exchange(page);
}

/** Tokens for the code that the application was given. */
async function exchange(page: Page) {
  const code = new URL(page.url()).searchParams.get("code");
  const redirect_uri = at.application.callback;
  return await at.api(null, "POST", "/oauth/token", {
    ...{ ...credentials, grant_type: "authorization_code", code, redirect_uri },
  });
}

/** What went wrong is said first, and in the title, which a screen reader reads when the page has come. */
async function expectTrouble(page: Page, sentence: string): Promise<void> {
  await expect(page.getByRole("alert")).toHaveText(sentence);
  expect(await page.title()).toBe(`${sentence} · Almanac`);
}

/** Once more from the page that says what went wrong. */
async function tryAgain(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Google" }).click();
  await consentAtGoogle(page, BEN);
}

async function redirectOf(client: APIRequestContext, url: string): Promise<string> {
  const response = await client.get(url, { maxRedirects: 0 });
  return response.headers().location ?? "";
}

interface Tokens {
  access_token: string;
}

async function profileOf({ access_token }: Tokens) {
  const { profiles } = await at.api(access_token, "GET", "/v1/profiles");
  return profiles[0];
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into the documented JSON.
const listed = (calendar: any) => ({
  name: calendar.calendar_name,
  readonly: calendar.calendar_readonly,
  primary: calendar.calendar_primary,
  meetings: calendar.calendar_integrated_conferencing_available,
});

const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const hour = (hours: number) => `${inTwoDays}T${String(hours).padStart(2, "0")}:00:00Z`;
/** An hour as Google writes it. */
const times = (hours: number) => ({ start: { dateTime: hour(hours) }, end: { dateTime: hour(hours + 1) } });

const hours: Record<string, number> = { review: 10, pending: 12, retreat: 14 };

async function write({ access_token }: Tokens, calendarId: string, event_id: string, more: object = {}) {
  const from = hours[event_id] ?? 0;
  const event = { event_id, summary: `Our ${event_id}`, description: "", start: hour(from), end: hour(from + 1) };
  await at.api(access_token, "POST", `/v1/calendars/${calendarId}/events`, { ...event, ...more });
}

interface Range {
  since?: string;
  calendar?: string;
}

async function events({ access_token }: Tokens, { since, calendar }: Range = {}) {
  const narrowed = { ...(since && { last_modified: since }), ...(calendar && { "calendar_ids[]": calendar }) };
  const query = { tzid: "Etc/UTC", include_managed: "true", ...narrowed };
  return (await at.api(access_token, "GET", `/v1/events?${new URLSearchParams(query)}`)).events;
}

async function summaries(tokens: Tokens, range?: Range): Promise<string[]> {
  return (await events(tokens, range)).map(({ summary }: { summary: string }) => summary);
}

/** The ids of events at Google, in Ada's own calendar unless another is given. */
function titled(title: string, calendar: Pick<CalendarState, "events"> = at.google.account(ADA).primary): string[] {
  const found = calendar.events().filter(({ summary }) => summary === title);
  return found.map(({ id }) => id ?? "");
}

const isWrite = ({ method, path }: { method: string; path: string }) =>
  method !== "GET" && /\/events(\/[^/]+)?$/.test(path) && !path.endsWith("/watch");

/** How each event was written that Google accepted, and whom it was to notify. */
function writes() {
  const accepted = at.google.requests.filter((request) => isWrite(request) && request.status === 200);
  return accepted.map(({ method, query }) => [method, query.sendUpdates]);
}

/** How often changes of a calendar were asked for since the last write. */
function readsSinceWrite({ id }: { id: string }): number {
  const { requests } = at.google;
  const since = requests.slice(requests.findLastIndex(isWrite));
  const path = `/calendar/v3/calendars/${id}/events`;
  return since.filter((request) => request.path === path && request.query.syncToken !== undefined).length;
}

/** Opens a channel, and returns what finds its notifications of a type among those that came. */
async function openChannel({ access_token }: Tokens, path: string, filters: object) {
  const callback_url = at.receiver.url(path);
  const { channel } = await at.api(access_token, "POST", "/v1/channels", { callback_url, filters });
  const of = (type: string) => (got: Got) =>
    got.json.channel.channel_id === channel.channel_id && got.json.notification.type === type;
  await at.receiver.next(of("verification"), WITHIN_MS);
  return of;
}
