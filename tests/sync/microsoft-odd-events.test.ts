import type { Event } from "@microsoft/microsoft-graph-types";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { ADA, BOB, syncedMicrosoft, timed } from "./microsoft-scene";
import { day } from "./world";

/** Somebody whose calendar holds these, synced once. */
async function filled(events: Event[], options: Parameters<typeof syncedMicrosoft>[0] = {}) {
  const ids: string[] = [];
  const set = await syncedMicrosoft({
    ...options,
    fill: ({ primary }) => {
      for (const event of events) ids.push(primary.putEvent(event));
    },
  });
  const { person, calendarId } = set;
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
  const read = (query: Record<string, string> = {}) => person.events(calendarId, query);
  return { ...set, ids, read };
}

const inZone = (timeZone: string, offset = 2) => ({
  start: { dateTime: `${day(offset)}T10:00:00`, timeZone },
  end: { dateTime: `${day(offset)}T11:00:00`, timeZone },
});
const weeks = (first: number) => ({
  pattern: { type: "daily" as const, interval: 7 },
  range: { type: "noEnd" as const, startDate: day(first) },
});
const inUtc = (date: string, zone: string) =>
  Temporal.PlainDateTime.from(`${date}T10:00:00`)
    .toZonedDateTime(zone)
    .toInstant()
    .toString({ smallestUnit: "second" });

describe("a time zone", () => {
  it("that Outlook made itself keeps the hour of a series in the mailbox's zone when clocks change", async () => {
    const event = { ...inZone("Eastern Standard Time", -40), recurrence: weeks(-40) };
    const { read } = await filled([{ subject: "Weekly", ...event, hasCustomZone: true } as Event], {
      accounts: [{ email: ADA, timeZone: "Eastern Standard Time" }],
    });
    const events = await read({ from: day(-41), to: day(200) });
    const dates = Array.from({ length: 35 }, (_, week) => day(-40 + 7 * week)).slice(0, events.length);
    expect(events.length).toBeGreaterThan(33);
    expect(events.map(({ start }) => start)).toEqual(dates.map((date) => inUtc(date, "America/New_York")));
  });

  it.each(["(UTC+00:00) Dublin, Edinburgh, Lisbon, London", "Customized Time Zone", "tzone://Microsoft/Custom", ""])(
    "of the name %j stops nothing, and the time is right",
    async (name) => {
      const { fake, calendar, person, read, ids } = await filled([{ subject: "Good", ...timed(3) }]);
      const id = calendar.putEvent({ subject: "Odd", ...inZone("UTC"), recurrence: weeks(2) });
      const item = calendar.event(id);
      const range = { ...item?.recurrence?.range, recurrenceTimeZone: name };
      const body = { ...item, originalStartTimeZone: name, recurrence: { ...item?.recurrence, range } };
      fake.faults.next({ path: /\/events\/[^/]+$/, respond: { status: 200, body } });
      await person.sync();
      const events = await read({ to: day(8) });
      expect(events.map(({ summary, start }) => [summary, start])).toEqual([
        ["Odd", `${day(2)}T10:00:00Z`],
        ["Good", expect.any(String)],
      ]);
      expect(ids).toHaveLength(1);
    },
  );
});

describe("an event of whole days", () => {
  it.each(["UTC-11", "Hawaiian Standard Time", "Line Islands Standard Time", "UTC+13"])(
    "keeps its dates in a mailbox of %s, and is busy then",
    async (timeZone) => {
      const midnight = (offset: number) => ({ dateTime: `${day(offset)}T00:00:00`, timeZone });
      const trip = { subject: "Trip", isAllDay: true, start: midnight(3), end: midnight(5) };
      const duty = { subject: "Duty", isAllDay: true, start: midnight(6), end: midnight(7), recurrence: weeks(6) };
      const { calendar, person, read, ids } = await filled([trip, duty], { accounts: [{ email: ADA, timeZone }] });
      calendar.deleteOccurrence(ids[1] ?? "", day(13));
      await person.sync();
      const dates = [
        { start: day(3), end: day(5) },
        { start: day(6), end: day(7) },
        { start: day(20), end: day(21) },
      ];
      expect(await read({ to: day(22) })).toMatchObject(dates);
      const query = { tzid: "Etc/UTC", from: day(0), to: day(22) };
      const { json } = await person.get("/v1/free_busy", query);
      expect(json.free_busy).toMatchObject(dates.map((one) => ({ ...one, free_busy_status: "busy" })));
    },
  );
});

