import { beforeEach, describe, expect, it } from "vitest";
import { dayFromNow } from "../api/dates";
import { ownDatabase } from "../api/own-database";
import { providerCalendar } from "../api/provider-calendar";
import { expectEmpty } from "../api/responses";
import { openCalendar } from "../api/service";
import { type Calendar, eventsOf, eventsPath, write } from "../api/written-series";
import { calendarChangedAt, changeCalendar, dropCalendars, storedCalendar } from "../fakes/stored";
import { keptCounts, livingEvents } from "../fakes/stored-events";

ownDatabase();

const DAY = dayFromNow(3);
const meeting = (event_id: string, more: object = {}) => ({
  ...{ event_id, summary: "Planning", tzid: "Etc/UTC" },
  ...{ start: `${DAY}T09:00:00Z`, end: `${DAY}T10:00:00Z` },
  ...more,
});

describe("where only new events were written,", () => {
  let calendar: Calendar;
  const send = (body: object) => calendar.post(eventsPath(calendar.calendarId), body);
  const statuses = async (body: object) => (await send(body)).status;
  beforeEach(async () => {
    calendar = await providerCalendar("google");
    for (const id of ["1", "2", "3"]) await write(calendar, meeting(id));
  });

  it("an event that is there is changed, and keeps its guests", async () => {
    await write(calendar, meeting("1", { attendees: { invite: [{ email: "bob@acme.io" }] } }));
    for (const id of ["4", "5", "6"]) await write(calendar, meeting(id));
    await write(calendar, meeting("1", { summary: "Other" }));
    const events = await eventsOf(calendar);
    expect(events).toHaveLength(6);
    const [changed] = events.filter(({ summary }) => summary === "Other");
    expect(changed?.attendees.map(({ email }) => email)).toEqual(["bob@acme.io"]);
  });

  it("the same body again leaves the calendar's time of change as it is", async () => {
    const before = await calendarChangedAt(calendar.calendarId);
    await write(calendar, meeting("3"));
    expect(await calendarChangedAt(calendar.calendarId)).toBe(before);
  });

  it("many writes of one new event at once make one", async () => {
    const bodies = Array.from({ length: 20 }, (_, i) => meeting("4", { summary: `${i}` }));
    expect(new Set(await Promise.all(bodies.map(statuses)))).toEqual(new Set([202]));
    expect(await livingEvents(calendar.calendarId)).toHaveLength(4);
    const { kept, counted } = await keptCounts([calendar.calendarId]);
    expect(kept).toEqual(counted);
  });

  it("a calendar that may not be written any more refuses", async () => {
    await changeCalendar(calendar.calendarId, { readonly: true });
    expect(await statuses(meeting("4"))).toBe(403);
    expect(await livingEvents(calendar.calendarId)).toHaveLength(3);
  });

  it("a calendar that is gone is not found, nor is that of another account", async () => {
    const other = await openCalendar();
    const sent = await other.post(eventsPath(calendar.calendarId), meeting("4"));
    expect(sent.status).toBe(404);
    await dropCalendars((await storedCalendar(calendar.calendarId)).profileId);
    expect(await statuses(meeting("5"))).toBe(404);
  });

  it("what the calendar cannot carry out is refused as ever", async () => {
    const answer = await send(meeting("4", { conferencing: { profile_id: "integrated" } }));
    expect(answer.status).toBe(422);
    await changeCalendar(calendar.calendarId, { integratedConferencing: true });
    expectEmpty(await send(meeting("4", { conferencing: { profile_id: "integrated" } })), 202);
  });

  it("an event that was deleted is made anew", async () => {
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), { event_id: "1" }), 202);
    await write(calendar, meeting("1", { summary: "Anew" }));
    expect((await eventsOf(calendar)).map(({ summary }) => summary)).toContain("Anew");
    expect(await livingEvents(calendar.calendarId)).toHaveLength(3);
  });
});
