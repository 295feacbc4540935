import { describe, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { fakeClock } from "../fakes/clock";
import { changeAccount, changeProfile } from "../fakes/stored";
import { ask, at, dayFromToday, hourOf } from "./availability";
import { book, booking, one, summaries, team } from "./booking";
import { type Opened, openCalendar } from "./service";

/** What an event says of guests that it does not invite. */
const guests = (email: string) => ({ attendees: { invite: [{ email }] }, notify_attendees: false });

describe("booking", () => {
  it("writes the event if the time is free, and refuses the same time again", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const booked = await book(application, booking(ada));
    expect(booked.status, booked.text).toBe(201);
    const { booking_id: id, event_uid } = booked.json;
    expect(booked.json).toEqual({ booking_id: id, state: "booked", event_uid });
    expect(booked.headers.get("location")).toBe(`/v1/bookings/${id}`);
    expect((await one(application, id)).json).toEqual(booked.json);
    const list = await ada.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    expect(list.json.events).toMatchObject([{ event_uid, summary: "Review" }]);
    const refused = await book(application, booking(ada, { start: at(3, "09:30"), end: at(3, "11:00") }));
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual({
      conflicts: [{ calendar_id: ada.calendarId, start: at(3, "09:00"), end: at(3, "10:00") }],
      problems: [],
    });
    expect(refused.text).not.toContain("Review");
    expect((await book(application, booking(ada, { start: at(3, "10:00"), end: at(3, "11:00") }))).status).toBe(201);
    expect(await summaries(ada)).toEqual(["Review 09:00", "Review 10:00"]);
  });

  it("gives the same answer to the same request, also when many arrive at once", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(application, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("moves a booking, which is not in its own way, and nothing else", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    const body = booking(ada, { free: [ada, ben] });
    const { json } = await book(application, body);
    const later = { ...body, event: { ...body.event, start: at(3, "09:30"), end: at(3, "10:30") } };
    const moved = await book(application, later);
    expect(moved.json).toEqual(json);
    expect(await summaries(ada)).toEqual(["Review 09:30"]);
    await ben.write({ event_id: "other", summary: "Other", start: at(3, "12:00"), end: at(3, "13:00") });
    const taken = { ...body, event: { ...body.event, start: at(3, "12:30"), end: at(3, "13:30") } };
    expect((await book(application, taken)).status).toBe(409);
    expect(await summaries(ada)).toEqual(["Review 09:30"]);
  });

  it("takes the time of everybody who had to be free, for as long as the event exists and wherever it moves", async () => {
    const { application, members } = await team(3);
    const [ada, ben, eve] = members as [Opened, Opened, Opened];
    const body = booking(ada, { free: [ada, ben] });
    const { json } = await book(application, body);
    expect((await book(application, booking(eve, { free: [ben, eve] }))).status).toBe(409);
    const day = { start: at(3, "09:00"), end: at(3, "11:00") };
    const free = async () =>
      (await ask(application, hourOf([ben], day))).json.available_periods.map(({ start }: { start: string }) => start);
    expect(await free()).toEqual([at(3, "10:00")]);
    await ada.write({ ...body.event, start: at(3, "10:00"), end: at(3, "11:00") });
    expect(await free()).toEqual([at(3, "09:00")]);
    expect((await one(application, json.booking_id, "DELETE")).status).toBe(202);
    expect(await free()).toEqual([at(3, "09:00")]);
    expect(await summaries(ada)).toEqual([]);
    expect((await one(application, json.booking_id)).status).toBe(404);
    expect((await book(application, booking(eve, { free: [ben, eve] }))).status).toBe(201);
  });

  it("moves back with its first request, where a move left its time to others", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    const { json } = await book(application, body);
    await ada.write({ ...body.event, start: at(3, "10:00"), end: at(3, "11:00") });
    expect((await book(application, body)).json).toEqual(json);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
    await ada.write({ ...body.event, start: at(3, "10:00"), end: at(3, "11:00") });
    expect((await book(application, booking(ada))).status).toBe(201);
    const taken = await book(application, body);
    expect(taken.json.conflicts).toMatchObject([{ start: at(3, "09:00"), end: at(3, "10:00") }]);
    expect(await summaries(ada)).toEqual(["Review 09:00", "Review 10:00"]);
  });

  it("stays with its first request if others changed what the event says, but takes its time again once it was free", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    const { json } = await book(application, body);
    await ada.write({ ...body.event, summary: "Renamed" });
    expect((await book(application, body)).json).toEqual(json);
    expect(await summaries(ada)).toEqual(["Renamed 09:00"]);
    await ada.write({ ...body.event, transparency: "transparent" });
    expect((await book(application, body)).status).toBe(201);
    expect((await book(application, booking(ada))).status).toBe(409);
  });

  it("says cancelled once somebody else has deleted the event, and books the same again", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    const { json } = await book(application, body);
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: body.event.event_id });
    expect((await one(application, json.booking_id)).json.state).toBe("cancelled");
    const again = await book(application, body);
    expect(again.json.state).toBe("booked");
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("keeps buffers free, judges all-day events as days of their owner, and a series by its occurrences", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await ada.write({ event_id: "a", summary: "Early", start: at(3, "08:00"), end: at(3, "08:50") });
    const buffer = { before: { minutes: 15 } };
    expect((await book(application, booking(ada, { buffer }))).status).toBe(409);
    expect((await book(application, booking(ada))).status).toBe(201);
    await changeAccount(ada.accountId, { defaultTzid: "Pacific/Kiritimati" });
    await ada.write({ event_id: "b", summary: "Away", start: dayFromToday(8), end: dayFromToday(9) });
    const eve = await book(application, booking(ada, { start: at(7, "11:00"), end: at(7, "12:00") }));
    expect(eve.json.conflicts).toEqual([{ calendar_id: ada.calendarId, start: at(7, "10:00"), end: at(8, "10:00") }]);
    const weekly = {
      event: { recurrence: { rules: [{ frequency: "daily", interval: 1 }] }, tzid: "Etc/UTC" },
      start: at(4, "20:00"),
      end: at(4, "21:00"),
    };
    const series = await book(application, booking(ada, weekly));
    expect(series.json.conflicts).toMatchObject([{ start: at(7, "10:00"), end: at(8, "10:00") }]);
  });
});

