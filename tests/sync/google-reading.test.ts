import { describe, expect, it } from "vitest";
import type { AccountState } from "../fakes/google/account-state";
import { storedWrites } from "../fakes/stored-writes";
import { ADA, at, BOB, sent, syncedGoogle, timed, wholeDay } from "./google-scene";
import { day, ours } from "./world";

const bobs = { email: BOB, organizer: true, responseStatus: "accepted" };
const two = [{ email: ADA }, { email: BOB }];

describe("free/busy", () => {
  it("is what the calendar shows: out of office and focus time are busy, a birthday and a day at home are not", async () => {
    const reply = (responseStatus: string) => ({
      organizer: { email: BOB },
      attendees: [bobs, { email: ADA, responseStatus }],
    });
    const fill = ({ primary }: AccountState) => {
      primary.putEvent({ summary: "Out of office", eventType: "outOfOffice", ...timed(2) });
      primary.putEvent({ summary: "Focus time", eventType: "focusTime", ...timed(3) });
      primary.putEvent({ summary: "Flight", eventType: "fromGmail", ...timed(4) });
      primary.putEvent({ summary: "Home", eventType: "workingLocation", transparency: "opaque", ...timed(5) });
      primary.putEvent({ summary: "Birthday", eventType: "birthday", ...wholeDay(6) });
      primary.putEvent({ summary: "Reminder", transparency: "transparent", ...timed(7) });
      primary.putEvent({ summary: "Declined", ...reply("declined"), ...timed(8) });
      primary.putEvent({ summary: "Perhaps", ...reply("tentative"), ...timed(9) });
      primary.putEvent({ summary: "Planned", status: "tentative", ...timed(10) });
      primary.putEvent({ summary: "Unanswered", ...reply("needsAction"), ...timed(11) });
    };
    const { person } = await syncedGoogle({ accounts: two, fill });
    const { json } = await person.get("/v1/free_busy", { tzid: "Etc/UTC", from: day(-1), to: day(30) });
    const shown = json.free_busy.map((one: { start: string; free_busy_status: string }) => [
      one.start.slice(0, 10),
      one.free_busy_status,
    ]);
    expect(shown).toEqual([
      ...[2, 3, 4].map((offset) => [day(offset), "busy"]),
      ...[5, 6, 7].map((offset) => [day(offset), "free"]),
      ...[9, 10].map((offset) => [day(offset), "tentative"]),
      [day(11), "busy"],
    ]);
  });

  it("counts an event as accepted that the user has without being invited or organizing it", async () => {
    const imported = { organizer: { email: BOB }, attendees: [bobs, { email: "carol@example.com" }] };
    const { person, calendarId } = await syncedGoogle({
      accounts: two,
      fill: ({ primary }) => void primary.putEvent({ summary: "Imported", ...imported, ...timed(2) }),
    });
    expect(await person.events(calendarId)).toMatchObject([{ participation_status: "accepted" }]);
  });
});

it("an event that Gmail made of a message is not the application's to change", async () => {
  const { person, calendarId } = await syncedGoogle({
    fill: ({ primary }) => void primary.putEvent({ summary: "Flight", eventType: "fromGmail", ...timed(2) }),
  });
  expect(await person.events(calendarId)).toMatchObject([
    { summary: "Flight", options: { delete: false, update: false, change_participation_status: false } },
  ]);
});

