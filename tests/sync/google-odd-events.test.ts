import { describe, expect, it } from "vitest";
import { connectGooglePerson, google } from "./google-person";
import { at, timed } from "./google-scene";
import { day, ours } from "./world";

const EMAIL = "ada@example.com";

/** Somebody whose calendar holds what `fill` puts into it, synced once. */
async function filled(
  fill: (primary: Awaited<ReturnType<typeof google>>["account"] extends (email: string) => infer A ? A : never) => void,
  options: Parameters<typeof google>[0] = {},
) {
  const provider = await google(options);
  fill(provider.account(EMAIL));
  const person = await connectGooglePerson(provider);
  await person.sync();
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
  const calendarId = await person.calendarId(EMAIL);
  return { provider, person, calendarId, calendar: provider.account(EMAIL).primary };
}

/** The id of an occurrence of `series00` at ten in Lagos. */
const instance = (offset: number) => `series00_${day(offset).replaceAll("-", "")}T090000Z`;

describe("a series", () => {
  it.each(["by the reference", "guaranteed", "id only"] as const)(
    "has its cancelled occurrences when Google says of them %s",
    async (cancelled) => {
      const { person, calendar, calendarId } = await filled(
        ({ primary }) => {
          primary.putEvent({ id: "daily00", summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
        },
        { knobs: { cancelled } },
      );
      calendar.deleteOccurrence("daily00", at(3));
      await person.sync();
      const dates = (await person.events(calendarId)).map(({ occurrence_date }) => occurrence_date);
      expect(dates).toEqual([day(2), day(4), day(5)]);
    },
  );

  it("is whole however small the pages are on which its exceptions come", async () => {
    const { person, calendarId } = await filled(
      ({ primary }) => {
        for (const i of [1, 2, 3]) {
          primary.putEvent({
            id: `series${i}0`,
            summary: `S${i}`,
            ...timed(2),
            recurrence: ["RRULE:FREQ=DAILY;COUNT=3"],
          });
          primary.moveOccurrence(`series${i}0`, at(3), timed(3, "15:00", "16:00"));
        }
      },
      { knobs: { pageSize: 1 } },
    );
    const events = await person.events(calendarId);
    expect(events).toHaveLength(9);
    expect(events.filter(({ start }: { start: string }) => start.includes(`${day(3)}T14:00`))).toHaveLength(3);
  });

  it("has dates of its own and several rules, as the calendar shows it", async () => {
    const { person, calendarId } = await filled(({ primary }) => {
      const more = `RDATE;TZID=Africa/Lagos:${day(9).replaceAll("-", "")}T100000`;
      const recurrence = ["RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY;COUNT=2", more];
      primary.putEvent({ summary: "Odd", ...timed(2), recurrence });
    });
    const dates = (await person.events(calendarId)).map(({ occurrence_date }) => occurrence_date);
    expect([...new Set(dates)]).toEqual([day(2), day(3), day(9)]);
  });

  it("that others have made a single event is one, whatever Google has kept of its exceptions", async () => {
    const { person, calendar, calendarId } = await filled(({ primary }) => {
      primary.putEvent({ id: "daily00", summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
      primary.moveOccurrence("daily00", at(3), timed(3, "15:00", "16:00"));
    });
    calendar.changeEvent("daily00", { recurrence: undefined });
    await person.sync();
    const events = await person.events(calendarId);
    expect(events).toMatchObject([{ summary: "Daily", recurring: false }]);
    calendar.expireSyncTokens();
    await person.sync();
    expect(await person.events(calendarId)).toEqual(events);
  });

  it("that was ended by others and goes on as another is two series", async () => {
    const { person, calendar, calendarId } = await filled(({ primary }) => {
      primary.putEvent({ id: "before0", summary: "Before", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=6"] });
    });
    calendar.changeEvent("before0", { recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
    calendar.putEvent({ id: "after00", summary: "After", ...timed(5), recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
    await person.sync();
    const names = (await person.events(calendarId)).map(({ summary }) => summary);
    expect(names).toEqual([...Array(3).fill("Before"), ...Array(3).fill("After")]);
  });
});

describe("an occurrence", () => {
  it("to which the user was invited alone is an event, until they have its series", async () => {
    const { person, calendar, calendarId } = await filled(({ primary }) => {
      const alone = { recurringEventId: "series00", originalStartTime: at(3) };
      primary.putEvent({ id: instance(3), summary: "Alone", ...alone, ...timed(3) });
    });
    const names = async () => (await person.events(calendarId)).map(({ summary }) => summary);
    expect(await names()).toEqual(["Alone"]);
    const iCalUID = calendar.event(instance(3))?.iCalUID;
    calendar.putEvent({
      id: "series00",
      iCalUID,
      summary: "Series",
      ...timed(2),
      recurrence: ["RRULE:FREQ=DAILY;COUNT=3"],
    });
    await person.sync();
    expect(await names()).toEqual(["Series", "Alone", "Series"]);
  });

  it("that the application has renamed stays renamed when it moves the series", async () => {
    const { person, calendar, calendarId } = await filled(() => {});
    const write = (more: object) =>
      person.post(
        `/v1/calendars/${calendarId}/events`,
        ours("series", { tzid: "Africa/Lagos", recurrence: { rules: [{ frequency: "daily", count: 4 }] }, ...more }),
      );
    const change = [{ date: day(3), summary: "Renamed" }];
    const recurrence = { rules: [{ frequency: "daily", count: 4 }], exceptions: { add: [{ date: day(4) }], change } };
    await write({ recurrence });
    await person.push();
    await write({ start: `${day(2)}T16:00:00Z`, end: `${day(2)}T17:00:00Z` });
    await person.push();
    await person.sync();
    const events = await person.events(calendarId);
    expect(events.map(({ summary, start }) => [summary, start.slice(11, 16)])).toEqual([
      ["Ours series", "16:00"],
      ["Renamed", "16:00"],
      ["Ours series", "16:00"],
    ]);
    const shown = calendar.events().filter(({ status, summary }) => status !== "cancelled" && summary === "Renamed");
    expect(shown).toHaveLength(1);
  });
});

describe("an event", () => {
  it("is free time when it is a birthday or a working location, and busy when it is focus time", async () => {
    const { person, calendarId } = await filled(({ primary }) => {
      const whole = { start: { date: day(2) }, end: { date: day(3) } };
      primary.putEvent({ summary: "Birthday", eventType: "birthday", ...whole });
      primary.putEvent({ summary: "Office", eventType: "workingLocation", ...whole });
      primary.putEvent({ summary: "Focus", eventType: "focusTime", ...timed(2) });
    });
    const events = await person.events(calendarId);
    const shown = Object.fromEntries(events.map(({ summary, transparency }) => [summary, transparency]));
    expect(shown).toEqual({ Birthday: "transparent", Office: "transparent", Focus: "opaque" });
  });

  it("that is private, tentative or declined says so", async () => {
    const { person, calendarId } = await filled(({ primary }) => {
      const self = { email: EMAIL, self: true, responseStatus: "declined" };
      const bob = { email: "bob@example.com", organizer: true, responseStatus: "accepted" };
      primary.putEvent({ summary: "Private", visibility: "private", ...timed(2) });
      primary.putEvent({ summary: "Maybe", status: "tentative", ...timed(3) });
      primary.putEvent({
        summary: "Declined",
        organizer: { email: "bob@example.com" },
        attendees: [bob, self],
        ...timed(4),
      });
    });
    expect(await person.events(calendarId)).toMatchObject([
      { summary: "Private", event_private: true },
      { summary: "Maybe", status: "tentative" },
      { summary: "Declined", participation_status: "declined", organizer: { email: "bob@example.com" } },
    ]);
  });

  it("that cannot be read stops none of the others", async () => {
    const { person, calendarId } = await filled(({ primary }) => {
      primary.putEvent({ summary: "Without a start" });
      primary.putEvent({ summary: "Good", ...timed(2) });
    });
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Good" }]);
  });

  it("that changes between two pages is read as it is in the end", async () => {
    const provider = await google({ knobs: { pageSize: 1 } });
    const { primary } = provider.account(EMAIL);
    const first = primary.putEvent({ summary: "First", ...timed(2) });
    primary.putEvent({ summary: "Second", ...timed(3) });
    const person = await connectGooglePerson(provider);
    provider.faults.next({
      path: /\/events$/,
      query: { pageToken: /./ },
      run: () => primary.changeEvent(first, { summary: "First, changed" }),
    });
    await person.sync();
    await person.sync();
    const names = (await person.events(await person.calendarId(EMAIL))).map(({ summary }) => summary);
    expect(names).toEqual(["First, changed", "Second"]);
  });
});

describe("calendars", () => {
  it("of others are read-only unless they may be written, and go when they are no longer shared", async () => {
    const provider = await google({ accounts: [{ email: EMAIL }, { email: "bob@example.com" }] });
    const ada = provider.account(EMAIL);
    const share = (summary: string, accessRole: "reader" | "writer" | "freeBusyReader") =>
      ada.addSharedCalendar({ summary, accessRole, owner: "bob@example.com" });
    const [reader] = [share("Read", "reader"), share("Write", "writer"), share("Busy", "freeBusyReader")];
    const person = await connectGooglePerson(provider);
    await person.sync();
    const calendars = async () => {
      const { json } = await person.get("/v1/calendars");
      return Object.fromEntries(
        json.calendars.map((one: Record<string, unknown>) => [
          one.calendar_name,
          [one.calendar_readonly, one.calendar_deleted],
        ]),
      );
    };
    expect(await calendars()).toMatchObject({ Read: [true, false], Write: [false, false], Busy: [true, false] });
    ada.removeCalendar(reader ?? "");
    await person.sync();
    expect(await calendars()).toMatchObject({ Read: [true, true], Write: [false, false] });
  });
});
