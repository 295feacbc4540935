import { describe, expect, it } from "vitest";
import { ADA, asked, BOB, sent, syncedGoogle } from "./google-scene";
import { day, ours } from "./world";

const accounts = [{ email: ADA }, { email: BOB }];
const invite = (...emails: string[]) => ({ attendees: { invite: emails.map((email) => ({ email })) } });

/** Ada's calendar with one event of the application's, and what is asked and mailed from then on. */
async function written(body: object = {}) {
  const scene = await syncedGoogle({ accounts });
  await scene.person.post(scene.path, ours("one", body));
  await scene.person.push();
  const id = scene.calendar.events()[0]?.id ?? "";
  scene.provider.requests.length = 0;
  scene.provider.outbox.length = 0;
  const write = async (more: object) => {
    expect((await scene.person.post(scene.path, ours("one", more))).status).toBe(202);
  };
  return { ...scene, id, write, event: () => scene.calendar.event(id) };
}

describe("an event that others change while it is written", () => {
  it("is read and merged again, however often it changes", async () => {
    const { provider, person, write, event, calendar, id } = await written();
    const conflict = (location: string) =>
      provider.faults.next({ method: "PATCH", run: () => calendar.changeEvent(id, { location }) });
    for (const location of ["Room 1", "Room 2", "Room 3"]) conflict(location);
    await write({ summary: "Renamed" });
    await person.push();
    expect(event()).toMatchObject({ summary: "Ours one", location: "Room 3" });
    await person.push();
    expect(event()).toMatchObject({ summary: "Renamed", location: "Room 3" });
  });

  it.each([[[]], [[BOB]]])(
    "is created again when they have deleted it, with the application's guests alone: %s",
    async (own) => {
      const { provider, person, write, event, calendar, calendarId, id } = await written(invite(...own));
      calendar.changeEvent(id, { attendees: [...own, "carol@example.com"].map((email) => ({ email })) });
      calendar.deleteEvent(id);
      await write({ summary: "Renamed" });
      await person.push();
      expect(calendar.events()).toHaveLength(1);
      expect(event()).toMatchObject({ status: "confirmed", summary: "Renamed" });
      expect((event()?.attendees ?? []).map(({ email }) => email)).toEqual(own);
      expect(provider.outbox.map(({ to, kind }) => `${kind} ${to}`)).toEqual(own.map((email) => `invitation ${email}`));
      await person.sync();
      expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed", event_id: "one" }]);
    },
  );

  it("is created again as a single event although it was a series when they deleted it", async () => {
    const { person, write, event, calendar, id } = await written({
      ...{ tzid: "Africa/Lagos", recurrence: { rules: [{ frequency: "daily", count: 3 }] } },
    });
    calendar.deleteEvent(id);
    await write({ recurrence: null });
    await person.push();
    expect(event()).toMatchObject({ status: "confirmed" });
    expect(event()).not.toHaveProperty("recurrence");
  });
});

it("what others keep at an event survives the application's write: attachments, properties, who may do what", async () => {
  const { person, write, event, calendar, id } = await written(invite(BOB));
  const kept = {
    attachments: [{ fileUrl: "https://drive.google.com/open?id=1", title: "Agenda" }],
    extendedProperties: { private: { room: "12" }, shared: { topic: "plans" } },
    attendees: [{ email: BOB, responseStatus: "tentative", comment: "Late", additionalGuests: 2, optional: true }],
    ...{ guestsCanModify: true, guestsCanInviteOthers: false, visibility: "private", colorId: "7" },
    reminders: { useDefault: false, overrides: [{ method: "popup" as const, minutes: 5 }] },
  };
  calendar.changeEvent(id, kept);
  await write({ summary: "Renamed", url: "https://example.com/plans", location: { description: "Room 2" } });
  await person.push();
  expect(event()).toMatchObject({ summary: "Renamed", location: "Room 2", ...kept });
});

