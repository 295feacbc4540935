import { describe, expect, it } from "vitest";
import { changeEvents, setReply, storedEvents } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { providerCalendar } from "./provider-calendar";
import { expectEmpty, expectIssues } from "./responses";
import { openCalendar } from "./service";
import { type Calendar, eventsOf, eventsPath, repeating, sendChange, skip, write } from "./written-series";

const DAY = dayFromNow(3);
const meeting = {
  event_id: "series",
  summary: "Planning",
  start: `${DAY}T09:00:00Z`,
  end: `${DAY}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const ada = { email: "ada@acme.io", display_name: "Ada" };
const bob = { email: "bob@acme.io" };
const guests = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ email: `guest-${from + i}@acme.io` }));

/** Writes the meeting with a change of its guests, telling nobody. */
const silently = (calendar: Calendar, attendees: object | undefined, more: object = {}) =>
  write(calendar, { ...meeting, notify_attendees: false, attendees, ...more });

async function guestsOf(calendar: Calendar) {
  return (await eventsOf(calendar))[0]?.attendees;
}

describe('"Rules for attendees"', () => {
  it("invited guests are needs_action, with the name that was sent or null; the calendar's owner is the organizer", async () => {
    const calendar = await openCalendar(undefined, "room-7");
    await silently(calendar, { invite: [ada, bob] });
    expect(await eventsOf(calendar)).toMatchObject([
      {
        attendees: [
          { email: "ada@acme.io", display_name: "Ada", status: "needs_action" },
          { email: "bob@acme.io", display_name: null, status: "needs_action" },
        ],
        organizer: { display_name: "room-7" },
      },
    ]);
  });

  it("the body describes a change: guests after are those there were, and invite, without remove", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: guests(0, 3) });
    await silently(calendar, { invite: guests(3, 4), remove: guests(1, 2) });
    expect((await guestsOf(calendar))?.map(({ email }) => email)).toEqual([0, 2, 3].map((i) => `guest-${i}@acme.io`));
    await silently(calendar, { remove: guests(0, 10) });
    expect(await guestsOf(calendar)).toEqual([]);
  });

  it("an address in both is removed", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [ada, bob], remove: [ada] });
    expect(await guestsOf(calendar)).toMatchObject([bob]);
    await silently(calendar, { invite: [bob], remove: [bob] });
    expect(await guestsOf(calendar)).toEqual([]);
  });

  it("re-inviting keeps one entry with its answer; a sent display_name replaces the name, one left out keeps it", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [ada] });
    await setReply(calendar.calendarId, "ada@acme.io", "accepted");
    for (const again of [{ email: "ada@acme.io" }, { email: "ada@acme.io", display_name: null }]) {
      await silently(calendar, { invite: [again] });
      expect(await guestsOf(calendar)).toEqual([{ ...ada, status: "accepted" }]);
    }
    await silently(calendar, { invite: [{ email: "ada@acme.io", display_name: "Ada L." }, ada, bob] });
    expect(await guestsOf(calendar)).toMatchObject([{ ...ada, status: "accepted" }, bob]);
    await silently(calendar, { invite: [{ email: "ada@acme.io", display_name: "Countess" }] });
    expect(await guestsOf(calendar)).toMatchObject([{ display_name: "Countess", status: "accepted" }, bob]);
  });

  it("a write without attendees keeps guests and their answers", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [ada, bob] });
    await setReply(calendar.calendarId, "bob@acme.io", "declined");
    await write(calendar, { ...meeting, summary: "Moved", start: `${DAY}T08:00:00Z` });
    expect(await guestsOf(calendar)).toEqual([
      { ...ada, status: "needs_action" },
      { ...bob, display_name: null, status: "declined" },
    ]);
    await silently(calendar, { invite: [], remove: [] });
    expect(await guestsOf(calendar)).toHaveLength(2);
  });

  it("a removed guest who is invited again is asked again", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [ada] });
    await setReply(calendar.calendarId, "ada@acme.io", "accepted");
    await silently(calendar, { remove: [ada] });
    await silently(calendar, { invite: [{ email: "ada@acme.io" }] });
    expect(await guestsOf(calendar)).toEqual([{ email: "ada@acme.io", display_name: null, status: "needs_action" }]);
  });

  it("addresses are trimmed and compared in lower case", async () => {
    const calendar = await openCalendar();
    await silently(calendar, {
      invite: [{ email: "  Ada@ACME.io\t", display_name: " Ada " }, { email: "ADA@acme.IO" }],
    });
    expect(await guestsOf(calendar)).toEqual([{ email: "ada@acme.io", display_name: " Ada ", status: "needs_action" }]);
    await silently(calendar, { remove: [{ email: " ADA@Acme.io" }] });
    expect(await guestsOf(calendar)).toEqual([]);
  });

  it("addresses of international domains are kept in ASCII, and are compared in that form", async () => {
    const calendar = await openCalendar();
    const [international, ascii] = ["Joerg@Müller.example", "joerg@xn--mller-kva.example"];
    await silently(calendar, { invite: [{ email: international, display_name: "Jörg" }, { email: ascii }] });
    expect(await guestsOf(calendar)).toEqual([{ email: ascii, display_name: "Jörg", status: "needs_action" }]);
    await setReply(calendar.calendarId, ascii, "accepted");
    await silently(calendar, { invite: [{ email: international }] });
    expect(await guestsOf(calendar)).toEqual([{ email: ascii, display_name: "Jörg", status: "accepted" }]);
    await silently(calendar, { remove: [{ email: international }] });
    expect(await guestsOf(calendar)).toEqual([]);
    await silently(calendar, { invite: [{ email: international }] });
    await silently(calendar, { remove: [{ email: ascii }] });
    expect(await guestsOf(calendar)).toEqual([]);
  });

  it.each([
    ["o'hara+tag@mail.acme.io"],
    [`${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.io`],
    ["x@xn--bcher-kva.example"],
  ])("takes the address %s", async (email) => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [{ email, display_name: "𝄞".repeat(256) }] });
    expect(await guestsOf(calendar)).toMatchObject([{ email }]);
  });

  it("an event may have 100 guests, invited in one body or in several", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: guests(0, 60) });
    await silently(calendar, { invite: guests(50, 100) });
    expect(await guestsOf(calendar)).toHaveLength(100);
    await silently(calendar, { invite: guests(100, 110), remove: guests(0, 10) });
    expect(await guestsOf(calendar)).toHaveLength(100);
  });

  it("guests that the calendar added stay, also past the limit: only more of them are refused", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: guests(0, 100) }, repeating({ frequency: "daily", count: 3 }));
    const [event] = await storedEvents(calendar.calendarId);
    const forwarded = { email: "forwarded@acme.io", display_name: null, status: "accepted" };
    const attendees = [...((event?.attendees as object[] | undefined) ?? []), forwarded];
    await changeEvents({ calendarId: calendar.calendarId }, { attendees });
    await write(calendar, { ...meeting, summary: "Moved" });
    expect(await guestsOf(calendar)).toHaveLength(101);
    const more = { ...meeting, notify_attendees: false, attendees: { invite: [ada] } };
    expectIssues(await calendar.post(eventsPath(calendar.calendarId), more), {
      attendees: "errors.too_many_attendees",
    });
    expectEmpty(await sendChange(calendar, { occurrence_date: DAY, summary: "Other" }), 202);
    await skip(calendar, DAY);
    await silently(calendar, { remove: guests(0, 1) });
    expect(await guestsOf(calendar)).toHaveLength(100);
  });

  it("the guests of a series are those of every occurrence", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [ada] }, repeating({ frequency: "daily", count: 3 }));
    expect((await eventsOf(calendar)).map(({ attendees }) => attendees)).toEqual(
      Array(3).fill([{ ...ada, status: "needs_action" }]),
    );
  });

  it("thousands of bad entries are answered as one list that is too long", async () => {
    const calendar = await openCalendar();
    const attendees = { invite: Array(5_000).fill({ email: "ada@acme.io", display_name: 5 }) };
    const answer = await calendar.post(eventsPath(calendar.calendarId), { ...meeting, attendees });
    expect(answer.status).toBe(422);
    expect(answer.json.errors["attendees.invite"]).toMatchObject([{ key: "errors.too_big" }]);
    expect(answer.text.length).toBeLessThan(50_000);
  });
});

describe("an application calendar, which sends no invitations,", () => {
  it("stores guests with notify_attendees false only", async () => {
    const calendar = await openCalendar();
    for (const change of [{ invite: [ada] }, { remove: [ada] }]) {
      const answer = await calendar.post(eventsPath(calendar.calendarId), { ...meeting, attendees: change });
      expectIssues(answer, { attendees: "errors.attendees_unsupported" });
    }
    expect(await eventsOf(calendar)).toEqual([]);
    await write(calendar, { ...meeting, attendees: { invite: [], remove: [] } });
    expect(await guestsOf(calendar)).toEqual([]);
  });

  it("takes later writes, changes and deletions of an event with guests, whatever notify_attendees says", async () => {
    const calendar = await openCalendar();
    await silently(calendar, { invite: [ada] }, repeating({ frequency: "daily", count: 3 }));
    for (const notify_attendees of [true, false]) {
      await write(calendar, { ...meeting, notify_attendees });
      expectEmpty(await sendChange(calendar, { occurrence_date: DAY, summary: "Other", notify_attendees }), 202);
    }
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" }), 202);
  });
});

describe("a provider's calendar, which invites,", () => {
  it.each(["google", "microsoft", "outlook", "icloud"] as const)("stores guests: %s", async (provider) => {
    const calendar = await providerCalendar(provider);
    await write(calendar, { ...meeting, attendees: { invite: [ada] } });
    expect(await eventsOf(calendar)).toMatchObject([
      {
        attendees: [{ ...ada, status: "needs_action" }],
        organizer: { email: "ada@acme.io", display_name: "Ada Fonda" },
      },
    ]);
  });

  it.each(["google", "icloud"] as const)("tells nobody with notify_attendees false: %s", async (provider) => {
    const calendar = await providerCalendar(provider);
    await silently(calendar, { invite: [ada] });
    await silently(calendar, { remove: [ada], invite: [bob] });
    expect(await guestsOf(calendar)).toMatchObject([bob]);
    const body = { event_id: "series", notify_attendees: false };
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), body), 202);
    expect(await eventsOf(calendar)).toEqual([]);
  });

  it("that always tells them takes notify_attendees false on an event without guests: microsoft", async () => {
    const calendar = await providerCalendar("microsoft");
    await silently(calendar, undefined, repeating({ frequency: "daily", count: 3 }));
    await silently(calendar, { remove: [ada] });
    expectEmpty(await sendChange(calendar, { occurrence_date: DAY, summary: "Other", notify_attendees: false }), 202);
    const body = { event_id: "series", notify_attendees: false };
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), body), 202);
    expect(await eventsOf(calendar)).toEqual([]);
  });
});
