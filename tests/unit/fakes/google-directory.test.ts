import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GoogleFake } from "../../fakes/google/google";
import type { ServiceAccount } from "../../fakes/google/service-accounts";
import { clientWith, failure, meeting } from "./google-client";
import { actingAs, CALENDAR, MEMBERS, organization, RESOURCES, USERS } from "./google-organizations";

let google: GoogleFake;
let service: ServiceAccount;

beforeEach(async () => {
  ({ google, service } = await organization());
});
afterEach(() => google.close());

/** A GET of the Directory API, by Ada if nobody else is named. */
async function get(path: string, scope: string, sub = "ada@example.com") {
  const authorization = `Bearer ${await actingAs(google, service.key, sub, scope)}`;
  const response = await fetch(`${google.origin}/admin/directory/v1${path}`, { headers: { authorization } });
  return { status: response.status, body: await response.json() };
}

const refusal = (status: number, reason: string, message: string) => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: "global", reason, message }] } },
});
const notAuthorized = refusal(403, "forbidden", "Not Authorized to access this resource/api");

describe("users", () => {
  it("are found by address, alias and id", async () => {
    const { sub } = google.account("bob@example.com");
    const bob = {
      id: sub,
      primaryEmail: "bob@example.com",
      aliases: ["robert@example.com"],
      nonEditableAliases: ["bob@example.com.test-google-a.com"],
      name: { fullName: "Bob" },
      suspended: false,
      archived: false,
      isMailboxSetup: true,
    };
    for (const key of ["bob@example.com", "ROBERT@example.com", sub]) {
      expect(await get(`/users/${encodeURIComponent(key)}`, USERS)).toMatchObject({ status: 200, body: bob });
    }
    const { body } = await get("/users/ada@example.com?fields=primaryEmail,name(fullName)", USERS);
    expect(body).toEqual({ primaryEmail: "ada@example.com", name: { fullName: "Ada Lovelace" } });
  });

  it("say that they are suspended", async () => {
    google.account("bob@example.com").suspend();
    expect((await get("/users/bob@example.com", USERS)).body).toMatchObject({ suspended: true });
  });

  it("404 for nobody, and 403 for who is of another organization", async () => {
    const unknown = refusal(404, "notFound", "Resource Not Found: userKey");
    expect(await get("/users/nobody@example.com", USERS)).toEqual(unknown);
    expect(await get("/users/123", USERS)).toEqual(unknown);
    expect(await get("/users/eve@gmail.test", USERS)).toEqual(notAuthorized);
    expect(await get("/users/nobody@elsewhere.test", USERS)).toEqual(notAuthorized);
  });
});

describe("groups", () => {
  beforeEach(() => {
    google.addGroup("staff@example.com", ["robert@example.com", "admins@example.com"]);
    google.addGroup("admins@example.com", ["ada@example.com"]);
  });
  const isMember = (group: string, member: string) => get(`/groups/${group}/hasMember/${member}`, MEMBERS);

  it("know their members, also those of groups within", async () => {
    expect(await isMember("staff@example.com", "bob@example.com")).toEqual({ status: 200, body: { isMember: true } });
    expect(await isMember("staff@example.com", "ada@example.com")).toEqual({ status: 200, body: { isMember: true } });
    expect(await isMember("admins@example.com", google.account("bob@example.com").sub)).toEqual({
      status: 200,
      body: { isMember: false },
    });
  });

  it("404 for an unknown group or member", async () => {
    expect(await isMember("nothing@example.com", "bob@example.com")).toEqual(
      refusal(404, "notFound", "Resource Not Found: groupKey"),
    );
    expect(await isMember("staff@example.com", "nobody@example.com")).toEqual(
      refusal(404, "notFound", "Resource Not Found: memberKey"),
    );
  });
});

