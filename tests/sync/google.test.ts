import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { connectGooglePerson, google } from "./google-person";
import { at, timed } from "./google-scene";
import { day, ours } from "./world";

const EMAIL = "ada@example.com";

async function synced(options: Parameters<typeof google>[0] = {}) {
  const provider = await google(options);
  const person = await connectGooglePerson(provider);
  await person.sync();
  const calendarId = await person.calendarId(EMAIL);
  provider.requests.length = 0;
  return { provider, person, calendarId, calendar: provider.account(EMAIL).primary };
}

describe("what is at Google", () => {
  it("is read with its people, its text and its times", async () => {
    const provider = await google();
    const { primary } = provider.account(EMAIL);
    primary.putEvent({ summary: "Stand-up", description: "Daily", location: "Room 1", ...timed(2) });
    primary.putEvent({ summary: "Holiday", start: { date: day(3) }, end: { date: day(5) } });
    const person = await connectGooglePerson(provider);
    await person.sync();
    const events = await person.events(await person.calendarId(EMAIL));
    expect(events).toMatchObject([
      { summary: "Stand-up", description: "Daily", location: { description: "Room 1" } },
      { summary: "Holiday", start: day(3), end: day(5) },
    ]);
  });

  it("is read again when it changes, and goes when it is deleted", async () => {
    const { person, calendar, calendarId } = await synced();
    const id = calendar.putEvent({ summary: "Stand-up", ...timed(2) });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Stand-up" }]);
    calendar.changeEvent(id, { summary: "Sit-down" });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Sit-down" }]);
    calendar.deleteEvent(id);
    await person.sync();
    expect(await person.events(calendarId)).toEqual([]);
  });

  it("is a series with its moved and cancelled occurrences", async () => {
    const { person, calendar, calendarId } = await synced();
    const id = calendar.putEvent({ summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
    await person.sync();
    expect(await person.events(calendarId)).toHaveLength(4);
    calendar.moveOccurrence(id, at(3), timed(3, "15:00", "16:00"));
    calendar.deleteOccurrence(id, at(4));
    await person.sync();
    const events = await person.events(calendarId);
    expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([day(2), day(3), day(5)]);
    expect(events[1].start).toContain("T14:00:00Z");
  });
});

describe("what the application writes", () => {
  it("is at Google with its guests, who are notified, and is no change when it is read", async () => {
    const { provider, person, calendar, calendarId } = await synced();
    const guests = { invite: [{ email: "bob@example.com", display_name: "Bob" }], remove: [] };
    await person.post(`/v1/calendars/${calendarId}/events`, ours("one", { attendees: guests }));
    await person.push();
    const [event] = calendar.events();
    expect(event).toMatchObject({ summary: "Ours one", attendees: [{ email: "bob@example.com", displayName: "Bob" }] });
    expect(provider.outbox).toHaveLength(1);
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours one", event_id: "one" }]);
    await person.remove(`/v1/calendars/${calendarId}/events`, { event_id: "one" });
    await person.push();
    expect(calendar.events()).toMatchObject([{ status: "cancelled" }]);
  });

  it("is a series, whose occurrences can be changed, skipped and restored", async () => {
    const { person, calendar, calendarId } = await synced();
    const write = (exceptions?: object) =>
      person.post(
        `/v1/calendars/${calendarId}/events`,
        ours("series", {
          tzid: "Africa/Lagos",
          recurrence: { rules: [{ frequency: "daily", count: 5 }], ...(exceptions && { exceptions }) },
        }),
      );
    await write();
    await person.push();
    const [master] = calendar.events();
    expect(master?.recurrence).toEqual(["RRULE:FREQ=DAILY;COUNT=5"]);
    await write({ add: [{ date: day(3) }], change: [{ date: day(4), summary: "Renamed" }] });
    await person.push();
    const exceptions = calendar.events().slice(1);
    expect(exceptions).toMatchObject([{ status: "cancelled" }, { summary: "Renamed" }]);
    await person.sync();
    const summaries = async () => (await person.events(calendarId)).map(({ summary }) => summary);
    expect(await summaries()).toEqual(["Ours series", "Renamed", "Ours series", "Ours series"]);
    await write({ add: [], change: [] });
    await person.push();
    await person.sync();
    expect(await summaries()).toEqual(Array(5).fill("Ours series"));
  });
});

it("an occurrence that others move while the application renames its series stays where they put it", async () => {
  const { provider, person, calendar, calendarId } = await synced();
  const write = (more: object) =>
    person.post(`/v1/calendars/${calendarId}/events`, ours("series", { tzid: "Africa/Lagos", ...more }));
  const exceptions = { change: [{ date: day(5), location: { description: "Room 2" } }] };
  await write({ recurrence: { rules: [{ frequency: "daily", count: 5 }], exceptions } });
  await person.push();
  const id = calendar.events()[0]?.id ?? "";
  const at = (time: string) => ({ dateTime: `${day(3)}T${time}:00Z`, timeZone: "Africa/Lagos" });
  const move = () => void calendar.moveOccurrence(id, at("14:00"), { start: at("18:00"), end: at("19:00") });
  provider.faults.next({ method: "PATCH", path: new RegExp(`/events/${id}$`), run: move });
  await write({ summary: "Renamed" });
  await person.push();
  await person.sync();
  const events = await person.events(calendarId);
  expect(events.map(({ summary, start }) => [summary, start.slice(11, 16)])).toEqual([
    ["Renamed", "14:00"],
    ["Renamed", "18:00"],
    ...Array(3).fill(["Renamed", "14:00"]),
  ]);
  expect(events[3].location).toEqual({ description: "Room 2" });
});

it("a description that is too long for Google stays whole here", async () => {
  const { person, calendar, calendarId } = await synced();
  const description = "What was said last time. ".repeat(1_000);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("long", { description }));
  await person.push();
  const [event] = calendar.events();
  expect(event?.description).toHaveLength(8_192);
  calendar.changeEvent(event?.id ?? "", { summary: "Renamed by others" });
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed by others", description }]);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("long", { summary: "Ours again", description }));
  await person.push();
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours again", description }]);
});

it("a description of one occurrence that is too long for Google stays whole here, and is no change of others", async () => {
  const { person, calendarId } = await synced();
  const path = `/v1/calendars/${calendarId}/events`;
  const recurrence = { rules: [{ frequency: "daily", count: 3 }] };
  await person.post(path, ours("series", { tzid: "Africa/Lagos", recurrence }));
  const description = "What was said on this day. ".repeat(1_000);
  await person.post(`${path}/occurrences`, { event_id: "series", occurrence_date: day(3), description });
  await person.push();
  const { updated } = (await person.events(calendarId))[1];
  await person.sync();
  expect((await person.events(calendarId))[1]).toMatchObject({ description, updated });
  await person.post(path, ours("series", { summary: "Renamed" }));
  await person.push();
  await person.sync();
  const events = await person.events(calendarId);
  expect(events.map((event) => event.description)).toEqual(["", description, ""]);
  expect(events[0]).toMatchObject({ summary: "Renamed", recurrence: expect.any(Object) });
});

it.each([
  ["a web address", "https://acme.io/"],
  ["the address of an app", "zoommtg://acme.io/"],
])("a long url stays whole when others change its event: %s", async (_, beginning) => {
  const { person, calendar, calendarId } = await synced();
  const url = beginning.padEnd(2_000, "x");
  await person.post(`/v1/calendars/${calendarId}/events`, ours("long", { url }));
  await person.push();
  calendar.changeEvent(calendar.events()[0]?.id ?? "", { location: "Theirs" });
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ url, location: { description: "Theirs" } }]);
  await person.post(`/v1/calendars/${calendarId}/events`, ours("long"));
  await person.push();
  await person.sync();
  expect((await person.events(calendarId))[0].url).toBeUndefined();
});

