import { expect } from "vitest";
import type { Side, WrittenEvent } from "./side";

/** Sunday. The week of the scenario begins the next day. */
export const NOW = Date.parse("2025-06-01T12:00:00Z");
export const WEEK = { from: "2025-06-02", to: "2025-06-09" };

const LONG = "What was said last time, and what comes of it. ".repeat(250);
const daily = { frequency: "daily", count: 5 };
const silently = { notify_attendees: false };

const events = {
  standUp: {
    ...{ event_id: "stand-up", summary: "Stand-up", description: "Who does what" },
    ...{ start: "2025-06-02T07:00:00Z", end: "2025-06-02T07:15:00Z" },
    ...{ location: { description: "Room 1" }, url: "https://acme.example/stand-up", reminders: [{ minutes: 5 }] },
  },
  call: {
    ...{ event_id: "call", summary: "Call with New York" },
    start: { time: "2025-06-02T10:00:00", tzid: "America/New_York" },
    end: { time: "2025-06-02T10:30:00", tzid: "America/New_York" },
  },
  holiday: { event_id: "holiday", summary: "Holiday", start: "2025-06-03", end: "2025-06-05" },
  lunch: {
    ...{ event_id: "lunch", summary: "Lunch", transparency: "transparent" },
    ...{ start: "2025-06-03T10:00:00Z", end: "2025-06-03T11:00:00Z" },
  },
  planning: {
    ...{ event_id: "planning", summary: "Planning", ...silently },
    ...{ start: "2025-06-04T08:00:00Z", end: "2025-06-04T09:00:00Z" },
    attendees: {
      invite: [
        { email: "Ben@Example.com", display_name: "Ben" },
        { email: "cy@example.com" },
        { email: "di@example.com" },
      ],
    },
  },
  daily: {
    ...{ event_id: "daily", summary: "Daily", tzid: "Europe/Berlin" },
    ...{ start: "2025-06-02T14:00:00Z", end: "2025-06-02T14:30:00Z" },
    recurrence: {
      rules: [daily],
      exceptions: {
        add: [{ date: "2025-06-03" }, { date: "2025-06-05" }],
        change: [
          {
            ...{ date: "2025-06-04", summary: "Daily, with the board" },
            ...{ start: "2025-06-04T15:00:00Z", end: "2025-06-04T16:00:00Z" },
          },
        ],
      },
    },
  },
  shift: {
    ...{ event_id: "shift", summary: "On call", start: "2025-06-05", end: "2025-06-06" },
    recurrence: { rules: [{ frequency: "daily", count: 3 }], exceptions: { add: [{ date: "2025-06-06" }] } },
  },
  gym: {
    ...{ event_id: "gym", summary: "Gym", tzid: "Europe/Berlin" },
    ...{ start: "2025-06-03T16:00:00Z", end: "2025-06-03T17:00:00Z" },
    recurrence: {
      rules: [{ frequency: "weekly", by_day: [{ day: "tuesday" }, { day: "thursday" }], until: "2025-06-30" }],
    },
  },
  review: {
    ...{ event_id: "review", summary: "Review" },
    ...{ start: "2025-06-05T08:00:00Z", end: "2025-06-05T09:00:00Z" },
  },
  tasting: {
    ...{ event_id: "tasting", summary: "Tasting" },
    ...{ start: "2025-06-05T11:00:00Z", end: "2025-06-05T12:00:00Z" },
  },
  minutes: {
    ...{ event_id: "minutes", summary: "Minutes", description: LONG },
    ...{ start: "2025-06-06T07:00:00Z", end: "2025-06-06T07:30:00Z" },
  },
  interview: {
    ...{ event_id: "interview", summary: "Interview", conferencing: { profile_id: "default" } },
    ...{ start: "2025-06-06T08:00:00Z", end: "2025-06-06T09:00:00Z" },
  },
  workshop: {
    ...{ event_id: "workshop", summary: "Workshop" },
    ...{ start: "2025-06-06T09:00:00Z", end: "2025-06-06T10:00:00Z" },
  },
  once: {
    ...{ event_id: "once", summary: "Once", tzid: "Europe/Berlin" },
    ...{ start: "2025-06-06T15:00:00Z", end: "2025-06-06T16:00:00Z" },
    recurrence: { rules: [daily], exceptions: { add: [{ date: "2025-06-07" }] } },
  },
  errand: {
    ...{ event_id: "errand", summary: "Errand" },
    ...{ start: "2025-06-07T08:00:00Z", end: "2025-06-07T09:00:00Z" },
  },
  salary: {
    ...{ event_id: "salary", summary: "Salary" },
    ...{ start: "2025-06-07T10:00:00Z", end: "2025-06-07T11:00:00Z" },
  },
} satisfies Record<string, WrittenEvent>;

