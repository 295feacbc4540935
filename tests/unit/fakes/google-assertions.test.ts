import { auth } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GoogleFake } from "../../fakes/google/google";
import type { ServiceAccount } from "../../fakes/google/service-accounts";
import { clientWith, failure, meeting } from "./google-client";
import { actingAs, assertion, CALENDAR, exchanged, organization, USERS } from "./google-organizations";

let google: GoogleFake;
let service: ServiceAccount;

beforeEach(async () => {
  ({ google, service } = await organization());
});
afterEach(() => google.close());

const now = () => Math.floor(Date.now() / 1000);
const ask = async (sub = "bob@example.com", scope = CALENDAR, more = {}) =>
  await exchanged(google, await assertion(service.key, sub, scope, more));
const refusal = (error: string, error_description: string, status = 400) => ({
  status,
  body: { error, error_description },
});
const unauthorized = refusal(
  "unauthorized_client",
  "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
  401,
);
const unknownUser = refusal("invalid_grant", "Invalid email or User ID");
const badSignature = refusal("invalid_grant", "Invalid JWT Signature.");
const outOfTime = refusal(
  "invalid_grant",
  "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values and use a clock with skew to account for clock differences between systems.",
);

describe("the key of a service account", () => {
  it("has the fields of the file that Google gives out", () => {
    expect(service.key).toEqual({
      type: "service_account",
      project_id: expect.any(String),
      private_key_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
      client_email: expect.stringMatching(/@[\w-]+\.iam\.gserviceaccount\.com$/),
      client_id: expect.stringMatching(/^\d{21}$/),
      token_uri: `${google.origin}/token`,
    });
  });

  it("is accepted from Google's own client, which names no kid", async () => {
    const { client_email: email, private_key: key } = service.key;
    const own = new auth.JWT({ email, key, scopes: [CALENDAR], subject: "bob@example.com" });
    const { transporter } = own;
    const request = transporter.request.bind(transporter);
    transporter.request = (options) => request({ ...options, url: new URL(`${google.origin}/token`) });
    expect((await own.authorize()).access_token).toMatch(/^ya29\./);
  });
});

describe("an assertion", () => {
  it("gets an access token, and neither a refresh token nor an ID token", async () => {
    expect(await ask()).toEqual({
      status: 200,
      body: { access_token: expect.stringMatching(/^ya29\./), expires_in: 3599, token_type: "Bearer" },
    });
  });

  it("may name Google's own address as its audience, and no other", async () => {
    expect((await ask(undefined, CALENDAR, { aud: "https://oauth2.googleapis.com/token" })).status).toBe(200);
    expect(await ask(undefined, CALENDAR, { aud: "https://example.com/token" })).toEqual(
      refusal("invalid_grant", "Invalid JWT: Failed audience check."),
    );
  });

  it("is refused if its signature, its kid or its form is wrong", async () => {
    const [header, , signature] = (await assertion(service.key, "bob@example.com", CALENDAR)).split(".");
    const [, claims] = (await assertion(service.key, "ada@example.com", CALENDAR)).split(".");
    expect(await exchanged(google, `${header}.${claims}.${signature}`)).toEqual(badSignature);
    expect(await ask(undefined, CALENDAR, { kid: "another" })).toEqual(badSignature);
    expect(await exchanged(google, "nonsense")).toEqual(badSignature);
  });

  it("is refused after the key was deleted", async () => {
    service.deleteKey();
    expect(await ask()).toEqual(badSignature);
  });

  it("is refused of an unknown service account", async () => {
    expect(await ask(undefined, CALENDAR, { iss: "nobody@almanac.iam.gserviceaccount.com" })).toEqual(
      refusal("invalid_grant", "Invalid grant: account not found"),
    );
  });

  it.each<[string, () => object]>([
    ["expired", () => ({ iat: now() - 4000, exp: now() - 400 })],
    ["lives longer than an hour", () => ({ exp: now() + 3700 })],
    ["is of the future", () => ({ iat: now() + 600, exp: now() + 900 })],
    ["has no end", () => ({ exp: undefined })],
  ])("is refused if it %s", async (_, claims) => {
    expect(await ask(undefined, CALENDAR, claims())).toEqual(outOfTime);
  });

  it("works with a clock that is a little wrong", async () => {
    expect((await ask(undefined, CALENDAR, { iat: now() + 60, exp: now() + 3660 })).status).toBe(200);
    expect((await ask(undefined, CALENDAR, { iat: now() - 3660, exp: now() - 60 })).status).toBe(200);
  });

  it("is refused without scopes", async () => {
    expect(await ask(undefined, "")).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });

  it("is refused if one of its scopes is not delegated, until it is", async () => {
    const settings = "https://www.googleapis.com/auth/calendar.settings.readonly";
    expect(await ask(undefined, `${CALENDAR} ${settings}`)).toEqual(unauthorized);
    service.scopes.add(settings);
    expect((await ask(undefined, `${CALENDAR} ${settings}`)).status).toBe(200);
  });

  it("is refused once the delegation is withdrawn", async () => {
    service.withdraw();
    expect(await ask()).toEqual(unauthorized);
  });

  it("is refused for nobody, for an alias, and for a user whom the administrator cannot delegate", async () => {
    expect(await ask("nobody@example.com")).toEqual(unknownUser);
    expect(await ask("nobody@elsewhere.test")).toEqual(unknownUser);
    expect(await ask("robert@example.com")).toEqual(unknownUser);
    expect(await ask("eve@gmail.test")).toEqual(unauthorized);
  });

  it("is refused for a suspended user, whose tokens end too, until the user is restored", async () => {
    const bob = clientWith(google, await actingAs(google, service.key, "bob@example.com", CALENDAR));
    google.account("bob@example.com").suspend();
    expect(await ask()).toEqual(unknownUser);
    expect(await failure(bob.calendarList.list())).toEqual({ status: 401, reason: "authError" });
    google.account("bob@example.com").restore();
    expect((await ask()).status).toBe(200);
    expect((await bob.calendarList.list()).status).toBe(200);
  });
});