describe("a meeting link", () => {
  const asked = { conferencing: { profile_id: "integrated" } };

  it("is pending until Google has created it, and goes with none", async () => {
    const { provider, person, calendar, calendarId } = await synced({
      knobs: { conference: { outcome: "success", pendingReads: null } },
    });
    const conferencing = async () => (await person.events(calendarId))[0]?.conferencing;
    await person.post(`/v1/calendars/${calendarId}/events`, ours("meeting", asked));
    await person.push();
    expect(await conferencing()).toEqual({ pending: true });
    calendar.finishConference(calendar.events()[0]?.id ?? "");
    await person.sync();
    expect(await conferencing()).toMatchObject({ provider_name: "google_meet", join_url: expect.any(String) });
    await person.post(`/v1/calendars/${calendarId}/events`, ours("meeting", { summary: "Moved" }));
    await person.push();
    await person.sync();
    expect(await conferencing()).toMatchObject({ provider_name: "google_meet" });
    await person.post(`/v1/calendars/${calendarId}/events`, ours("meeting", { conferencing: { profile_id: "none" } }));
    await person.push();
    await person.sync();
    expect(await conferencing()).toBeUndefined();
    expect(calendar.events()[0]?.hangoutLink).toBeUndefined();
    expect(provider.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

it("a meeting link that Google creates with the event is there at once, and not looked for", async () => {
  const clock = fakeClock();
  const { provider, person, calendarId } = await synced();
  const meeting = ours("meeting", { conferencing: { profile_id: "integrated" } });
  await person.post(`/v1/calendars/${calendarId}/events`, meeting);
  await person.push();
  const [event] = await person.events(calendarId);
  expect(event.conferencing).toMatchObject({ provider_name: "google_meet", join_url: expect.any(String) });
  clock.advance(60_000);
  await person.sync();
  expect(provider.requests.filter(({ path }) => /\/events\/./.test(path))).toEqual([]);
});

it("an event with a meeting link in a calendar of its own has that calendar as its organizer", async () => {
  const provider = await google();
  const team = provider.account(EMAIL).addCalendar({ summary: "Team" });
  const person = await connectGooglePerson(provider);
  await person.sync();
  const calendarId = await person.calendarId("Team");
  const meeting = ours("meeting", { conferencing: { profile_id: "integrated" } });
  await person.post(`/v1/calendars/${calendarId}/events`, meeting);
  await person.push();
  const organized = { organizer: { email: team }, conferencing: { provider_name: "google_meet" } };
  expect(await person.events(calendarId)).toMatchObject([organized]);
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([organized]);
});

describe("what others have at an event", () => {
  it("stays when the application writes it: reminders, replies, attachments and colours", async () => {
    const { person, calendar, calendarId } = await synced();
    const invite = [{ email: "bob@example.com" }];
    await person.post(`/v1/calendars/${calendarId}/events`, ours("kept", { attendees: { invite, remove: [] } }));
    await person.push();
    const id = calendar.events()[0]?.id ?? "";
    const reminders = { useDefault: false, overrides: [{ method: "email" as const, minutes: 30 }] };
    calendar.changeEvent(id, { colorId: "5", reminders });
    calendar.reply(id, "bob@example.com", "accepted", "Gladly");
    await person.post(`/v1/calendars/${calendarId}/events`, ours("kept", { summary: "Renamed" }));
    await person.push();
    expect(calendar.event(id)).toMatchObject({
      ...{ summary: "Renamed", colorId: "5", reminders },
      attendees: [{ email: "bob@example.com", responseStatus: "accepted", comment: "Gladly" }],
    });
    await person.sync();
    expect((await person.events(calendarId))[0].attendees).toMatchObject([
      { email: "bob@example.com", status: "accepted" },
    ]);
  });
});

describe("when Google", () => {
  it("has expired a sync token, everything is read again, and what is gone goes", async () => {
    const { provider, person, calendar, calendarId } = await synced();
    const id = calendar.putEvent({ summary: "Gone", ...timed(2) });
    calendar.putEvent({ summary: "Stays", ...timed(3) });
    await person.sync();
    expect(await person.events(calendarId)).toHaveLength(2);
    calendar.deleteEvent(id);
    calendar.forgetDeleted();
    calendar.expireSyncTokens();
    provider.account(EMAIL).expireListSyncTokens();
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Stays" }]);
  });

  it("rejects an access token, one more is asked for, and the user notices nothing", async () => {
    const { provider, person, calendar, calendarId } = await synced();
    calendar.putEvent({ summary: "New", ...timed(2) });
    provider.faults.next({ path: /calendarList/, respond: "authError" });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "New" }]);
    expect(provider.requests.filter(({ path }) => path === "/token")).toHaveLength(1);
  });

  it("has lost the user's consent, the profile is disconnected, and its events can still be read", async () => {
    const { provider, person, calendar, calendarId } = await synced();
    calendar.putEvent({ summary: "Known", ...timed(2) });
    await person.sync();
    provider.revokeConsent(EMAIL);
    await person.sync();
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Known" }]);
  });

  it.each(["userRateLimitExceeded", "rateLimitExceeded", "quotaExceeded"] as const)(
    "says %s, the mailbox waits and goes on",
    async (respond) => {
      const { provider, person, calendarId, calendar } = await synced();
      calendar.putEvent({ summary: "Later", ...timed(2) });
      provider.faults.next({ path: /calendarList/, respond, retryAfter: 5 });
      await person.sync();
      expect(await person.profile()).toMatchObject({ connected: true, sync_error: "throttled" });
      await person.sync();
      expect(await person.events(calendarId)).toMatchObject([{ summary: "Later" }]);
    },
  );

  it("has an event that others have changed since it was read, both changes are kept", async () => {
    const { provider, person, calendar, calendarId } = await synced();
    await person.post(`/v1/calendars/${calendarId}/events`, ours("both"));
    await person.push();
    const id = calendar.events()[0]?.id ?? "";
    provider.faults.next({ method: "PATCH", path: /events/, respond: "conditionNotMet" });
    calendar.changeEvent(id, { location: "Theirs" });
    await person.post(`/v1/calendars/${calendarId}/events`, ours("both", { summary: "Ours renamed" }));
    await person.push();
    expect(calendar.event(id)).toMatchObject({ summary: "Ours renamed", location: "Theirs" });
  });
});
