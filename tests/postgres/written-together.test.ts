import { describe, expect, it } from "vitest";
import { type Database, db, type Query } from "@/server/db/client";
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
import { ownCaller, READ_TO_WRITE } from "./own-caller";
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

/** A database on which so many writes wait until all of them have read, and then until others have written. */
function afterReads(writes: number, others: () => Promise<unknown>): Database {
  let left = writes;
  let proceed = () => {};
  const done = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const query: Query = async (text, values) => {
    const rows = await db().query(text, values);
    if (READ_TO_WRITE.test(text)) {
      left -= rows.length;
      if (left === 0) void others().finally(proceed);
      await done;
    }
    return rows as never[];
  };
  return { ...db(), query };
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
    expect(sent).toContain("events to write");
    expect(sent).toContain(TOGETHER);
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

  it("are refused, or changed instead, where what was read is not so any more", async () => {
    const [first, readonly, taken, other] = await times(4, openCalendar);
    if (!first || !readonly || !taken || !other) throw new Error("no calendar");
    const all = [first, readonly, taken, other];
    const database = afterReads(all.length, async () => {
      await changeCalendar(readonly.calendarId, { readonly: true });
      await write(taken, meeting("one", { summary: "Other" }));
    });
    const callers = await Promise.all(all.map((calendar) => ownCaller(calendar, database)));
    const sent = await statementsOf(async () => {
      const written = await Promise.allSettled(callers.map((caller) => caller.write(meeting("one"))));
      expect(written.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
      expect(written[1]).toMatchObject({ reason: { message: "read_only" } });
    });
    expect(sent).toContain(TOGETHER);
    const counts = await Promise.all(all.map(async ({ calendarId }) => (await livingEvents(calendarId)).length));
    expect(counts).toEqual([1, 0, 1, 1]);
    expect(await shown(taken, "one")).toMatchObject({ summary: "Planning" });
  });

  it("do not wait for a calendar that somebody else holds", async () => {
    const [held, ...free] = await times(6, openCalendar);
    if (!held) throw new Error("no calendar");
    let waiting: Promise<unknown> = Promise.resolve();
    let hasAnswered = false;
    await holding(held, async () => {
      waiting = send(held, meeting("held")).then(({ status }) => {
        hasAnswered = true;
        expect(status).toBe(202);
      });
      await Promise.all([...free, ...free].map((calendar, i) => write(calendar, meeting(`held ${i}`))));
      expect(hasAnswered).toBe(false);
    });
    await waiting;
    expect(await livingEvents(held.calendarId)).toHaveLength(1);
  });
});
