import { auth, calendar, type calendar_v3 } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { failure, officialClient } from "./google-client";

let google: GoogleFake;
let api: calendar_v3.Calendar;

beforeEach(async () => {
  google = await startGoogle({ accounts: [{ email: "ada@example.com" }, { email: "bob@example.com" }] });
  api = officialClient(google);
});
afterEach(() => google.close());

const list = async (parameters: calendar_v3.Params$Resource$Calendarlist$List = {}) =>
  (await api.calendarList.list(parameters)).data;
const ids = ({ items = [] }: calendar_v3.Schema$CalendarList) => items.map(({ id }) => id);

describe("credentials", () => {
  it("401 authError with WWW-Authenticate for an unknown and an expired token", async () => {
    const unknown = await fetch(`${google.origin}/calendar/v3/users/me/calendarList`, {
      headers: { authorization: "Bearer nonsense" },
    });
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get("www-authenticate")).toMatch(/^Bearer realm=/);
    google.advance(3600 * 1000);
    expect(await failure(api.calendarList.list())).toEqual({ status: 401, reason: "authError" });
  });

  it("401 after the user revoked the consent", async () => {
    google.revokeConsent("ada@example.com");
    expect(await failure(api.calendarList.list())).toEqual({ status: 401, reason: "authError" });
  });

  it("403 insufficientPermissions without the scope", async () => {
    const events = officialClient(google, "ada@example.com", ["https://www.googleapis.com/auth/calendar.events"]);
    expect(await failure(events.calendarList.list())).toEqual({ status: 403, reason: "insufficientPermissions" });
    expect((await events.events.list({ calendarId: "primary" })).status).toBe(200);
    const readOnly = officialClient(google, "ada@example.com", ["https://www.googleapis.com/auth/calendar.readonly"]);
    const insert = readOnly.events.insert({ calendarId: "primary", requestBody: {} });
    expect(await failure(insert)).toEqual({ status: 403, reason: "insufficientPermissions" });
  });

  it("lets google-auth's client exchange a code and refresh by itself after a 401", async () => {
    google.knobs.consent = "given";
    const client = new auth.OAuth2({
      clientId: google.client.id,
      clientSecret: google.client.secret,
      redirectUri: google.client.redirectUris[0] ?? "",
      forceRefreshOnFailure: true,
      endpoints: {
        oauth2AuthBaseUrl: `${google.origin}/o/oauth2/v2/auth`,
        oauth2TokenUrl: `${google.origin}/token`,
        oauth2RevokeUrl: `${google.origin}/revoke`,
      },
    });
    const scope = ["openid", "email", "https://www.googleapis.com/auth/calendar"];
    const address = client.generateAuthUrl({ access_type: "offline", prompt: "consent", scope });
    const back = new URL((await fetch(address, { redirect: "manual" })).headers.get("location") ?? "");
    client.setCredentials((await client.getToken(back.searchParams.get("code") ?? "")).tokens);
    const own = calendar({ version: "v3", auth: client, rootUrl: `${google.origin}/`, retry: false });
    google.advance(3600 * 1000);
    expect((await own.calendarList.list()).data.items).toHaveLength(1);
    expect(google.requests.filter(({ path }) => path === "/token")).toHaveLength(2);
  });
});

