import { describe, expect, it } from "vitest";
import { eventIds, keptCounts } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { providerCalendar } from "./provider-calendar";
import { allPages } from "./read-under-test";
import { expectEmpty } from "./responses";
import { openCalendar } from "./service";
import { type Calendar, eventsOf, eventsPath, type ReadEvent, repeating, skip, write } from "./written-series";

const START = dayFromNow(3);
const event = (day = START) => ({
  event_id: "series",
  start: `${day}T09:00:00Z`,
  end: `${day}T10:00:00Z`,
  tzid: "Etc/UTC",
});

/** Whole bodies: a recurrence left out would keep another's. */
const bodies = {
  single: { ...event(), summary: "single", description: "single", recurrence: null },
  series: {
    ...event(dayFromNow(20)),
    summary: "series",
    description: "series",
    ...repeating({ frequency: "weekly", count: 8 }),
  },
  allDay: {
    ...event(),
    start: dayFromNow(30),
    end: dayFromNow(32),
    summary: "all-day",
    description: "all-day",
    ...repeating({ frequency: "daily", count: 20 }),
  },
  endless: {
    ...event(dayFromNow(5)),
    summary: "endless",
    description: "endless",
    ...repeating({ frequency: "daily" }),
  },
};

/** The counts that `pages.total` is made of, as the database keeps them and as they are. */
async function expectCountsRight({ calendarId }: Calendar): Promise<void> {
  const { kept, counted } = await keptCounts([calendarId]);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).toEqual(counted);
}

/** What a calendar says of its events, whatever their ids and times of writing. */
function told(events: ReadEvent[]) {
  return events.map(({ summary, description, start, end, occurrence_date }) => {
    return { summary, description, start, end, occurrence_date };
  });
}

describe("writes of one event_id at once", () => {
  it("leave one event, one of the bodies whole, single or series", async () => {
    const alone = new Map<string, unknown>();
    for (const body of Object.values(bodies)) {
      const calendar = await openCalendar();
      await write(calendar, body);
      alone.set(body.summary, told(await eventsOf(calendar)));
    }
    const calendar = await openCalendar();
    for (let round = 0; round < 5; round++) {
      const sent = [...Object.values(bodies), ...Object.values(bodies)];
      const answers = await Promise.all(sent.map((body) => calendar.post(eventsPath(calendar.calendarId), body)));
      for (const answer of answers) expectEmpty(answer, 202);
      const events = await eventsOf(calendar);
      expect(told(events)).toEqual(alone.get(events[0]?.summary ?? ""));
      expect(new Set(events.map(({ event_uid }) => event_uid)).size).toBe(events.length);
      await expectCountsRight(calendar);
    }
    expect(await eventIds(calendar.calendarId)).toHaveLength(1);
  });

  it("and deletions of it leave one event or none", async () => {
    const calendar = await openCalendar();
    const path = eventsPath(calendar.calendarId);
    for (let round = 0; round < 5; round++) {
      const remove = () => calendar.remove(path, { event_id: "series" });
      const answers = await Promise.all(Object.values(bodies).flatMap((body) => [calendar.post(path, body), remove()]));
      for (const answer of answers) expectEmpty(answer, 202);
      expect(new Set((await eventsOf(calendar)).map(({ summary }) => summary)).size).toBeLessThan(2);
      await expectCountsRight(calendar);
    }
  });

  it("add each its guests: none is lost", async () => {
    const calendar = await providerCalendar("google");
    await write(calendar, bodies.series);
    const emails = Array.from({ length: 8 }, (_, i) => `guest-${i}@acme.io`);
    await Promise.all(emails.map((email) => write(calendar, { ...bodies.series, attendees: { invite: [{ email }] } })));
    const [first] = await eventsOf(calendar);
    expect(first?.attendees.map(({ email }) => email).sort()).toEqual(emails);
  });

  it("and skipped days of it keep the counts right", async () => {
    const calendar = await openCalendar();
    await write(calendar, bodies.endless);
    const days = [5, 6, 7, 8, 9, 10].map(dayFromNow);
    await Promise.all([
      ...days.map((day) => skip(calendar, day)),
      write(calendar, { ...bodies.endless, summary: "Other" }),
      write(calendar, { ...bodies.endless, location: { description: "Room 7" } }),
    ]);
    const events = await eventsOf(calendar);
    expect(events[0]?.occurrence_date).toBe(dayFromNow(11));
    await expectCountsRight(calendar);
  });
});