describe("who has to be free", () => {
  it("is not free while disconnected, or past the time that is read", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await changeProfile(ada.profileId, { connected: false });
    const lost = await book(application, booking(ada));
    expect(lost.status).toBe(409);
    expect(lost.json).toMatchObject({ conflicts: [], problems: [{ sub: ada.accountId, reason: "disconnected" }] });
    await changeProfile(ada.profileId, { connected: true });
    const far = await book(application, booking(ada, { start: at(300, "09:00"), end: at(300, "10:00") }));
    expect(far.json.problems).toMatchObject([{ reason: "beyond_horizon" }]);
    expect(await summaries(ada)).toEqual([]);
  });

  it("is known to the caller, and so is the calendar", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const stranger = await openCalendar();
    const unknown = await book(application, booking(ada, { free: [ada, stranger] }));
    expect(unknown.status).toBe(422);
    expect(Object.keys(unknown.json.errors)).toEqual(["require_free[1].sub"]);
    expect((await book(application, { ...booking(ada), calendar_id: stranger.calendarId })).status).toBe(404);
    const both = await book(application, { ...booking(ada, { free: [stranger] }), calendar_id: stranger.calendarId });
    expect(both.status).toBe(422);
    const { json } = await book(application, booking(ada));
    expect((await one(stranger.application, json.booking_id)).status).toBe(404);
    expect((await one(stranger.application, json.booking_id, "DELETE")).status).toBe(404);
    expect((await one(stranger.application, json.booking_id, "POST", "/confirm")).status).toBe(404);
    expect((await stranger.get(`/v1/bookings/${json.booking_id}`)).status).toBe(404);
    expect((await ada.get(`/v1/bookings/${json.booking_id}`)).json).toEqual(json);
    expect((await one(application, "bkg_nothing")).status).toBe(404);
  });

  it("names every fault at its place, those of the event too", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const answer = await book(application, {
      calendar_id: "",
      event: { event_id: "a", summary: 1, start: "soon", end: at(3, "10:00") },
      require_free: [{}],
      hold_seconds: 10,
      if_unreachable: "maybe",
    });
    expect(Object.keys(answer.json.errors).sort()).toEqual([
      "calendar_id",
      "event.start",
      "event.summary",
      "hold_seconds",
      "if_unreachable",
      "require_free[0].sub",
    ]);
    const conferencing = await book(
      application,
      booking(ada, { event: { conferencing: { profile_id: "integrated" } } }),
    );
    expect(Object.keys(conferencing.json.errors)).toEqual(["event.conferencing.profile_id"]);
    expect((await book(application, {})).status).toBe(422);
  });
});