describe("guests whom Google does not list", () => {
  const carol = { email: "carol@example.com", responseStatus: "accepted" };
  const guests = [bobs, { email: ADA, responseStatus: "needsAction" }, carol];

  it("stay guests, and the reply of the one who is listed is read", async () => {
    const { person, calendar, calendarId } = await syncedGoogle({ accounts: two });
    const meeting = { summary: "Team", organizer: { email: BOB }, attendees: guests };
    const id = calendar.putEvent({ ...meeting, ...timed(2) });
    await person.sync();
    calendar.changeEvent(id, { guestsCanSeeOtherGuests: false });
    calendar.reply(id, ADA, "tentative");
    await person.sync();
    const [event] = await person.events(calendarId);
    expect(event).toMatchObject({ participation_status: "tentative" });
    expect(event.attendees).toMatchObject([
      { email: ADA, status: "tentative" },
      { email: "carol@example.com", status: "accepted" },
    ]);
  });

  it("are guests of each occurrence, too, when one of them is moved", async () => {
    const { person, calendar, calendarId } = await syncedGoogle({ accounts: two });
    const meeting = { summary: "Team", organizer: { email: BOB }, attendees: guests };
    const id = calendar.putEvent({ ...meeting, ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=2"] });
    await person.sync();
    calendar.changeEvent(id, { guestsCanSeeOtherGuests: false });
    calendar.moveOccurrence(id, at(3), timed(3, "15:00", "16:00"));
    await person.sync();
    const events = await person.events(calendarId);
    const emails = events.map(({ attendees }) => attendees.map(({ email }: { email: string }) => email));
    expect(emails).toEqual([
      [ADA, "carol@example.com"],
      [ADA, "carol@example.com"],
    ]);
  });

  it("are not taken off the event when the application renames it", async () => {
    const { provider, person, calendar, path, calendarId } = await syncedGoogle({ accounts: two });
    await person.post(path, ours("team", { attendees: { invite: [{ email: "carol@example.com" }] } }));
    await person.push();
    const id = calendar.events()[0]?.id ?? "";
    calendar.changeEvent(id, { organizer: { email: BOB }, attendees: guests, guestsCanSeeOtherGuests: false });
    await person.post(path, ours("team", { summary: "Renamed" }));
    await person.push();
    const emails = guests.map(({ email }) => ({ email }));
    expect(calendar.event(id)).toMatchObject({ summary: "Renamed", attendees: emails });
    expect(sent(provider, "PATCH").filter((body) => "attendees" in body)).toEqual([]);
    await person.sync();
    const [event] = await person.events(calendarId);
    expect(event.attendees).toMatchObject([{ email: "carol@example.com" }, { email: ADA }]);
  });

  describe("and an invitation of the application's", () => {
    const dave = "dave@example.com";

    /** The application's event, whose guest list Google shows only a part of now. */
    async function hidden(more: object = {}) {
      const scene = await syncedGoogle({ accounts: two });
      const { person, calendar, path, calendarId } = scene;
      const write = async (changes: object) => {
        expect((await person.post(path, ours("team", { ...more, ...changes }))).status).toBe(202);
        await person.push();
      };
      await write({ attendees: { invite: [{ email: carol.email }] } });
      const id = calendar.events()[0]?.id ?? "";
      await person.sync();
      calendar.changeEvent(id, { organizer: { email: BOB }, attendees: guests, guestsCanSeeOtherGuests: false });
      await person.sync();
      const emails = async () => {
        const [event] = await person.events(calendarId);
        return event.attendees.map(({ email }: { email: string }) => email).sort();
      };
      const refusals = async () =>
        (await storedWrites(person.profileId)).flatMap(({ refusedAt, lastError }) => (refusedAt ? [lastError] : []));
      return { ...scene, id, write, emails, refusals };
    }

    it("is rejected with a reason for staff, and the rest of the write is stored", async () => {
      const { person, calendar, calendarId, id, write, emails, refusals } = await hidden();
      await write({ summary: "Renamed", attendees: { invite: [{ email: dave }] } });
      expect(await refusals()).toEqual(["partial_guest_list"]);
      expect(calendar.event(id)).toMatchObject({
        summary: "Renamed",
        attendees: guests.map(({ email }) => ({ email })),
      });
      await person.sync();
      expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed", event_id: "team" }]);
      expect(await emails()).toEqual([ADA, carol.email]);
      await write({ summary: "Again", attendees: { invite: [{ email: carol.email }] } });
      expect(await refusals()).toEqual([]);
    });

    it("or a removal is undone in reads", async () => {
      const { person, calendar, id, write, emails, refusals } = await hidden();
      await write({ attendees: { remove: [{ email: carol.email }] } });
      expect(await refusals()).toEqual(["partial_guest_list"]);
      await person.sync();
      expect(await emails()).toEqual([ADA, carol.email]);
      expect(calendar.event(id)?.attendees).toHaveLength(3);
    });

    it("leaves a series the application's, with the rule that came with it", async () => {
      const { person, calendarId, write, refusals } = await hidden({ tzid: "Africa/Lagos" });
      const recurrence = (count: number) => ({ recurrence: { rules: [{ frequency: "daily", count }] } });
      await write(recurrence(3));
      await person.sync();
      await write({ ...recurrence(2), attendees: { invite: [{ email: dave }] } });
      expect(await refusals()).toEqual(["partial_guest_list"]);
      await person.sync();
      expect(await person.events(calendarId)).toMatchObject([{ event_id: "team", ...recurrence(2) }, {}]);
    });
  });
});

describe("a series", () => {
  const occurrence = (offset: number) => `daily00_${day(offset).replaceAll("-", "")}T090000Z`;
  const exception = (offset: number) => ({
    ...{ id: occurrence(offset), recurringEventId: "daily00", originalStartTime: at(offset) },
  });

  it("is whole when its exceptions come pages before it", async () => {
    const { person, calendarId } = await syncedGoogle({
      knobs: { pageSize: 1 },
      fill: ({ primary }) => {
        primary.putEvent({ ...exception(3), summary: "Moved", ...timed(3, "15:00", "16:00") });
        primary.putEvent({ ...exception(4), status: "cancelled", ...timed(4) });
        primary.putEvent({ summary: "Between", ...timed(8) });
        primary.putEvent({ id: "daily00", summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
      },
    });
    const events = await person.events(calendarId);
    expect(events.map(({ summary, start }) => [summary, start.slice(0, 13)])).toEqual([
      ["Daily", `${day(2)}T09`],
      ["Moved", `${day(3)}T14`],
      ["Daily", `${day(5)}T09`],
      ["Between", `${day(8)}T09`],
    ]);
  });

  it("of whole days keeps its days when one of them is moved and another cancelled", async () => {
    const { person, calendar, calendarId } = await syncedGoogle({
      fill: ({ primary }) => {
        const recurrence = ["RRULE:FREQ=DAILY;COUNT=4", `EXDATE;VALUE=DATE:${day(5).replaceAll("-", "")}`];
        primary.putEvent({ id: "trip000", summary: "Trip", ...wholeDay(2), recurrence });
      },
    });
    calendar.moveOccurrence("trip000", { date: day(3) }, wholeDay(12));
    calendar.deleteOccurrence("trip000", { date: day(4) });
    await person.sync();
    const events = await person.events(calendarId);
    expect(events.map(({ start, occurrence_date }) => [start, occurrence_date])).toEqual([
      [day(2), day(2)],
      [day(12), day(3)],
    ]);
  });

  it("with a rule that nobody knows stops none of the others", async () => {
    const { summaries } = await syncedGoogle({
      fill: ({ primary }) => {
        primary.putEvent({ summary: "Unknown", ...timed(2), recurrence: ["RRULE:FREQ=SOMETIMES", "X-LUNAR:13"] });
        primary.putEvent({ summary: "Good", ...timed(3), recurrence: ["RRULE:FREQ=DAILY;COUNT=2"] });
      },
    });
    expect((await summaries()).filter((name: string) => name === "Good")).toHaveLength(2);
  });

  it("that others make a single event is one, also where an occurrence was cancelled", async () => {
    const { person, calendar, calendarId } = await syncedGoogle({
      fill: ({ primary }) => {
        primary.putEvent({ id: "daily00", summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
        primary.deleteOccurrence("daily00", at(3));
      },
    });
    calendar.changeEvent("daily00", { recurrence: undefined, summary: "Once" });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Once", recurring: false }]);
  });
});