describe("a meeting of people without an address", () => {
  const dn = "/O=EXCHANGELABS/OU=EXCHANGE ADMINISTRATIVE GROUP/CN=RECIPIENTS/CN=0A1B-BOB";
  const nobody = { emailAddress: { address: dn, name: "Bob" } };

  it("is there, with those who have one", async () => {
    const carol = { type: "optional" as const, emailAddress: { address: "carol@example.com", name: "Carol" } };
    const attendees = [{ type: "required" as const, ...nobody }, carol];
    const { read } = await filled([{ subject: "Old", ...timed(2), organizer: nobody, attendees }]);
    const [event] = await read();
    expect(event.attendees).toMatchObject([{ email: "carol@example.com" }]);
    expect(JSON.stringify(event)).not.toContain("EXCHANGELABS");
  });
});

describe("an event that cannot be read", () => {
  const odd: [string, object][] = [
    ["a rule that nobody knows", { recurrence: { pattern: { type: "lunar", interval: 1 }, range: { type: "noEnd" } } }],
    ["a rule without a day", { recurrence: { pattern: { type: "weekly", interval: 1 }, range: { type: "noEnd" } } }],
    ["no start", { start: null }],
    ["a start that is no time", { start: { dateTime: "soon", timeZone: "UTC" } }],
    ["fields of other types", { subject: 5, body: "x", attendees: "all", organizer: [], location: 1, start: 7 }],
  ];

  it.each(odd)("stops none of the others: %s", async (_, fields) => {
    const { fake, calendar, person, summaries } = await filled([{ subject: "Good", ...timed(2) }]);
    const id = calendar.putEvent({ subject: "Odd", ...timed(3), recurrence: weeks(3) });
    const body = { ...calendar.event(id), ...fields };
    fake.faults.next({ path: /\/events\/[^/]+$/, respond: { status: 200, body } });
    calendar.putEvent({ subject: "Good, too", ...timed(4) });
    await person.sync();
    expect((await summaries()).filter((name: string) => name.startsWith("Good"))).toEqual(["Good", "Good, too"]);
    expect(await person.profile()).toMatchObject({ sync_error: null, sync_failures: 0 });
  });

  it("is read once it can be", async () => {
    const { fake, calendar, person, summaries } = await filled([]);
    const id = calendar.putEvent({ subject: "Odd", ...timed(3), recurrence: weeks(3) });
    fake.faults.next({ path: /\/events\/[^/]+$/, respond: { status: 200, body: { id, type: "seriesMaster" } } });
    await person.sync();
    expect(await summaries()).toEqual([]);
    calendar.changeEvent(id, { subject: "Mended" });
    await person.sync();
    expect(new Set(await summaries())).toEqual(new Set(["Mended"]));
  });
});

describe("an event of long ago or far ahead", () => {
  it("that has begun before the window is there while it lasts", async () => {
    const long = { start: inZone("UTC", -90).start, end: inZone("UTC", 5).end };
    const { summaries } = await filled([{ subject: "Long", ...long }]);
    expect(await summaries()).toEqual(["Long"]);
  });

  it("that repeats since many years has its occurrences", async () => {
    const old = (year: number) => ({ dateTime: `${year}-01-05T10:00:00`, timeZone: "UTC" });
    const recurrence: Event["recurrence"] = {
      pattern: { type: "daily", interval: 1 },
      range: { type: "noEnd", startDate: "2009-01-05" },
    };
    const event = { subject: "Old", start: old(2009), end: { ...old(2009), dateTime: "2009-01-05T11:00:00" } };
    const { read } = await filled([{ ...event, recurrence }]);
    expect(await read({ from: day(0), to: day(9) })).toHaveLength(9);
  });
});

it("two events whose ids differ by the case of a letter are two", async () => {
  const { calendar, person, summaries, ids } = await filled(
    ["One", "Two", "Three", "Four"].map((subject, i) => ({ subject, ...timed(2 + i) })),
  );
  expect(await summaries()).toEqual(["One", "Two", "Three", "Four"]);
  calendar.deleteEvent(ids[1] ?? "");
  await person.sync();
  expect(await summaries()).toEqual(["One", "Three", "Four"]);
});

it("an event that moves to another calendar is there alone, and comes back with its name", async () => {
  const { fake, ada, calendar, person, calendarId, ids } = await filled([{ subject: "Moves", ...timed(2) }], {
    accounts: [{ email: ADA }, { email: BOB }],
  });
  const other = ada.addCalendar({ name: "Other" });
  await person.sync();
  const moved = calendar.moveEvent(ids[0] ?? "", other);
  const otherId = await person.calendarId("Other");
  const shown = async () => {
    await person.sync();
    await person.sync();
    const all = await Promise.all([calendarId, otherId].map((id) => person.events(id)));
    return all.map((events) => events.map(({ summary }) => summary));
  };
  expect(await shown()).toEqual([[], ["Moves"]]);
  fake.calendar(other).moveEvent(moved, calendar.id);
  expect(await shown()).toEqual([["Moves"], []]);
});
