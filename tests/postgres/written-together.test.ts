import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { lockCalendarRow } from "@/server/store/events/continue-series.sql";
import { dayFromNow } from "../api/dates";
import { ownDatabase } from "../api/own-database";
import { providerCalendar } from "../api/provider-calendar";
import { openCalendar } from "../api/service";
import { type Calendar, eventsOf, eventsPath, write } from "../api/written-series";
import { changeCalendar, setConnected, storedCalendar } from "../fakes/stored";
import { keptCounts, livingEvents } from "../fakes/stored-events";
import { storedWrite, storedWrites } from "../fakes/stored-writes";
import { statementsOf } from "./sent-statements";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const DAY = dayFromNow(3);
const TOGETHER = "insert events";
const meeting = (event_id: string, more: object = {}) => ({
  ...{ event_id, summary: "Planning", tzid: "Europe/Berlin", location: { description: "Room 4" } },
  ...{
    start: `${DAY}T09:00:00Z`,
    end: `${DAY}T10:00:00Z`,
    attendees: { invite: [{ email: "bob@acme.io" }] },
    notify_attendees: false,
  },
  ...more,
});
const send = (calendar: Calendar, body: object) => calendar.post(eventsPath(calendar.calendarId), body);
const times = <Made>(count: number, make: () => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, () => make()));

/** Without what differs from calendar to calendar. */
async function shown(calendar: Calendar, event_id: string) {
  const found = (await eventsOf(calendar, { include_managed: "true" })).find((event) => event.event_id === event_id);
  return { ...found, calendar_id: "", event_uid: "", event_id: "", created: "", updated: "", organizer: null };
}

async function queuedFor(calendar: Calendar) {
  const { accountId } = await storedCalendar(calendar.calendarId);
  const { notify, removedGuests, revision, suspended, attempts, name } = await storedWrite(accountId);
  return { notify, removedGuests, revision, suspended, attempts, isNamed: name !== null };
}

/** While `work` runs somebody else holds the calendar. */
async function holding(calendar: Calendar, work: () => Promise<unknown>): Promise<void> {
  await db().transaction(async (query) => {
    await run(query, lockCalendarRow, [calendar.calendarId]);
    await work();
  });
}

describe("new events of several calendars at once", () => {
  it.each([
    { kept: "by us", open: openCalendar },
    { kept: "at a provider", open: () => providerCalendar("google") },
  ])("are written in one statement, each as it would be alone: kept $kept", async ({ open }) => {
    const alone = await open();
    await write(alone, meeting("one"));
    const calendars = await times(8, open);
    const sent = await statementsOf(() => Promise.all(calendars.map((calendar) => write(calendar, meeting("one")))));
    expect(sent.filter((name) => name === TOGETHER).length).toBeGreaterThan(0);
    const expected = await shown(alone, "one");
    expect(expected).toMatchObject({ summary: "Planning", location: { description: "Room 4" } });
    for (const calendar of calendars) expect(await shown(calendar, "one")).toEqual(expected);
    const { kept, counted } = await keptCounts(calendars.map(({ calendarId }) => calendarId));
    // A day and a month of each.
    expect(counted).toHaveLength(16);
    expect(kept).toEqual(counted);
  });

  it("are queued for their providers, suspended where the profile is disconnected", async () => {
    const alone = await providerCalendar("google");
    await write(alone, meeting("one"));
    const calendars = await times(6, () => providerCalendar("google"));
    const [hosted] = await times(1, openCalendar);
    const [, disconnected] = calendars;
    if (!disconnected || !hosted) throw new Error("no calendar");
    await setConnected((await storedCalendar(disconnected.calendarId)).profileId, false);
    const sent = await statementsOf(() => Promise.all([...calendars, hosted].map((one) => write(one, meeting("one")))));
    expect(sent).toContain(TOGETHER);
    const expected = await queuedFor(alone);
    for (const calendar of calendars) {
      expect(await queuedFor(calendar)).toEqual({ ...expected, suspended: calendar === disconnected });
    }
    expect(await storedWrites((await storedCalendar(hosted.calendarId)).accountId)).toEqual([]);
  });

  it("of one calendar are written one after another, and none is lost", async () => {
    const calendar = await openCalendar();
    const ids = Array.from({ length: 12 }, (_, i) => `${i}`);
    await Promise.all(ids.map((id) => write(calendar, meeting(id))));
    expect(await livingEvents(calendar.calendarId)).toHaveLength(12);
    const { kept, counted } = await keptCounts([calendar.calendarId]);
    expect(kept).toEqual(counted);
  });

  it("are refused, or changed instead, where what was taken for granted is not so any more", async () => {
    const [first, readonly, known, other] = await times(4, openCalendar);
    if (!first || !readonly || !known || !other) throw new Error("no calendar");
    const all = [first, readonly, known, other];
    for (const calendar of all) for (const id of ["1", "2", "3"]) await write(calendar, meeting(id));
    await changeCalendar(readonly.calendarId, { readonly: true });
    const sent = await statementsOf(async () => {
      const bodies = [meeting("4"), meeting("4"), meeting("3", { summary: "Other" }), meeting("4")];
      const answers = await Promise.all(all.map((calendar, i) => send(calendar, bodies[i] ?? {})));
      expect(answers.map(({ status }) => status)).toEqual([202, 403, 202, 202]);
    });
    expect(sent).toContain(TOGETHER);
    const counts = await Promise.all(all.map(async ({ calendarId }) => (await livingEvents(calendarId)).length));
    expect(counts).toEqual([4, 3, 3, 4]);
    expect(await shown(known, "3")).toMatchObject({ summary: "Other" });
  });

  it("do not wait for a calendar that somebody else holds", async () => {
    const [held, ...free] = await times(6, openCalendar);
    if (!held) throw new Error("no calendar");
    for (const calendar of [held, ...free]) for (const id of ["1", "2"]) await write(calendar, meeting(id));
    let waiting: Promise<unknown> = Promise.resolve();
    let hasAnswered = false;
    await holding(held, async () => {
      waiting = send(held, meeting("3")).then(({ status }) => {
        hasAnswered = true;
        expect(status).toBe(202);
      });
      await Promise.all([...free, ...free].map((calendar, i) => write(calendar, meeting(`held ${i}`))));
      expect(hasAnswered).toBe(false);
    });
    await waiting;
    expect(await livingEvents(held.calendarId)).toHaveLength(3);
  });
});
