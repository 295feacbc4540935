import { expect, it } from "vitest";
import { type Database, db } from "@/server/db/client";
import { undoRefused } from "@/server/store/events/revert-refused";
import { setPushed } from "../fakes/stored-events";
import { dropWrites, refuseWrites, storedWrites } from "../fakes/stored-writes";
import { dayFromNow } from "./dates";
import { changesOf, endFirstSync, receive } from "./event-states";
import { providerCalendar } from "./provider-calendar";
import { type Calendar, eventsOf, write } from "./written-series";

const meeting = (eventId: string) => ({
  event_id: eventId,
  summary: eventId,
  start: `${dayFromNow(1)}T09:00:00Z`,
  end: `${dayFromNow(1)}T10:00:00Z`,
});

/** All writes to the calendar are refused for a reason. Gives them as `undoRefused` takes them. */
async function refused({ calendarId }: Calendar, reason = "http_403"): Promise<string[]> {
  await refuseWrites(calendarId, reason);
  return (await storedWrites(calendarId)).map(({ id, revision }) => `${id}.${revision}`);
}

async function undone({ calendarId }: Calendar): Promise<number> {
  return (await storedWrites(calendarId)).filter(({ revertedAt }) => revertedAt).length;
}

it("writes that were refused are undone some at a time: what is done when the database goes away stays done", async () => {
  const calendar = await providerCalendar("icloud");
  await endFirstSync(calendar);
  const all = Array.from({ length: 60 }, (_, i) => `event-${i}`);
  for (const eventId of all) await write(calendar, meeting(eventId));
  const refusals = { calendarId: calendar.calendarId, refused: await refused(calendar) };
  let transactions = 0;
  const failing: Database = {
    ...db(),
    transaction: (work, ...more) => {
      transactions += 1;
      return transactions > 1 ? Promise.reject(new Error("terminated")) : db().transaction(work, ...more);
    },
  };
  await expect(undoRefused(failing, refusals)).rejects.toThrow("terminated");
  const first = await undone(calendar);
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(all.length);
  expect(await eventsOf(calendar)).toHaveLength(all.length - first);
  await undoRefused(db(), refusals);
  expect(await undone(calendar)).toBe(all.length);
  expect(await eventsOf(calendar)).toEqual([]);
  expect((await changesOf(calendar)).length).toBeGreaterThan(0);
});

it("an event that was refused and that the pull could not read is read by the next one", async () => {
  const calendar = await providerCalendar("icloud");
  await write(calendar, meeting("unread"));
  await setPushed(calendar.calendarId, "v1");
  await undoRefused(db(), { calendarId: calendar.calendarId, refused: await refused(calendar) });
  expect(await undone(calendar)).toBe(1);
  await receive(calendar, { "/unread.ics": { summary: "Kept there", version: "v1" } });
  expect(await eventsOf(calendar)).toMatchObject([{ summary: "Kept there" }]);
});

it("what was only given up is not undone", async () => {
  const calendar = await providerCalendar("icloud");
  await write(calendar, meeting("late"));
  await undoRefused(db(), { calendarId: calendar.calendarId, refused: await refused(calendar, "down") });
  expect(await undone(calendar)).toBe(0);
  expect(await eventsOf(calendar)).toMatchObject([{ summary: "late" }]);
});

it.each(["http_403", "down"])(
  "after a write that ended with %s and what others said since, the next one has changed only what it says otherwise",
  async (reason) => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting("own"));
    await dropWrites(calendar.calendarId);
    await setPushed(calendar.calendarId, "v1");
    await write(calendar, { ...meeting("own"), summary: "Refused" });
    const refusals = { calendarId: calendar.calendarId, refused: await refused(calendar, reason) };
    await receive(calendar, { "/own.ics": { summary: "Theirs", version: "v2" } });
    await undoRefused(db(), refusals);
    await write(calendar, { ...meeting("own"), summary: "Theirs", url: "https://a.example" });
    const [waiting] = await storedWrites(calendar.calendarId);
    expect(waiting?.changedFields).toEqual(["url"]);
  },
);

it("an event whose write was given up is the others' once they change it, and the write is forgotten", async () => {
  const calendar = await providerCalendar("icloud");
  await write(calendar, meeting("own"));
  await dropWrites(calendar.calendarId);
  await setPushed(calendar.calendarId, "v1");
  await write(calendar, { ...meeting("own"), summary: "Never sent" });
  await refused(calendar, "down");
  expect(await eventsOf(calendar)).toMatchObject([{ summary: "Never sent" }]);
  await receive(calendar, { "/own.ics": { summary: "Theirs", version: "v2" } });
  expect(await eventsOf(calendar)).toMatchObject([{ summary: "Theirs" }]);
  expect(await storedWrites(calendar.calendarId)).toMatchObject([{ changedFields: [] }]);
});