describe("holds", () => {
  it("take the time in availability and for others, and do not show in reads", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada, { hold_seconds: 60 });
    const held = await book(application, body);
    expect(held.json).toMatchObject({ state: "held" });
    const left = Date.parse(held.json.hold_expires_at) - clock().now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThan(61_000);
    expect((await book(application, booking(ada))).status).toBe(409);
    const day = { start: at(3, "09:00"), end: at(3, "11:00") };
    expect((await ask(application, hourOf([ada], day))).json.available_periods).toMatchObject([
      { start: at(3, "10:00") },
    ]);
    const busy = await ada.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(busy.json.free_busy).toEqual([]);
    expect((await book(application, body)).json).toEqual(held.json);
    const confirmed = await one(application, held.json.booking_id, "POST", "/confirm");
    expect(confirmed.json).toEqual({
      booking_id: held.json.booking_id,
      state: "booked",
      event_uid: held.json.event_uid,
    });
    expect((await one(application, held.json.booking_id, "POST", "/confirm")).json).toEqual(confirmed.json);
    const { json } = await ada.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.events).toMatchObject([{ summary: "Review", event_uid: held.json.event_uid }]);
  });

  it("expire to the second", async () => {
    const time = fakeClock();
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const { json } = await book(application, booking(ada, { hold_seconds: 30 }));
    time.advance(29_000);
    expect((await book(application, booking(ada))).status).toBe(409);
    expect((await one(application, json.booking_id)).json.state).toBe("held");
    time.advance(1_000);
    expect((await one(application, json.booking_id)).json.state).toBe("expired");
    const late = await one(application, json.booking_id, "POST", "/confirm");
    expect(late.status).toBe(409);
    expect(late.json.error).toBe("conflict");
    expect((await book(application, booking(ada))).status).toBe(201);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("are for new events, and can be given up", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    await book(application, body);
    const moved = await book(application, { ...body, hold_seconds: 60 });
    expect(Object.keys(moved.json.errors)).toEqual(["hold_seconds"]);
    const later = booking(ada, { start: at(3, "12:00"), end: at(3, "13:00"), hold_seconds: 60 });
    const { json } = await book(application, later);
    expect((await one(application, json.booking_id, "DELETE")).status).toBe(202);
    expect((await book(application, { ...later, hold_seconds: undefined })).status).toBe(201);
  });
});

