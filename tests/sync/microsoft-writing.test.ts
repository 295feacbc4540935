import { describe, expect, it } from "vitest";
import { ADA, asked, BOB, sent, syncedMicrosoft } from "./microsoft-scene";
import { day, ours } from "./world";

const accounts = [{ email: ADA, name: "Ada" }, { email: BOB }];
const invite = (...emails: string[]) => ({ attendees: { invite: emails.map((email) => ({ email })) } });

/** Ada's calendar with one event of the application's, and what is asked and mailed from then on. */
async function written(body: object = {}) {
  const scene = await syncedMicrosoft({ accounts });
  await scene.person.post(scene.path, ours("one", body));
  await scene.person.push();
  const event = () => scene.calendar.events()[0];
  const id = event()?.id ?? "";
  scene.fake.requests.length = 0;
  scene.fake.outbox.length = 0;
  const write = async (more: object) => {
    expect((await scene.person.post(scene.path, ours("one", more))).status).toBe(202);
  };
  return { ...scene, id, write, event };
}

describe("a write whose response is lost", () => {
  it("is the application's event when it is read before it is written again", async () => {
    const { fake, person, path, calendar, calendarId } = await syncedMicrosoft({ accounts });
    fake.faults.next({ method: "POST", path: /events$/, afterWork: true, respond: "serviceUnavailable" });
    await person.post(path, ours("one"));
    await person.push();
    await person.sync();
    await person.push();
    expect(calendar.events()).toHaveLength(1);
    expect(await person.events(calendarId)).toMatchObject([{ event_id: "one" }]);
  });
});

describe("an event that others change while it is written", () => {
  it("is read and merged again, however often it changes", async () => {
    const { fake, person, write, event, calendar, id } = await written();
    const conflict = (displayName: string) =>
      fake.faults.next({ method: "PATCH", run: () => calendar.changeEvent(id, { location: { displayName } }) });
    for (const room of ["Room 1", "Room 2", "Room 3"]) conflict(room);
    await write({ summary: "Renamed" });
    await person.push();
    expect(event()).toMatchObject({ subject: "Ours one", location: { displayName: "Room 3" } });
    await person.push();
    expect(event()).toMatchObject({ subject: "Renamed", location: { displayName: "Room 3" } });
  });

  it.each([[[]], [[BOB]]])(
    "is created again when they have deleted it, with the application's guests alone: %s",
    async (own) => {
      const { fake, person, write, event, calendar, calendarId, id } = await written(invite(...own));
      for (const address of [...own, "carol@example.com"].slice(own.length)) calendar.forward(id, { address });
      calendar.deleteEvent(id);
      await write({ summary: "Renamed" });
      await person.push();
      expect(calendar.events()).toHaveLength(1);
      expect(event()).toMatchObject({ subject: "Renamed" });
      expect(event()?.attendees?.map(({ emailAddress }) => emailAddress?.address)).toEqual(own);
      expect(fake.outbox.map(({ to, kind }) => `${kind} ${to}`)).toEqual(own.map((email) => `invitation ${email}`));
      await person.sync();
      expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed", event_id: "one" }]);
    },
  );
});

it("what others keep at an event survives the application's write: categories, reminders, places, sensitivity", async () => {
  const { person, write, event, calendar, id } = await written({ location: { description: "Room 1" } });
  const kept = {
    ...{ categories: ["Red"], reminderMinutesBeforeStart: 5, importance: "high" as const, hideAttendees: true },
    ...{ sensitivity: "private" as const, showAs: "oof" as const },
    locations: [{ displayName: "Room 1" }, { displayName: "Room 2" }],
  };
  calendar.changeEvent(id, kept);
  await person.sync();
  await write({ summary: "Renamed", url: "https://example.com/plans", location: { description: "Room 1; Room 2" } });
  await person.push();
  expect(event()).toMatchObject({ subject: "Renamed", ...kept });
});

it("Exchange rewriting a change key by itself is no change of others", async () => {
  const { fake, person, write, event, calendar, id, calendarId } = await written({ description: "a  b\n\n\n\nc" });
  const before = await person.events(calendarId);
  calendar.rewriteChangeKey(id);
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ description: before[0].description }]);
  await write({ description: "a  b\n\n\n\nc", summary: "Renamed" });
  await person.push();
  expect(event()).toMatchObject({ subject: "Renamed" });
  expect(sent(fake, "PATCH")).toEqual([{ subject: "Renamed" }]);
});

it.each(["https://example.com/a?b=c", "mailto:room@example.com", "tel:+4930123456"])(
  "the url %s is in reads as it was sent, until a write leaves it out",
  async (url) => {
    const { person, write, calendar, calendarId, id } = await written({ url });
    calendar.changeEvent(id, { location: { displayName: "Room 1" } });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ url, location: { description: "Room 1" } }]);
    await write({});
    await person.push();
    await person.sync();
    expect((await person.events(calendarId))[0]).not.toHaveProperty("url");
  },
);

it("the write of a single event costs two requests, and its creation one", async () => {
  const { fake, person, path, calendarId } = await syncedMicrosoft();
  await person.post(path, ours("one"));
  await person.push();
  expect(asked(fake)).toEqual([expect.stringMatching(/^POST me\/calendars\/[^/]+\/events$/)]);
  fake.requests.length = 0;
  await person.post(path, ours("one", { summary: "Renamed" }));
  await person.push();
  expect(asked(fake).map((one) => one.split(" ")[0])).toEqual(["GET", "PATCH"]);
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed" }]);
});

it("what Graph cannot repeat is refused at once, and reads give what the calendar has", async () => {
  const { person, path, event, calendarId } = await written();
  const first = new Date(`${day(2)}T14:00:00Z`);
  const nth = Math.ceil(first.getUTCDate() / 7) > 4 ? -1 : Math.ceil(first.getUTCDate() / 7);
  const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
  const own = { day: days[first.getUTCDay()], nth_of_period: nth };
  const by_day = [own, { ...own, nth_of_period: nth === 1 ? 2 : 1 }];
  const series = { tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "monthly", by_day }] } };
  const { status, json } = await person.post(path, ours("one", series));
  expect([status, json.errors["recurrence.rules[0].by_day"]]).toMatchObject([422, [{ key: "errors.not_supported" }]]);
  await person.push();
  expect(event()).toMatchObject({ type: "singleInstance" });
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ event_id: "one", recurring: false }]);
});