describe("calendarList.list", () => {
  it("describes the primary calendar", async () => {
    const { kind, items } = await list();
    expect(kind).toBe("calendar#calendarList");
    expect(items?.[0]).toMatchObject({
      kind: "calendar#calendarListEntry",
      id: "ada@example.com",
      primary: true,
      accessRole: "owner",
      timeZone: "Europe/Berlin",
      selected: true,
      conferenceProperties: { allowedConferenceSolutionTypes: ["hangoutsMeet"] },
    });
    expect(items?.[0]?.etag).toMatch(/^".+"$/);
    expect(items?.[0]).not.toHaveProperty("hidden");
  });

  it("shows hidden and deleted entries on request alone", async () => {
    const ada = google.account("ada@example.com");
    const [hidden, deleted] = [ada.addCalendar({ summary: "Hidden" }), ada.addCalendar({ summary: "Gone" })];
    ada.changeEntry(hidden, { hidden: true, summaryOverride: "My words" });
    ada.removeCalendar(deleted);
    expect(ids(await list())).toEqual(["ada@example.com"]);
    expect(ids(await list({ showHidden: true }))).toEqual(["ada@example.com", hidden]);
    const all = await list({ showHidden: true, showDeleted: true });
    expect(all.items?.[1]).toMatchObject({ hidden: true, summaryOverride: "My words", summary: "Hidden" });
    expect(all.items?.[2]).toMatchObject({ id: deleted, deleted: true });
  });

  it("restricts by minAccessRole", async () => {
    google
      .account("ada@example.com")
      .addSharedCalendar({ owner: "bob@example.com", summary: "Bob's", accessRole: "reader" });
    expect(ids(await list({ minAccessRole: "writer" }))).toEqual(["ada@example.com"]);
    expect((await list({ minAccessRole: "writer" })).nextSyncToken).toBeUndefined();
  });

  it("pages, with a sync token on the last page only", async () => {
    google.account("ada@example.com").addCalendar({ summary: "Second" });
    const first = await list({ maxResults: 1 });
    expect(first.items).toHaveLength(1);
    expect(first.nextSyncToken).toBeUndefined();
    const second = await list({ maxResults: 1, pageToken: first.nextPageToken ?? "" });
    expect(second.nextPageToken).toBeUndefined();
    expect(second.nextSyncToken).toBeDefined();
    expect(await failure(list({ pageToken: "nonsense" }))).toEqual({ status: 400, reason: "invalid" });
  });

  it("returns after a sync token what changed in the list, deleted and hidden entries included", async () => {
    const ada = google.account("ada@example.com");
    const [one, other] = [ada.addCalendar({ summary: "One" }), ada.addCalendar({ summary: "Other" })];
    const { nextSyncToken } = await list();
    const syncToken = nextSyncToken ?? "";
    expect(ids(await list({ syncToken }))).toEqual([]);
    ada.changeEntry(one, { hidden: true });
    ada.removeCalendar(other);
    expect((await list({ syncToken })).items).toMatchObject([
      { id: one, hidden: true },
      { id: other, deleted: true },
    ]);
  });

  it("returns no entry of which read-only fields alone changed", async () => {
    const ada = google.account("ada@example.com");
    const id = ada.addSharedCalendar({ owner: "bob@example.com", summary: "Bob's", accessRole: "writer" });
    const { nextSyncToken } = await list();
    ada.changeAccess(id, "reader");
    ada.changeCalendar(id, { summary: "New" });
    expect(ids(await list({ syncToken: nextSyncToken ?? "" }))).toEqual([]);
    expect((await list()).items?.[1]).toMatchObject({ accessRole: "reader", summary: "New" });
  });

  it.each([
    ["minAccessRole", { minAccessRole: "writer" }],
    ["showOwnOrganizationOnly", { showOwnOrganizationOnly: true }],
    ["showDeleted=false", { showDeleted: false }],
    ["showHidden=false", { showHidden: false }],
  ])("400 for a sync token with %s", async (_, parameters) => {
    const syncToken = (await list()).nextSyncToken ?? "";
    expect(await failure(list({ syncToken, ...parameters }))).toMatchObject({ status: 400 });
  });

  it("410 fullSyncRequired for an expired sync token", async () => {
    const syncToken = (await list()).nextSyncToken ?? "";
    google.account("ada@example.com").expireListSyncTokens();
    expect(await failure(list({ syncToken }))).toEqual({ status: 410, reason: "fullSyncRequired" });
    expect(ids(await list({ syncToken: (await list()).nextSyncToken ?? "" }))).toEqual([]);
  });
});

describe("calendarList.get", () => {
  it("returns an entry, 404 for a calendar that is not in the list", async () => {
    expect((await api.calendarList.get({ calendarId: "primary" })).data.id).toBe("ada@example.com");
    expect(await failure(api.calendarList.get({ calendarId: "bob@example.com" }))).toEqual({
      status: 404,
      reason: "notFound",
    });
  });
});