describe("guests", () => {
  it("that others have invited stay, and those that the application takes off go", async () => {
    const { provider, person, write, event, calendar, id } = await written(invite(BOB, "carol@example.com"));
    const dave = { email: "dave@example.com", responseStatus: "accepted" };
    calendar.changeEvent(id, { attendees: [...(event()?.attendees ?? []), dave] });
    await write({ attendees: { invite: [{ email: "eve@example.com" }], remove: [{ email: BOB }] } });
    await person.push();
    expect(event()?.attendees).toMatchObject([
      { email: "carol@example.com" },
      dave,
      { email: "eve@example.com", responseStatus: "needsAction" },
    ]);
    const mailed = Object.fromEntries(provider.outbox.map(({ to, kind }) => [to, kind]));
    expect(mailed).toMatchObject({ "bob@example.com": "cancellation", "eve@example.com": "invitation" });
  });

  it("are asked again when the event is moved: an old reply is never written to the new time", async () => {
    const { provider, person, write, calendar, calendarId, id } = await written(invite(BOB));
    calendar.reply(id, BOB, "accepted");
    const later = { start: `${day(3)}T14:00:00Z`, end: `${day(3)}T15:00:00Z` };
    await write({ ...later, ...invite("carol@example.com") });
    await person.push();
    const [body] = sent(provider, "PATCH");
    expect(body).toMatchObject({ attendees: [{ email: BOB, responseStatus: "needsAction" }, {}] });
    await person.sync();
    const [event] = await person.events(calendarId);
    expect(event.attendees).toMatchObject([
      { email: BOB, status: "needs_action" },
      { email: "carol@example.com", status: "needs_action" },
    ]);
  });

  it("of a series are invited to its changed occurrences, too, and leave them", async () => {
    const { person, write, calendar, id } = await written({
      ...{ tzid: "Africa/Lagos", recurrence: { rules: [{ frequency: "daily", count: 3 }] } },
      ...invite(BOB),
    });
    const occurrence = `${id}_${day(3).replaceAll("-", "")}T140000Z`;
    calendar.reply(occurrence, BOB, "declined");
    const emails = () => calendar.event(occurrence)?.attendees?.map(({ email }) => email);
    await write({ tzid: "Africa/Lagos", ...invite("carol@example.com") });
    await person.push();
    expect(emails()).toEqual([BOB, "carol@example.com"]);
    await write({ tzid: "Africa/Lagos", attendees: { remove: [{ email: "carol@example.com" }] } });
    await person.push();
    expect(emails()).toEqual([BOB]);
  });
});

it.each([
  [true, "all"],
  [false, "none"],
])("every request of a write says whether guests are notified: %s", async (notify, sendUpdates) => {
  const { provider, person, path, calendar } = await syncedGoogle({ accounts });
  const said = { notify_attendees: notify };
  const recurrence = {
    rules: [{ frequency: "daily", count: 5 }],
    exceptions: { add: [], change: [{ date: day(3), summary: "Other" }] },
  };
  const write = (more: object) =>
    person.post(path, ours("one", { tzid: "Africa/Lagos", ...said, ...invite(BOB), ...more }));
  await write({ recurrence });
  await person.push();
  await write({ summary: "Renamed", recurrence: { ...recurrence, exceptions: { add: [{ date: day(4) }] } } });
  await person.push();
  await person.remove(path, { event_id: "one", occurrence_date: day(5), ...said });
  await person.push();
  await person.remove(path, { event_id: "one", ...said });
  await person.push();
  expect(calendar.events()[0]).toMatchObject({ status: "cancelled" });
  const writes = provider.requests.filter(({ method, path }) => method !== "GET" && /\/events/.test(path));
  expect(writes.map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "PATCH", "DELETE"]));
  for (const { query } of writes) expect(query.sendUpdates).toBe(sendUpdates);
  for (const { method, query } of writes) if (method !== "DELETE") expect(query.conferenceDataVersion).toBe("1");
  expect(provider.outbox.length > 0).toBe(notify);
});

describe("a long description", () => {
  it("ends with an ellipsis at Google, never with half a character, and is whole in reads", async () => {
    const description = `${"x".repeat(8_190)}🙂 and more`;
    const { person, event, calendarId } = await written({ description });
    expect(event()?.description).toBe(`${"x".repeat(8_190)}…`);
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ description }]);
  });

  it("that others change is theirs", async () => {
    const { person, calendar, calendarId, id } = await written({ description: "x".repeat(9_000) });
    calendar.changeEvent(id, { description: "Short" });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ description: "Short" }]);
  });
});

it.each(["https://example.com/a?b=c", "mailto:room@example.com", "tel:+4930123456"])(
  "the url %s is in reads as it was sent, until a write leaves it out",
  async (url) => {
    const { person, write, calendar, calendarId, id } = await written({ url });
    calendar.changeEvent(id, { location: "Room 1" });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ url, location: { description: "Room 1" } }]);
    await write({});
    await person.push();
    await person.sync();
    expect((await person.events(calendarId))[0]).not.toHaveProperty("url");
    expect(calendar.event(id)).not.toHaveProperty("source");
  },
);

it("the write of a single event costs two requests, and its creation one", async () => {
  const { provider, person, path, calendarId } = await syncedGoogle();
  await person.post(path, ours("one"));
  await person.push();
  expect(asked(provider)).toEqual([`POST calendars/${ADA}/events`]);
  provider.requests.length = 0;
  await person.post(path, ours("one", { summary: "Renamed" }));
  await person.push();
  expect(asked(provider).map((one) => one.split(" ")[0])).toEqual(["GET", "PATCH"]);
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed" }]);
});
