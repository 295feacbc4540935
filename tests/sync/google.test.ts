import { describe, expect, it } from "vitest";
import { connectGooglePerson, google } from "./google-person";
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

const timed = (offset: number, from = "10:00:00", to = "11:00:00") => ({
  start: { dateTime: `${day(offset)}T${from}`, timeZone: "Europe/Berlin" },
  end: { dateTime: `${day(offset)}T${to}`, timeZone: "Europe/Berlin" },
});

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
    const at = (offset: number) => ({ dateTime: `${day(offset)}T10:00:00`, timeZone: "Europe/Berlin" });
    const id = calendar.putEvent({ summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
    await person.sync();
    expect(await person.events(calendarId)).toHaveLength(4);
    calendar.moveOccurrence(id, at(3), timed(3, "15:00:00", "16:00:00"));
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
          tzid: "Europe/Berlin",
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
