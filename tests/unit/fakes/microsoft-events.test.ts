import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

type Shown = Event & { "@odata.etag": string };
const post = (event: Event): Promise<Shown> => api.api("/me/events").post(event);
const get = (id = "", prefer?: string): Promise<Shown> => {
  const request = api.api(`/me/events/${id}`);
  return (prefer ? request.header("Prefer", prefer) : request).get();
};
const patch = (id: string | undefined, changes: Event): Promise<Shown> => api.api(`/me/events/${id}`).patch(changes);

describe("creating an event", () => {
  it("returns everything that Graph's sample has", async () => {
    expect(await post(meeting({ location: { displayName: "Harry's Bar" } }))).toMatchObject({
      "@odata.etag": expect.stringMatching(/^W\/"/),
      subject: "Planning",
      originalStartTimeZone: "W. Europe Standard Time",
      isOrganizer: true,
      responseRequested: true,
      seriesMasterId: null,
      showAs: "busy",
      type: "singleInstance",
      importance: "normal",
      sensitivity: "normal",
      isOnlineMeeting: false,
      onlineMeetingProvider: "unknown",
      onlineMeeting: null,
      recurrence: null,
      responseStatus: { response: "organizer", time: "0001-01-01T00:00:00Z" },
      start: { dateTime: "2027-03-01T08:00:00.0000000", timeZone: "UTC" },
      end: { dateTime: "2027-03-01T09:00:00.0000000", timeZone: "UTC" },
      location: { displayName: "Harry's Bar", locationType: "default", uniqueIdType: "private" },
      locations: [{ displayName: "Harry's Bar" }],
      organizer: { emailAddress: { name: "Ada Lovelace", address: "ada@example.com" } },
      reminderMinutesBeforeStart: 15,
      isReminderOn: true,
    });
  });

  it("answers 201", async () => {
    await post(meeting());
    expect(microsoft.requests[0]).toMatchObject({ method: "POST", path: "/v1.0/me/events", status: 201 });
  });

  it("puts it into the calendar of the path", async () => {
    const id = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    await api.api(`/me/calendars/${id}/events`).post(meeting());
    expect(microsoft.calendar(id).events()).toHaveLength(1);
    await api.api("/me/calendar/events").post(meeting());
    expect(state.events()).toHaveLength(1);
  });

  it("has a change key that its etag quotes", async () => {
    const event = await post(meeting());
    expect(event["@odata.etag"]).toBe(`W/"${event.changeKey}"`);
  });

  it.each<[string, Event]>([
    ["without a start", { subject: "No time" }],
    ["with a time that is none", meeting({ start: { dateTime: "2027-02-30T09:00:00", timeZone: "UTC" } })],
    [
      "that ends before it begins",
      meeting({ end: { dateTime: "2027-03-01T08:00:00", timeZone: "W. Europe Standard Time" } }),
    ],
    ["with a subject of 256 characters", meeting({ subject: "x".repeat(256) })],
  ])("refuses one %s", async (_, event) => {
    expect(await failure(post(event))).toMatchObject({ status: 400 });
    expect(state.events()).toEqual([]);
  });

  it("refuses properties that the type does not have, and ignores what is read-only", async () => {
    const odd = { ...meeting(), colour: "red" } as Event;
    expect(await failure(post(odd))).toEqual({ status: 400, code: "RequestBodyRead" });
    const event = await post(meeting({ iCalUId: "mine", isOrganizer: false, type: "exception", webLink: "x" }));
    expect(event).toMatchObject({ isOrganizer: true, type: "singleInstance" });
    expect(event.iCalUId).not.toBe("mine");
  });

  it("refuses a body that is no JSON", async () => {
    const headers = { authorization: `Bearer ${microsoft.accessToken("ada@example.com")}` };
    const response = await fetch(`${microsoft.origin}/v1.0/me/events`, { method: "POST", headers, body: "{" });
    expect(response.status).toBe(400);
  });
});

describe("a transactionId", () => {
  const once = meeting({ transactionId: "7E163156-7762-4BEB-A1C6-729EA81755A7" });

  it("makes a repeated create return the same event", async () => {
    const first = await post(once);
    expect(first.transactionId).toBe(once.transactionId);
    expect((await post(once)).id).toBe(first.id);
    expect(state.events()).toHaveLength(1);
    expect(microsoft.outbox).toEqual([]);
  });

  it("is refused for another event, for one that was deleted, and always if the fake is told so", async () => {
    const refused = { status: 409, code: "ErrorDuplicateTransactionId" };
    const { id } = await post(once);
    expect(await failure(post({ ...once, subject: "Another" }))).toEqual(refused);
    microsoft.knobs.repeatedTransaction = "refused";
    expect(await failure(post(once))).toEqual(refused);
    microsoft.knobs.repeatedTransaction = "returned";
    await api.api(`/me/events/${id}`).delete();
    expect(await failure(post(once))).toEqual(refused);
  });

  it("cannot be changed, and is shown only where one was given", async () => {
    const { id } = await post(once);
    expect((await patch(id, { transactionId: "other" })).transactionId).toBe(once.transactionId);
    expect(await post(meeting())).not.toHaveProperty("transactionId");
  });
});

describe("changing an event", () => {
  it("leaves what the body does not name", async () => {
    const { id } = await post(meeting({ categories: ["Red category"], location: { displayName: "Room 1" } }));
    const after = await patch(id, { subject: "Review" });
    expect(after).toMatchObject({
      subject: "Review",
      categories: ["Red category"],
      location: { displayName: "Room 1" },
    });
    expect(after.start?.dateTime).toBe("2027-03-01T08:00:00.0000000");
  });

  it("gives it another change key and time of modification, and keeps its ids", async () => {
    const before = await post(meeting());
    microsoft.advance(1000);
    const after = await patch(before.id, { showAs: "oof" });
    expect(after.changeKey).not.toBe(before.changeKey);
    expect(after.lastModifiedDateTime).not.toBe(before.lastModifiedDateTime);
    expect([after.id, after.iCalUId, after.createdDateTime]).toEqual([
      before.id,
      before.iCalUId,
      before.createdDateTime,
    ]);
  });

  it("replaces prior locations by the new one", async () => {
    const { id } = await post(meeting({ locations: [{ displayName: "Room 1" }, { displayName: "Room 2" }] }));
    expect((await get(id)).location?.displayName).toBe("Room 1; Room 2");
    expect((await patch(id, { location: { displayName: "Room 3" } })).locations).toMatchObject([
      { displayName: "Room 3" },
    ]);
    expect((await patch(id, { location: null })).locations).toEqual([]);
  });

  it.each([
    ["showAs", ["free", "tentative", "busy", "oof", "workingElsewhere"]],
    ["sensitivity", ["normal", "personal", "private", "confidential"]],
    ["importance", ["low", "normal", "high"]],
  ])("takes each %s, and no other", async (name, values) => {
    const { id } = await post(meeting());
    for (const value of values) expect(await patch(id, { [name]: value })).toMatchObject({ [name]: value });
    expect(await failure(patch(id, { [name]: "sometimes" }))).toEqual({ status: 400, code: "RequestBodyRead" });
  });

  it("reads the values of enumerations without their case", async () => {
    expect(await post({ ...meeting(), showAs: "Free" as "free" })).toMatchObject({ showAs: "free" });
  });

  it("is possible by either id, and not by one in another case", async () => {
    const { id = "" } = await post(meeting());
    const immutable = (await get(id, 'IdType="ImmutableId"')).id ?? "";
    expect(await patch(immutable, { subject: "Found" })).toMatchObject({ subject: "Found" });
    expect(await failure(get(id.toUpperCase()))).toEqual({ status: 404, code: "ErrorItemNotFound" });
  });
});

describe("versions", () => {
  it.each(["etag", "quoted key", "*"])("a change under the current %s is done", async (kind) => {
    const { id, changeKey, ...rest } = await post(meeting());
    const match = { etag: rest["@odata.etag"], "quoted key": `"${changeKey}"`, "*": "*" }[kind] ?? "";
    expect(await api.api(`/me/events/${id}`).header("If-Match", match).patch({ subject: "Review" })).toMatchObject({
      subject: "Review",
    });
  });

  it("a change or deletion under an old etag is a conflict", async () => {
    const before = await post(meeting());
    await patch(before.id, { subject: "Meanwhile" });
    const conflict = { status: 412, code: "ErrorIrresolvableConflict" };
    const request = () => api.api(`/me/events/${before.id}`).header("If-Match", before["@odata.etag"]);
    expect(await failure(request().patch({ subject: "Mine" }))).toEqual(conflict);
    expect(await failure(request().delete())).toEqual(conflict);
    expect(await failure(patch(before.id, { changeKey: before.changeKey, subject: "Mine" }))).toEqual(conflict);
    expect(await get(before.id)).toMatchObject({ subject: "Meanwhile" });
  });

  it("Exchange rewrites the change key of a new event after a while, if the fake is told so", async () => {
    microsoft.knobs.changeKeySettles = 5000;
    const before = await post(meeting());
    expect((await get(before.id)).changeKey).toBe(before.changeKey);
    microsoft.advance(5000);
    expect((await get(before.id)).changeKey).not.toBe(before.changeKey);
    const again = api.api(`/me/events/${before.id}`).header("If-Match", before["@odata.etag"]);
    expect(await failure(again.patch({ subject: "Mine" }))).toMatchObject({ status: 412 });
  });
});

describe("deleting an event", () => {
  it("is 204, and 404 the second time", async () => {
    const { id } = await post(meeting());
    await api.api(`/me/events/${id}`).delete();
    expect(microsoft.requests.at(-1)?.status).toBe(204);
    expect(await failure(api.api(`/me/events/${id}`).delete())).toEqual({ status: 404, code: "ErrorItemNotFound" });
    expect(state.events()).toEqual([]);
  });
});

describe("ids", () => {
  it("of two kinds, as the client prefers for each request", async () => {
    const { id } = await post(meeting());
    const immutable = await get(id, 'outlook.timezone="UTC", IdType="ImmutableId"');
    expect(immutable.id).toMatch(/^AAkA/);
    expect(immutable.id).not.toBe(id);
    expect((await get(id)).id).toBe(id);
  });

  it("differ by the case of a letter alone", async () => {
    const [one, two] = [await post(meeting()), await post(meeting())];
    expect(one.id).not.toBe(two.id);
    expect(one.id?.toLowerCase()).toBe(two.id?.toLowerCase());
  });

  it("change when the event is moved, but for the immutable one", async () => {
    const { id = "" } = await post(meeting());
    const immutable = (await get(id, 'IdType="ImmutableId"')).id ?? "";
    const calendar = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    const moved = state.moveEvent(id, calendar);
    expect(moved).not.toBe(id);
    expect(await failure(get(id))).toMatchObject({ status: 404 });
    expect((await get(moved, 'IdType="ImmutableId"')).id).toBe(immutable);
    expect((await get(immutable)).id).toBe(moved);
  });

  it("Preference-Applied confirms what was preferred", async () => {
    const headers = {
      authorization: `Bearer ${microsoft.accessToken("ada@example.com")}`,
      prefer: 'IdType="ImmutableId", outlook.body-content-type="text"',
    };
    const id = state.putEvent(meeting());
    const response = await fetch(`${microsoft.origin}/v1.0/me/events/${id}`, { headers });
    expect(response.headers.get("preference-applied")).toBe('IdType="ImmutableId", outlook.body-content-type="text"');
  });
});

describe("bodies", () => {
  const contentOf = async (id?: string, prefer?: string) => (await get(id, prefer)).body?.content;

  it("are stored as HTML documents, whatever was written", async () => {
    const { body, bodyPreview } = await post(meeting({ body: { contentType: "html", content: "<b>Bring</b> cake" } }));
    expect(body?.contentType).toBe("html");
    expect(body?.content).toMatch(/^<html>[\s\S]*<body>\s*<b>Bring<\/b> cake\s*<\/body>/);
    expect(bodyPreview).toBe("Bring cake");
  });

  it("come as text when the client prefers", async () => {
    const { id } = await post(
      meeting({ body: { contentType: "html", content: "<p>Bring &amp; share</p><p>cake&nbsp;&#33;</p>" } }),
    );
    expect(await contentOf(id, 'outlook.body-content-type="text"')).toBe("Bring & share\r\ncake !\r\n");
  });

  it("of text come back as that text, and are escaped in HTML", async () => {
    const { id } = await post(meeting({ body: { contentType: "text", content: "1 < 2\nyes" } }));
    expect(await contentOf(id, 'outlook.body-content-type="text"')).toBe("1 < 2\r\nyes\r\n");
    expect(await contentOf(id)).toContain("1 &lt; 2<br>\r\nyes");
  });

  it("that are whole documents are kept, but for scripts", async () => {
    const content = "<html><body>Hi<script>alert(1)</script></body></html>";
    expect(await contentOf((await post(meeting({ body: { contentType: "html", content } }))).id)).toBe(
      "<html><body>Hi</body></html>",
    );
  });

  it("are empty without one", async () => {
    const { id } = await post(meeting());
    expect(await contentOf(id, 'outlook.body-content-type="text"')).toBe("");
  });
});

describe("extended properties", () => {
  const id = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name almanac";
  const expand = `singleValueExtendedProperties($filter=id eq '${id}')`;

  it("come back only where they are expanded", async () => {
    const event = await post(meeting({ singleValueExtendedProperties: [{ id, value: "e1" }] }));
    expect(event).not.toHaveProperty("singleValueExtendedProperties");
    expect((await api.api(`/me/events/${event.id}`).expand(expand).get()).singleValueExtendedProperties).toEqual([
      { id, value: "e1" },
    ]);
    expect(
      await failure(api.api(`/me/events/${event.id}`).expand("singleValueExtendedProperties").get()),
    ).toMatchObject({ status: 400 });
  });

  it("are absent where the event has none", async () => {
    const event = await post(meeting());
    expect(await api.api(`/me/events/${event.id}`).expand(expand).get()).not.toHaveProperty(
      "singleValueExtendedProperties",
    );
  });

  it("change one by one", async () => {
    const other = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name url";
    const event = await post(meeting({ singleValueExtendedProperties: [{ id, value: "e1" }] }));
    await patch(event.id, { singleValueExtendedProperties: [{ id: other, value: "https://app.test/" }] });
    await patch(event.id, { singleValueExtendedProperties: [{ id, value: "e2" }] });
    expect(state.properties(event.id ?? "")).toEqual({ [id]: "e2", [other]: "https://app.test/" });
  });

  it("have names with their case", async () => {
    const event = await post(meeting({ singleValueExtendedProperties: [{ id, value: "e1" }] }));
    const upper = expand.replace("Name almanac", "Name Almanac");
    expect(await api.api(`/me/events/${event.id}`).expand(upper).get()).not.toHaveProperty(
      "singleValueExtendedProperties",
    );
  });

  it("are refused without a type, a GUID and a name", async () => {
    const odd = meeting({ singleValueExtendedProperties: [{ id: "almanac", value: "e1" }] });
    expect(await failure(post(odd))).toEqual({ status: 400, code: "ErrorInvalidProperty" });
  });
});

it("a series is one event of the mailbox", async () => {
  const { id } = await post(weekly());
  expect((await api.api("/me/events").get()).value).toMatchObject([{ id, type: "seriesMaster" }]);
});
