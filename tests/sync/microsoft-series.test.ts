import type { Event } from "@microsoft/microsoft-graph-types";
import { describe, expect, it } from "vitest";
import type { Knobs } from "../fakes/microsoft/state";
import { at, type MicrosoftScene, syncedMicrosoft, timed } from "./microsoft-scene";
import { day } from "./world";

const daily = (numberOfOccurrences: number, first = 2) => ({
  pattern: { type: "daily" as const, interval: 1 },
  range: { type: "numbered" as const, startDate: day(first), numberOfOccurrences },
});
const series = (more: Event = {}) => ({ subject: "Daily", ...timed(2), recurrence: daily(4), ...more });

/** A series of four days at Microsoft, and its occurrences as reads give them. */
async function scene(options: MicrosoftScene = {}, event = series()) {
  let id = "";
  const set = await syncedMicrosoft({
    ...options,
    fill: ({ primary }) => {
      id = primary.putEvent(event);
    },
  });
  const { person, calendar, calendarId } = set;
  const occurrences = async () => {
    await person.sync();
    const events = await person.events(calendarId);
    return events.map(({ occurrence_date, start, summary }) => [occurrence_date, start.slice(0, 16), summary]);
  };
  const usual = (...offsets: number[]) => offsets.map((offset) => [day(offset), `${day(offset)}T09:00`, "Daily"]);
  const instance = (offset: number) => calendar.occurrenceId(id, day(offset));
  return { ...set, id, occurrences, usual, instance };
}

describe("whatever change tracking says of a series", () => {
  const servers: [string, Partial<Knobs>][] = [
    ["the series and its occurrences", {}],
    ["occurrences alone", { tracksMasters: false }],
    ["nothing of a deleted occurrence", { deletedOccurrences: "silent" }],
    ["occurrences alone, and nothing of a deleted one", { tracksMasters: false, deletedOccurrences: "silent" }],
    ["occurrences on pages of their own", { splitsSeries: true, pageSize: 1 }],
    ["pages that hold nothing", { emptyPages: true }],
  ];

  it.each(servers)("its occurrences are those of the calendar: %s", async (_, knobs) => {
    const { calendar, id, occurrences, usual, instance } = await scene({ knobs });
    expect(await occurrences()).toEqual(usual(2, 3, 4, 5));
    calendar.deleteOccurrence(id, day(3));
    expect(await occurrences()).toEqual(usual(2, 4, 5));
    calendar.moveOccurrence(id, day(4), timed(4, "15:00", "16:00"));
    expect(await occurrences()).toEqual([...usual(2), [day(4), `${day(4)}T14:00`, "Daily"], ...usual(5)]);
    calendar.changeEvent(instance(5), { subject: "Last" });
    expect((await occurrences()).at(-1)).toEqual([day(5), `${day(5)}T09:00`, "Last"]);
    calendar.changeEvent(id, { subject: "Renamed" });
    expect((await occurrences()).map(([, , summary]) => summary)).toEqual(["Renamed", "Renamed", "Last"]);
  });

  it.each(servers)("it is whole when it comes for the first time: %s", async (_, knobs) => {
    const { calendar, person, id, occurrences, usual } = await scene({ knobs });
    const other = calendar.putEvent(series({ subject: "Other", ...timed(2, "12:00", "13:00") }));
    calendar.deleteOccurrence(other, day(2));
    calendar.deleteOccurrence(id, day(2));
    calendar.expireDeltaTokens();
    await person.sync();
    const all = await occurrences();
    expect(all.filter(([, , summary]) => summary === "Daily")).toEqual(usual(3, 4, 5));
    expect(all.filter(([, , summary]) => summary === "Other").map(([date]) => date)).toEqual([3, 4, 5].map(day));
  });
});