/** What the application and the other person do to a calendar. In the end the provider and Almanac agree. */
export async function play(side: Side): Promise<void> {
  const { calendarId, others } = side;
  const path = `/v1/calendars/${calendarId}/events`;
  const write = async (event: object) => expect(await written(side, event)).toMatchObject({ status: 202 });
  const change = async (occurrence: object) =>
    expect(await side.post(`${path}/occurrences`, occurrence)).toMatchObject({ status: 202 });
  const remove = async (of: object) => expect(await side.remove(path, of)).toMatchObject({ status: 202 });

  for (const event of Object.values(events)) await write(event);
  await side.settled();

  await write({ ...events.review, start: "2025-06-06T12:00:00Z", end: "2025-06-06T13:00:00Z" });
  await write({ ...events.planning, attendees: { remove: [{ email: "di@example.com" }] } });
  await write({ ...events.once, recurrence: null });
  await change({ event_id: "daily", occurrence_date: "2025-06-05", location: { description: "Room 2" } });
  await remove({ event_id: "tasting" });
  await remove({ event_id: "shift", occurrence_date: "2025-06-07" });
  await side.settled();

  await others.rename(events.workshop, { summary: "Workshop on trust", location: "Room 3" });
  await others.delete(events.errand);
  await others.moveOccurrence(events.daily, "2025-06-06T16:00:00", {
    start: "2025-06-06T18:00:00",
    end: "2025-06-06T18:30:00",
  });
  await others.cancelOccurrence(events.gym, "2025-06-05T18:00:00");
  await others.accept(events.planning, "cy@example.com");
  await others.makePrivate(events.salary);
  await others.create({
    ...{ summary: "Dentist", location: "High Street", start: "2025-06-02T15:00:00", end: "2025-06-02T16:00:00" },
  });
  await others.create({
    ...{ summary: "Choir", start: "2025-06-04T19:00:00", end: "2025-06-04T21:00:00" },
    daily: {
      count: 3,
      moved: { from: "2025-06-05T19:00:00", start: "2025-06-05T20:00:00", end: "2025-06-05T22:00:00" },
    },
  });
  await others.create({
    ...{ summary: "Party", start: "2025-06-07T20:00:00", end: "2025-06-07T23:00:00" },
    declinedOf: "eve@example.com",
  });
  await others.create({ summary: "Trip", start: "2025-06-07", end: "2025-06-09", isTentative: true });
  await side.settled();

  // The application writes to what others have changed.
  const workshop = { ...events.workshop, summary: "Workshop on trust", location: { description: "Room 3" } };
  await write({ ...workshop, description: "Bring a story" });
  await side.settled();
}

/** Where guests are always notified, only a write that does not mind is accepted. */
async function written({ post, calendarId, alwaysNotifies }: Side, event: object) {
  const path = `/v1/calendars/${calendarId}/events`;
  const response = await post(path, event);
  if (!alwaysNotifies || !("notify_attendees" in event)) return response;
  const refused = { key: "errors.notify_attendees_unsupported", description: expect.any(String) };
  expect(response).toMatchObject({ status: 422, json: { errors: { notify_attendees: [refused] } } });
  const { notify_attendees: _, ...minding } = event;
  return await post(path, minding);
}
