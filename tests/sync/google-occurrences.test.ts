import { describe, expect, it } from "vitest";
import { ADA, asked, at, BOB, sent, syncedGoogle, timed } from "./google-scene";
import { day, ours } from "./world";

const tzid = "Africa/Lagos";
const daily = (count: number, more: object = {}) => ({
  ...{ tzid, recurrence: { rules: [{ frequency: "daily", count }], ...more } },
});

/** A series of the application's at Google, from the day after tomorrow on. */
async function series(body: object = daily(5)) {
  const scene = await syncedGoogle({ accounts: [{ email: ADA }, { email: BOB }] });
  const { provider, person, calendar, calendarId, path } = scene;
  await person.post(path, ours("daily", body));
  await person.push();
  provider.requests.length = 0;
  provider.outbox.length = 0;
  const id = calendar.events()[0]?.id ?? "";
  const change = (offset: number, more: object) =>
    person.post(`${path}/occurrences`, { event_id: "daily", occurrence_date: day(offset), ...more });
  const cancel = (offset: number) => person.remove(path, { event_id: "daily", occurrence_date: day(offset) });
  /** Day, start and name of each occurrence, as reads give them before and after a sync. */
  const occurrences = async () => {
    const events = await person.events(calendarId);
    return events.map(({ occurrence_date, start, summary }) => [occurrence_date, start.slice(11, 16), summary]);
  };
  const usual = (...offsets: number[]) => offsets.map((offset) => [day(offset), "14:00", "Ours daily"]);
  const instance = (offset: number) => calendar.event(`${id}_${day(offset).replaceAll("-", "")}T140000Z`);
  return { ...scene, id, change, cancel, occurrences, usual, instance };
}

describe("an occurrence", () => {
  it("that is cancelled, changed and changed again is at Google what the application says of it", async () => {
    const { provider, person, change, cancel, occurrences, usual, instance } = await series();
    await cancel(3);
    await person.push();
    expect(instance(3)).toMatchObject({ status: "cancelled" });
    await change(4, { summary: "Renamed", start: `${day(4)}T16:00:00Z`, end: `${day(4)}T17:00:00Z` });
    await person.push();
    expect(instance(4)).toMatchObject({ summary: "Renamed", start: { dateTime: `${day(4)}T16:00:00Z` } });
    await change(3, { summary: "Back" });
    await change(4, { location: { description: "Room 2" } });
    await person.push();
    expect(instance(3)).toMatchObject({ status: "confirmed", summary: "Back" });
    expect(instance(4)).toMatchObject({
      summary: "Ours daily",
      location: "Room 2",
      start: { dateTime: `${day(4)}T14:00:00Z` },
    });
    expect(sent(provider, "PATCH")).toHaveLength(4);
    await person.sync();
    expect(await occurrences()).toEqual([...[...usual(2), [day(3), "14:00", "Back"]], ...usual(4, 5, 6)]);
  });

  it("that is moved to another day keeps the day that it belongs to", async () => {
    const { person, change, occurrences, usual } = await series();
    await change(3, { start: `${day(9)}T08:00:00Z`, end: `${day(9)}T09:00:00Z` });
    await person.push();
    await person.sync();
    expect(await occurrences()).toEqual([...usual(2, 4, 5, 6), [day(3), "08:00", "Ours daily"]]);
  });

  it("is written once although the response to it is lost", async () => {
    const { provider, person, change, instance } = await series(daily(5, { exceptions: { add: [], change: [] } }));
    provider.faults.next({ method: "PATCH", path: /_\d{8}T/, afterWork: true, respond: "backendError" });
    await change(3, { summary: "Renamed" });
    await person.push();
    await person.push();
    expect(instance(3)).toMatchObject({ summary: "Renamed" });
    expect(sent(provider, "PATCH")).toHaveLength(1);
  });

  it("that others change while it is written keeps both changes", async () => {
    const { provider, person, change, calendar, id, instance } = await series();
    const original = { dateTime: `${day(3)}T14:00:00Z` };
    calendar.moveOccurrence(id, original, timed(3, "20:00", "21:00"));
    await person.sync();
    const run = () => calendar.changeEvent(`${id}_${day(3).replaceAll("-", "")}T140000Z`, { colorId: "3" });
    provider.faults.next({ method: "PATCH", path: /_\d{8}T/, run });
    await change(3, { summary: "Renamed" });
    await person.push();
    expect(instance(3)).toMatchObject({ summary: "Renamed", colorId: "3" });
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
    const renamed = calendar.events().filter(({ status, summary }) => status !== "cancelled" && summary === "Renamed");
    expect(renamed).toMatchObject([{ recurringEventId: id }]);
  });
});

it("a series keeps its time zone at Google, however its start was written", async () => {
  const { calendar, id } = await series(daily(5));
  expect(calendar.event(id)).toMatchObject({
    ...{ start: { dateTime: `${day(2)}T14:00:00Z`, timeZone: tzid }, end: { timeZone: tzid } },
    recurrence: ["RRULE:FREQ=DAILY;COUNT=5"],
  });
});

it("a changed occurrence of a known series is read by two requests", async () => {
  const { provider, person, calendar, id, occurrences } = await series();
  await person.sync();
  provider.requests.length = 0;
  calendar.moveOccurrence(id, { dateTime: `${day(3)}T14:00:00Z` }, { start: at(3, "20:00"), end: at(3, "21:00") });
  await person.sync();
  expect(asked(provider).filter((one) => /events/.test(one))).toEqual([
    `GET calendars/${ADA}/events`,
    `GET calendars/${ADA}/events`,
  ]);
  expect(await occurrences()).toContainEqual([day(3), "19:00", "Ours daily"]);
});