describe("an occurrence", () => {
  it("that is cancelled by its organizer is gone, and the others stay", async () => {
    const { calendar, occurrences, usual, instance } = await scene(
      {},
      series({ organizer: { emailAddress: { address: "bob@example.com" } } }),
    );
    calendar.cancelByOrganizer(instance(3));
    expect(await occurrences()).toEqual(usual(2, 4, 5));
  });

  it("has guests, a reply and a place of its own", async () => {
    const { calendar, person, calendarId, instance } = await scene();
    const guest = { type: "required" as const, emailAddress: { address: "bob@example.com", name: "Bob" } };
    calendar.changeEvent(instance(3), {
      attendees: [{ ...guest, status: { response: "accepted" } }],
      location: { displayName: "Hall" },
      showAs: "free",
    });
    await person.sync();
    const events = await person.events(calendarId);
    expect(events[1]).toMatchObject({
      ...{ occurrence_date: day(3), location: { description: "Hall" }, transparency: "transparent" },
      attendees: [{ email: "bob@example.com", status: "accepted" }],
    });
    for (const other of [events[0], events[2]]) expect(other).toMatchObject({ attendees: [], transparency: "opaque" });
  });

  it("that is moved to another day keeps the day that it belongs to", async () => {
    const weekly: Event["recurrence"] = { ...daily(3), pattern: { type: "daily", interval: 5 } };
    const { calendar, id, occurrences } = await scene({}, series({ recurrence: weekly }));
    calendar.moveOccurrence(id, day(7), timed(9, "08:00", "09:00"));
    expect(await occurrences()).toEqual([
      [day(2), `${day(2)}T09:00`, "Daily"],
      [day(7), `${day(9)}T07:00`, "Daily"],
      [day(12), `${day(12)}T09:00`, "Daily"],
    ]);
  });

  it("to which the user was invited alone is an event, until they have its series", async () => {
    const { fake, calendar, person, instance, calendarId } = await scene();
    const dates = async () => (await person.events(calendarId)).map(({ start }) => start.slice(0, 10));
    calendar.changeEvent(instance(3), { subject: "Alone" });
    calendar.expireDeltaTokens();
    const row = { ...calendar.event(instance(3)), seriesMasterId: "AAkALgAAelsewhere" };
    const body = { value: [row], "@odata.deltaLink": `${fake.origin}/v1.0/me/calendarView/delta?$deltatoken=x` };
    const gone = { error: { code: "SyncStateNotFound", message: "" } };
    fake.faults.next({ path: /\/delta$/, respond: { status: 410, body: gone } });
    fake.faults.next({ path: /\/delta$/, respond: { status: 200, body } });
    await person.sync();
    expect(await dates()).toEqual([day(3)]);
    await person.sync();
    expect(await dates()).toEqual([2, 3, 4, 5].map(day));
  });
});

describe("a series", () => {
  it("that others end, and that goes on as another, is two series", async () => {
    const { calendar, id, occurrences } = await scene();
    calendar.changeEvent(id, { recurrence: daily(2) });
    calendar.putEvent(series({ subject: "After", ...timed(4), recurrence: daily(2, 4) }));
    expect((await occurrences()).map(([date, , summary]) => [date, summary])).toEqual([
      ...[2, 3].map((offset) => [day(offset), "Daily"]),
      ...[4, 5].map((offset) => [day(offset), "After"]),
    ]);
  });

  it("that others make a single event is one, also where an occurrence was cancelled", async () => {
    const { calendar, person, calendarId, id } = await scene();
    calendar.deleteOccurrence(id, day(3));
    await person.sync();
    calendar.changeEvent(id, { recurrence: null, subject: "Once" });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Once", recurring: false }]);
  });

  it("that a single event becomes is one", async () => {
    const { calendar, person, calendarId, id } = await scene({}, series({ recurrence: null }));
    calendar.changeEvent(id, { recurrence: daily(2) });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ recurring: true }, { recurring: true }]);
  });

  it("that is deleted is gone with all that was moved and renamed of it", async () => {
    const { calendar, id, occurrences, instance } = await scene();
    calendar.moveOccurrence(id, day(4), timed(4, "15:00", "16:00"));
    calendar.changeEvent(instance(5), { subject: "Last" });
    expect(await occurrences()).toHaveLength(4);
    calendar.deleteEvent(id);
    expect(await occurrences()).toEqual([]);
  });

  it("of whole days keeps its days when one of them is renamed and another cancelled", async () => {
    const whole = (offset: number) => ({ start: at(offset, "00:00"), end: at(offset + 1, "00:00") });
    const { calendar, person, calendarId, id, instance } = await scene({}, series({ isAllDay: true, ...whole(2) }));
    calendar.changeEvent(instance(3), { subject: "Other" });
    calendar.deleteOccurrence(id, day(4));
    await person.sync();
    const events = await person.events(calendarId);
    expect(events.map(({ start, end, summary }) => [start, end, summary])).toEqual([
      [day(2), day(3), "Daily"],
      [day(3), day(4), "Other"],
      [day(5), day(6), "Daily"],
    ]);
  });
});