describe("resources", () => {
  it("lists rooms and other resources, page by page", async () => {
    const { id } = google.addRoom({ name: "Turing", capacity: 8, building: "Head Office", floor: "2" });
    google.addRoom({ name: "Beamer", capacity: 0, building: "Annex", category: "OTHER" });
    google.addRoom({ name: "Elsewhere", capacity: 2, building: "Other", domain: "other.test" });
    const path = "/customer/my_customer/resources/calendars";
    const first = await get(`${path}?maxResults=1`, RESOURCES);
    expect(first.body.items).toEqual([
      {
        kind: "admin#directory#resources#calendars#CalendarResource",
        etags: expect.any(String),
        resourceId: expect.stringMatching(/^\d{11}$/),
        resourceName: "Turing",
        generatedResourceName: "head-office-2-Turing (8)",
        resourceEmail: id,
        resourceCategory: "CONFERENCE_ROOM",
        capacity: 8,
        buildingId: "head-office",
        floorName: "2",
      },
    ]);
    const { body } = await get(`${path}?maxResults=1&pageToken=${first.body.nextPageToken}`, RESOURCES);
    expect(body.items).toMatchObject([{ resourceName: "Beamer", resourceCategory: "OTHER" }]);
    expect(body).not.toHaveProperty("nextPageToken");
    expect((await get(`${path}?maxResults=501`, RESOURCES)).status).toBe(400);
  });

  it("lists the buildings", async () => {
    google.addRoom({ name: "Turing", capacity: 8, building: "Head Office" });
    google.addRoom({ name: "Hopper", capacity: 4, building: "Head Office" });
    google.addRoom({ name: "Noether", capacity: 4, building: "Annex" });
    const { body } = await get("/customer/my_customer/resources/buildings?maxResults=500", RESOURCES);
    expect(body.buildings).toMatchObject([
      { buildingId: "head-office", buildingName: "Head Office" },
      { buildingId: "annex", buildingName: "Annex" },
    ]);
  });
});

describe("access", () => {
  const paths: [string, string][] = [
    ["/users/bob@example.com", USERS],
    ["/groups/staff@example.com/hasMember/bob@example.com", MEMBERS],
    ["/customer/my_customer/resources/calendars", RESOURCES],
    ["/customer/my_customer/resources/buildings", RESOURCES],
  ];

  it.each(paths)("403 for %s without its scope, as Google's newer errors say it", async (path) => {
    expect(await get(path, CALENDAR)).toMatchObject({
      status: 403,
      body: {
        error: {
          message: "Request had insufficient authentication scopes.",
          errors: [{ reason: "insufficientPermissions" }],
          status: "PERMISSION_DENIED",
          details: [{ reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }],
        },
      },
    });
  });

  it.each(paths)("403 for %s to who is no administrator", async (path, scope) => {
    expect(await get(path, scope, "bob@example.com")).toEqual(notAuthorized);
  });

  it("401 without a valid token, and 404 for other paths", async () => {
    expect((await fetch(`${google.origin}/admin/directory/v1/users/bob@example.com`)).status).toBe(401);
    expect((await get("/users", USERS)).status).toBe(404);
  });
});