describe("a token of an assertion", () => {
  it("opens the calendar of the user: reads, syncs, creates, changes and deletes", async () => {
    const { primary } = google.account("bob@example.com");
    const theirs = primary.putEvent(meeting({ summary: "Theirs" }));
    const api = clientWith(google, await actingAs(google, service.key, "bob@example.com", CALENDAR));
    const { data: calendars } = await api.calendarList.list();
    expect(calendars.items).toMatchObject([{ id: "bob@example.com", primary: true, accessRole: "owner" }]);
    const { data: first } = await api.events.list({ calendarId: "primary" });
    expect(first.items?.map(({ id }) => id)).toEqual([theirs]);
    const { data: event } = await api.events.insert({ calendarId: "primary", requestBody: meeting() });
    expect(event).toMatchObject({ creator: { email: "bob@example.com", self: true }, organizer: { self: true } });
    const eventId = event.id ?? "";
    await api.events.patch({ calendarId: "primary", eventId, requestBody: { summary: "Moved" } });
    expect(primary.event(eventId)).toMatchObject({ summary: "Moved" });
    await api.events.delete({ calendarId: "primary", eventId });
    const { data: second } = await api.events.list({ calendarId: "primary", syncToken: first.nextSyncToken ?? "" });
    expect(second.items).toMatchObject([{ id: eventId, status: "cancelled" }]);
  });

  it("opens nothing beyond its scopes", async () => {
    const api = clientWith(google, await actingAs(google, service.key, "bob@example.com", USERS));
    expect(await failure(api.calendarList.list())).toEqual({ status: 403, reason: "insufficientPermissions" });
  });

  it("gets 403 notACalendarUser once Google Calendar is off for the user", async () => {
    const api = clientWith(google, await actingAs(google, service.key, "bob@example.com", CALENDAR));
    google.account("bob@example.com").removeCalendarService();
    expect(await failure(api.calendarList.list())).toEqual({ status: 403, reason: "notACalendarUser" });
    expect(await failure(api.events.list({ calendarId: "primary" }))).toMatchObject({ status: 403 });
  });
});

it("refreshes nothing for a suspended user who consented", async () => {
  google.knobs.consent = "given";
  const { id, secret, redirectUris } = google.client;
  const address = new URL(`${google.origin}/o/oauth2/v2/auth`);
  const redirect_uri = redirectUris[0] ?? "";
  const asked = { client_id: id, redirect_uri, response_type: "code", scope: CALENDAR, access_type: "offline" };
  address.search = new URLSearchParams({ ...asked, login_hint: "bob@example.com" }).toString();
  const back = new URL((await fetch(address, { redirect: "manual" })).headers.get("location") ?? "");
  const token = async (parameters: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: id, client_secret: secret, ...parameters });
    return (await (await fetch(`${google.origin}/token`, { method: "POST", body })).json()) as Record<string, string>;
  };
  const code = back.searchParams.get("code") ?? "";
  const { refresh_token = "" } = await token({ grant_type: "authorization_code", code, redirect_uri });
  google.account("bob@example.com").suspend();
  expect(await token({ grant_type: "refresh_token", refresh_token })).toMatchObject({ error: "invalid_grant" });
});