describe("many at once", () => {
  it("50 bookings of one slot: one is booked", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const answers = await Promise.all(Array.from({ length: 50 }, () => book(application, booking(ada))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(49).fill(409)]);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("A with B against B with A, 200 at once: nobody waits for ever, and none of theirs overlap", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const hour = String(6 + (i % 12)).padStart(2, "0");
        const span = {
          start: at(3, `${hour}:${i % 3 === 0 ? "00" : "30"}`),
          end: at(3, `${Number(hour) + 1}:15`.padStart(5, "0")),
        };
        return i % 2 === 0
          ? book(application, booking(ada, { ...span, free: [ada, ben] }))
          : book(application, booking(ben, { ...span, free: [ben, ada] }));
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const events = (
      await Promise.all(members.map(({ get }) => get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" })))
    ).flatMap(({ json }) => json.events as { start: string; end: string }[]);
    expect(events).toHaveLength(answers.filter(({ status }) => status === 201).length);
    const overlaps = events.filter((one, i) =>
      events.some((other, j) => i !== j && one.start < other.end && other.start < one.end),
    );
    expect(overlaps).toEqual([]);
    expect(events.length).toBeGreaterThan(3);
  });
});

describe("what slips in afterwards", () => {
  it("is noted as a conflict in the feed of the calendar, and deletes nothing; an invitation to the event is none", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    const body = booking(ada, { free: [ada, ben], event: guests("ben@example.com") });
    const { json } = await book(application, body);
    const play = (event: object) =>
      ben.post("/v1/sandbox/changes", { type: "event_created", calendar_id: ben.calendarId, event });
    const { cursor } = (await ben.get("/v1/changes")).json;
    await play({ summary: "Review", start: at(3, "09:00"), end: at(3, "10:00") });
    await play({ summary: "Later", start: at(3, "10:00"), end: at(3, "11:00") });
    await play({ summary: "Dentist", start: at(3, "09:30"), end: at(3, "10:30") });
    const feed = await ben.get("/v1/changes", { cursor });
    const conflicts = feed.json.changes.filter(({ kind }: { kind: string }) => kind === "booking_conflict");
    expect(conflicts).toEqual([
      {
        id: expect.stringMatching(/^chg_\d+$/),
        kind: "booking_conflict",
        calendar_id: ben.calendarId,
        event_uid: json.event_uid,
        event_id: body.event.event_id,
        fields: [],
        by: "others",
        at: expect.any(String),
      },
    ]);
    expect(feed.json.changes).toHaveLength(4);
    expect((await one(application, json.booking_id)).json.state).toBe("booked");
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("is noted for all-day events too, on the day that they are in their owner's zone", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    await changeAccount(ben.accountId, { defaultTzid: "Pacific/Kiritimati" });
    await book(application, booking(ada, { free: [ada, ben], start: at(7, "11:00"), end: at(7, "12:00") }));
    const { cursor } = (await ben.get("/v1/changes")).json;
    const conflictsWith = async (start: string, end: string) => {
      const event = { summary: "Away", start, end };
      await ben.post("/v1/sandbox/changes", { type: "event_created", calendar_id: ben.calendarId, event });
      const { changes } = (await ben.get("/v1/changes", { cursor })).json;
      return changes.filter(({ kind }: { kind: string }) => kind === "booking_conflict").length;
    };
    // There the day begins at 10:00 UTC on the day before.
    expect(await conflictsWith(dayFromToday(7), dayFromToday(8))).toBe(0);
    expect(await conflictsWith(dayFromToday(8), dayFromToday(9))).toBe(1);
  });

  it("does not keep a booking from being moved if it is the invitation of somebody who has to be free", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    const body = booking(ada, { free: [ada, ben], event: guests("ben@example.com") });
    await book(application, body);
    const play = (summary: string, start: string, end: string) =>
      ben.post("/v1/sandbox/changes", {
        type: "event_created",
        calendar_id: ben.calendarId,
        event: { summary, start, end },
      });
    await play("Review", at(3, "09:00"), at(3, "10:00"));
    const move = (start: string, end: string) => ({ ...body, event: { ...body.event, start, end } });
    const half = await book(application, move(at(3, "09:30"), at(3, "10:30")));
    expect(half.status, half.text).toBe(201);
    // What merely has the same title is in the way.
    await play("Review", at(3, "11:00"), at(3, "12:00"));
    const { status, json } = await book(application, move(at(3, "11:00"), at(3, "12:00")));
    expect(status).toBe(409);
    expect(json.conflicts).toEqual([{ calendar_id: ben.calendarId, start: at(3, "11:00"), end: at(3, "12:00") }]);
  });
});