describe("the calendar of a room", () => {
  const clientOf = async (sub: string) => clientWith(google, await actingAs(google, service.key, sub, CALENDAR));

  it("is read, written, watched and asked for free time by an administrator, though it is in no list", async () => {
    const room = google.addRoom({ name: "Turing", capacity: 8, building: "Head Office" });
    const api = await clientOf("ada@example.com");
    const calendarId = room.id;
    expect(calendarId).toMatch(/^c_[0-9a-f]{44}@resource\.calendar\.google\.com$/);
    expect((await api.calendarList.list()).data.items).toHaveLength(1);
    expect(await failure(api.calendarList.get({ calendarId }))).toEqual({ status: 404, reason: "notFound" });
    const { data: event } = await api.events.insert({ calendarId, requestBody: meeting() });
    expect(event.organizer).toMatchObject({ email: calendarId, displayName: "Turing", self: true });
    const eventId = event.id ?? "";
    await api.events.patch({ calendarId, eventId, requestBody: { summary: "Moved" } });
    expect(room.event(eventId)).toMatchObject({ summary: "Moved" });
    const { data: list } = await api.events.list({ calendarId });
    expect(list).toMatchObject({ accessRole: "owner", items: [{ id: eventId }], nextSyncToken: expect.any(String) });
    const { origin } = google;
    const requestBody = { id: "channel-1", type: "web_hook", address: `${origin}/nowhere` };
    expect((await api.events.watch({ calendarId, requestBody })).data.resourceId).toEqual(expect.any(String));
  });

  it("shows the others of the organization when it is taken, and nobody else anything", async () => {
    const room = google.addRoom({ name: "Turing", capacity: 8, building: "Head Office" });
    room.putEvent(meeting());
    const bob = await clientOf("bob@example.com");
    const { data } = await bob.events.list({ calendarId: room.id });
    expect(data).toMatchObject({ accessRole: "freeBusyReader" });
    expect(data.items?.[0]).not.toHaveProperty("summary");
    const insert = bob.events.insert({ calendarId: room.id, requestBody: meeting() });
    expect(await failure(insert)).toEqual({ status: 403, reason: "requiredAccessLevel" });
    const eve = clientWith(google, google.accessToken("eve@gmail.test"));
    expect(await failure(eve.events.list({ calendarId: room.id }))).toEqual({ status: 404, reason: "notFound" });
  });
});

describe("free time", () => {
  it("joins what touches, and leaves out what is cancelled or transparent", async () => {
    const room = google.addRoom({ name: "Turing", capacity: 8, building: "Head Office" });
    const at = (start: string, end: string) => ({ start: { dateTime: start }, end: { dateTime: end } });
    room.putEvent(at("2027-03-01T09:00:00Z", "2027-03-01T10:00:00Z"));
    room.putEvent(at("2027-03-01T10:00:00Z", "2027-03-01T11:00:00Z"));
    room.putEvent({ ...at("2027-03-01T12:00:00Z", "2027-03-01T13:00:00Z"), transparency: "transparent" });
    room.deleteEvent(room.putEvent(at("2027-03-01T14:00:00Z", "2027-03-01T15:00:00Z")));
    const daily = room.putEvent({
      ...at("2027-03-01T16:00:00Z", "2027-03-01T17:00:00Z"),
      recurrence: ["RRULE:FREQ=DAILY;COUNT=3"],
    });
    room.deleteOccurrence(daily, { dateTime: "2027-03-02T16:00:00Z" });
    const api = clientWith(google, await actingAs(google, service.key, "ada@example.com", CALENDAR));
    const [timeMin, timeMax] = ["2027-03-01T09:30:00Z", "2027-03-03T16:30:00Z"];
    const items = [{ id: room.id }, { id: "eve@gmail.test" }];
    const { data } = await api.freebusy.query({ requestBody: { timeMin, timeMax, items } });
    expect(data.calendars).toEqual({
      [room.id]: {
        busy: [
          { start: "2027-03-01T09:30:00Z", end: "2027-03-01T11:00:00Z" },
          { start: "2027-03-01T16:00:00Z", end: "2027-03-01T17:00:00Z" },
          { start: "2027-03-03T16:00:00Z", end: "2027-03-03T16:30:00Z" },
        ],
      },
      "eve@gmail.test": { errors: [{ domain: "global", reason: "notFound" }], busy: [] },
    });
  });

  it("400 without a span, or with one that is empty", async () => {
    const api = clientWith(google, await actingAs(google, service.key, "ada@example.com", CALENDAR));
    const [timeMin, timeMax] = ["2027-03-01T09:00:00Z", "2027-03-02T09:00:00Z"];
    const query = (requestBody: object) => failure(api.freebusy.query({ requestBody }));
    expect(await query({ timeMin })).toEqual({ status: 400, reason: "required" });
    expect(await query({ timeMin: timeMax, timeMax: timeMin })).toEqual({ status: 400, reason: "timeRangeEmpty" });
    expect(await query({ timeMin: "today", timeMax })).toEqual({ status: 400, reason: "invalid" });
  });
});
