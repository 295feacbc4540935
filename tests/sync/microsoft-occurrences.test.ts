import { describe, expect, it } from "vitest";
import { ADA, BOB, sent, syncedMicrosoft } from "./microsoft-scene";
import { day, ours } from "./world";

const tzid = "Africa/Lagos";
const daily = (count: number, more: object = {}) => ({
  ...{ tzid, recurrence: { rules: [{ frequency: "daily", count }], ...more } },
});

/** A series of the application's at Microsoft, from the day after tomorrow on. */
async function series(body: object = daily(5)) {
  const scene = await syncedMicrosoft({ accounts: [{ email: ADA, name: "Ada" }, { email: BOB }] });
  const { fake, person, calendar, calendarId, path } = scene;
  await person.post(path, ours("daily", body));
  await person.push();
  fake.requests.length = 0;
  fake.outbox.length = 0;
  const id = () => calendar.events()[0]?.id ?? "";
  const change = (offset: number, more: object) =>
    person.post(`${path}/occurrences`, { event_id: "daily", occurrence_date: day(offset), ...more });
  const cancel = (offset: number) => person.remove(path, { event_id: "daily", occurrence_date: day(offset) });
  /** Day, start and name of each occurrence, as reads give them before and after a sync. */
  const occurrences = async () => {
    const events = await person.events(calendarId);
    return events.map(({ occurrence_date, start, summary }) => [occurrence_date, start.slice(11, 16), summary]);
  };
  const usual = (...offsets: number[]) => offsets.map((offset) => [day(offset), "14:00", "Ours daily"]);
  const instance = (offset: number) => calendar.event(calendar.occurrenceId(id(), day(offset)));
  return { ...scene, id, change, cancel, occurrences, usual, instance };
}

describe("an occurrence", () => {
  it("that is cancelled, changed and changed again is at Microsoft what the application says of it", async () => {
    const { person, change, cancel, occurrences, usual, instance } = await series();
    await cancel(3);
    await person.push();
    expect(instance(3)).toBeUndefined();
    await change(4, { summary: "Renamed", start: `${day(4)}T16:00:00Z`, end: `${day(4)}T17:00:00Z` });
    await person.push();
    expect(instance(4)).toMatchObject({ subject: "Renamed", start: { dateTime: `${day(4)}T16:00:00.0000000` } });
    await change(3, { summary: "Back" });
    await change(4, { location: { description: "Room 2" } });
    await person.push();
    expect(instance(3)).toMatchObject({ subject: "Back" });
    expect(instance(4)).toMatchObject({
      subject: "Ours daily",
      location: { displayName: "Room 2" },
      start: { dateTime: `${day(4)}T14:00:00.0000000` },
    });
    const before = await occurrences();
    expect(before).toEqual([...[...usual(2), [day(3), "14:00", "Back"]], ...usual(4, 5, 6)]);
    await person.sync();
    expect(await occurrences()).toEqual(before);
  });

  it("that is moved to another hour of its day keeps the day that it belongs to", async () => {
    const { person, change, occurrences, usual } = await series();
    await change(3, { start: `${day(3)}T08:00:00Z`, end: `${day(3)}T09:00:00Z` });
    await person.push();
    await person.sync();
    expect(await occurrences()).toEqual([...usual(2), [day(3), "08:00", "Ours daily"], ...usual(4, 5, 6)]);
  });

  it("that is moved past another is refused, and reads give what the calendar has", async () => {
    const { person, change, occurrences, usual } = await series();
    await change(3, { start: `${day(9)}T08:00:00Z`, end: `${day(9)}T09:00:00Z` });
    await person.push();
    await person.sync();
    expect(await occurrences()).toEqual(usual(2, 3, 4, 5, 6));
  });

  it("that others cancel before the write is known to be done stays cancelled", async () => {
    const { person, calendar, id, change, occurrences, usual } = await series();
    calendar.deleteOccurrence(id(), day(3));
    await change(4, { summary: "Renamed" });
    await person.push();
    await person.sync();
    expect(await occurrences()).toEqual([...usual(2), [day(4), "14:00", "Renamed"], ...usual(5, 6)]);
  });

  it("is written once although the response to it is lost", async () => {
    const { fake, person, change, instance } = await series();
    fake.faults.next({ method: "PATCH", path: /events\//, afterWork: true, respond: "serviceUnavailable" });
    await change(3, { summary: "Renamed" });
    await person.push();
    await person.push();
    expect(instance(3)).toMatchObject({ subject: "Renamed" });
    expect(sent(fake, "PATCH")).toHaveLength(1);
  });

  it("that others change keeps both changes", async () => {
    const { person, change, calendar, id, instance } = await series();
    calendar.changeEvent(calendar.occurrenceId(id(), day(3)), { categories: ["Red"] });
    await person.sync();
    await change(3, { summary: "Renamed" });
    await person.push();
    expect(instance(3)).toMatchObject({ subject: "Renamed", categories: ["Red"] });
  });
});

describe("a series that is rewritten", () => {
  const exceptions = { add: [{ date: day(4) }], change: [{ date: day(3), summary: "Renamed" }] };

  it.each([
    ["at another time", { start: `${day(2)}T16:00:00Z`, end: `${day(2)}T17:00:00Z`, tzid }, "16:00"],
    ["with another rule", daily(4), "14:00"],
    ["with a longer duration", { end: `${day(2)}T18:00:00Z`, tzid }, "14:00"],
  ])("%s keeps the occurrences that were cancelled and changed", async (_, body, time) => {
    const { person, path, calendar, id, occurrences } = await series(daily(5, { exceptions }));
    await person.post(path, ours("daily", body));
    await person.push();
    const before = await occurrences();
    expect(before.slice(0, 3)).toEqual([
      [day(2), time, "Ours daily"],
      [day(3), time, "Renamed"],
      [day(5), time, "Ours daily"],
    ]);
    await person.sync();
    expect(await occurrences()).toEqual(before);
    expect(calendar.deviations(id())).toEqual({ cancelled: [day(4)], exceptions: [day(3)] });
  });
});

it("a series keeps its time zone at Microsoft, however its start was written", async () => {
  const { calendar, id } = await series(daily(5));
  const shown = "W. Central Africa Standard Time";
  expect(calendar.event(id())).toMatchObject({
    ...{ originalStartTimeZone: shown, originalEndTimeZone: shown },
    recurrence: { pattern: { type: "daily" }, range: { numberOfOccurrences: 5, recurrenceTimeZone: shown } },
  });
});