describe("a write during a read of several pages", () => {
  const PAGES = 3;
  async function withSeries() {
    const calendar = await openCalendar();
    for (const name of ["a", "b", "c"])
      await write(calendar, { ...event(), event_id: name, summary: name, ...repeating({ frequency: "daily" }) });
    return calendar;
  }
  const query = { tzid: "Etc/UTC", include_managed: "true" };

  it.each<[string, (calendar: Calendar, round: number) => Promise<unknown>]>([
    ["rewriting another series", (calendar, i) => write(calendar, { ...event(), event_id: "b", summary: `b${i}` })],
    [
      "moving another series to other times",
      (calendar, i) => write(calendar, { ...event(), event_id: "b", summary: "b", start: `${START}T0${i}:00:00Z` }),
    ],
    [
      "making another series single",
      (calendar) => write(calendar, { ...event(), event_id: "b", summary: "b", recurrence: null }),
    ],
    [
      "writing a new series",
      (calendar, i) =>
        write(calendar, { ...event(), event_id: `new-${i}`, summary: "new", ...repeating({ frequency: "daily" }) }),
    ],
    ["deleting another series", (calendar) => calendar.remove(eventsPath(calendar.calendarId), { event_id: "b" })],
    [
      "rewriting the same body",
      (calendar) => write(calendar, { ...event(), event_id: "a", summary: "a", ...repeating({ frequency: "daily" }) }),
    ],
    [
      "changing the words of the series itself",
      (calendar, i) => write(calendar, { ...event(), event_id: "a", summary: `a${i}` }),
    ],
  ])("gives nothing twice and loses nothing of what keeps its time: %s", async (_, disturb) => {
    const calendar = await withSeries();
    const calm = (await allPages(calendar, "/v1/events", query)).flatMap(({ json }) => json.events as ReadEvent[]);
    const kept = calm.filter(({ event_id }) => event_id !== "b").map(({ event_uid }) => event_uid);
    let round = 0;
    const get = async (...given: Parameters<typeof calendar.get>) => {
      const answer = await calendar.get(...given);
      await disturb(calendar, round++);
      return answer;
    };
    const answers = await allPages({ ...calendar, get }, "/v1/events", query);
    expect(answers.length).toBeGreaterThanOrEqual(2);
    expect(answers.length).toBeLessThanOrEqual(PAGES);
    const read = answers.flatMap(({ json }) => json.events as ReadEvent[]);
    const uids = read.map(({ event_uid }) => event_uid);
    expect(new Set(uids).size).toBe(uids.length);
    expect(kept.filter((uid) => !uids.includes(uid))).toEqual([]);
  });

  it("the same with writes that never wait for the pages", async () => {
    const calendar = await withSeries();
    const calm = (await allPages(calendar, "/v1/events", query)).flatMap(({ json }) => json.events as ReadEvent[]);
    const kept = calm.filter(({ event_id }) => event_id !== "b").map(({ event_uid }) => event_uid);
    const [answers] = await Promise.all([
      allPages(calendar, "/v1/events", query),
      ...Array.from({ length: 8 }, (_, i) =>
        write(calendar, { ...event(), event_id: "b", summary: `b${i}`, start: `${START}T0${i}:30:00Z` }),
      ),
    ]);
    const uids = answers.flatMap(({ json }) => (json.events as ReadEvent[]).map(({ event_uid }) => event_uid));
    expect(kept.filter((uid) => !uids.includes(uid))).toEqual([]);
    expect(kept.every((uid) => uids.indexOf(uid) === uids.lastIndexOf(uid))).toBe(true);
    await expectCountsRight(calendar);
  });
});
