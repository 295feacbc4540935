import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { setConditions } from "../fakes/stored";
import { ask, at, hourOf } from "./availability";
import { book, booking, confirm, movedTo, one, summaries, team } from "./booking";
import { type ApiResponse, call, type Opened } from "./service";

/** Somebody else, or a provider, changes something. */
async function play(calendar: Opened, type: string, more: object = {}) {
  const answer = await calendar.post("/v1/sandbox/changes", { type, ...more });
  expect(answer.status, answer.text).toBe(202);
}

const slipIn = (calendar: Opened, start: string, end: string) =>
  play(calendar, "event_created", { calendar_id: calendar.calendarId, event: { summary: "Dentist", start, end } });

async function heldFor(more: { buffer?: object; if_unreachable?: string } = {}) {
  const { application, members } = await team(2);
  const [ada, ben] = members as [Opened, Opened];
  const body = booking(ada, { free: [ada, ben], hold_seconds: 60, ...more });
  const held = await book(application, body);
  expect(held.json.state).toBe("held");
  const state = async () => (await one(application, held.json.booking_id)).json.state;
  return { application, ada, ben, body, held, state };
}

function expectTaken(answer: ApiResponse, calendar: Opened, start: string, end: string) {
  expect(answer.status, answer.text).toBe(409);
  expect(answer.json).toEqual({ conflicts: [{ calendar_id: calendar.calendarId, start, end }], problems: [] });
}

describe("confirming", () => {
  it("is refused for what slipped in during the hold, and the hold goes on until it expires", async () => {
    const time = fakeClock();
    const { application, ada, ben, held, state } = await heldFor();
    await slipIn(ben, at(3, "09:30"), at(3, "10:30"));
    expectTaken(await confirm(application, held), ben, at(3, "09:30"), at(3, "10:30"));
    expect(await state()).toBe("held");
    expect(await summaries(ada)).toEqual([]);
    expect((await book(application, booking(ada))).status).toBe(409);
    const { json } = await ben.get("/v1/events", { tzid: "Etc/UTC" });
    await play(ben, "event_deleted", { calendar_id: ben.calendarId, event_uid: json.events[0].event_uid });
    expect((await confirm(application, held)).json.state).toBe("booked");
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
    time.advance(61_000);
    expect(await state()).toBe("booked");
  });

  it("keeps the buffer free that was asked for with the hold", async () => {
    const { application, ben, held } = await heldFor({ buffer: { after: { minutes: 15 } } });
    await slipIn(ben, at(3, "10:10"), at(3, "10:30"));
    expectTaken(await confirm(application, held), ben, at(3, "10:10"), at(3, "10:30"));
  });

  it("is refused once an account is disconnected, whoever confirms", async () => {
    const { application, ada, ben, held, state } = await heldFor();
    await play(ben, "profile_disconnected");
    const lost = await confirm(application, held);
    expect(lost.status).toBe(409);
    expect(lost.json).toMatchObject({ conflicts: [], problems: [{ sub: ben.accountId, reason: "disconnected" }] });
    const headers = { authorization: `Bearer ${ada.accessToken}` };
    const own = await call("POST", `/v1/bookings/${held.json.booking_id}/confirm`, { headers });
    expect(own.json).toEqual(lost.json);
    await play(ben, "profile_reconnected");
    expect(await state()).toBe("held");
    expect((await call("POST", `/v1/bookings/${held.json.booking_id}/confirm`, { headers })).status).toBe(200);
  });

  it("is refused once an account has ended", async () => {
    const { application, ben, held } = await heldFor();
    const { clientId: client_id, clientSecret: client_secret } = application;
    const ended = await call("POST", "/oauth/token/revoke", {
      json: { client_id, client_secret, token: ben.accessToken },
    });
    expect(ended.status, ended.text).toBe(200);
    const lost = await confirm(application, held);
    expect(lost.status).toBe(409);
    expect(lost.json.problems).toEqual([{ sub: ben.accountId, reason: "disconnected", since: null }]);
  });

  it("overwrites no event that was written with its event_id in the meantime", async () => {
    const { application, ada, body, held } = await heldFor();
    await ada.write(movedTo(body, "16:00", "17:00").event);
    const late = await confirm(application, held);
    expect(late.status).toBe(409);
    expect(late.json).toMatchObject({ error: "conflict" });
    expect(await summaries(ada)).toEqual(["Review 16:00"]);
    // The same event_id without a hold moves that event, and takes the hold's place.
    const moved = await book(application, { ...body, hold_seconds: undefined });
    expect(moved.json).toMatchObject({ booking_id: held.json.booking_id, state: "booked" });
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("of a booking whose event was deleted is refused", async () => {
    const { application, ada, body, held, state } = await heldFor();
    expect((await confirm(application, held)).status).toBe(200);
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: body.event.event_id });
    expect(await state()).toBe("cancelled");
    const late = await confirm(application, held);
    expect(late.status).toBe(409);
    expect(late.json).toMatchObject({ error: "conflict" });
    expect(await summaries(ada)).toEqual([]);
  });

  it("of a hold that the version before stored writes its event, and still takes everybody's time", async () => {
    const { application, ada, ben, held } = await heldFor();
    await setConditions(held.json.booking_id, null);
    expect((await confirm(application, held)).json.state).toBe("booked");
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
    expect((await book(application, booking(ben))).status).toBe(409);
  });

  it("writes once, however many confirm at once", async () => {
    const { application, ada, held } = await heldFor();
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(application, held)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });
});

describe("a deleted calendar", () => {
  it("is booked by nobody, whoever has to be free, and a hold in it is not confirmed", async () => {
    const { application, ada, ben, held } = await heldFor();
    await play(ada, "calendar_deleted", { calendar_id: ada.calendarId });
    const gone = { conflicts: [], problems: [{ sub: ada.accountId, reason: "calendar_deleted", since: null }] };
    const late = await confirm(application, held);
    expect([late.status, late.json]).toEqual([409, gone]);
    for (const free of [[ben], [ada, ben]]) {
      const refused = await book(application, booking(ada, { free, start: at(3, "12:00"), end: at(3, "13:00") }));
      expect([refused.status, refused.json]).toEqual([409, gone]);
    }
    await play(ada, "calendar_restored", { calendar_id: ada.calendarId });
    expect((await confirm(application, held)).json.state).toBe("booked");
  });
});

describe("a hold", () => {
  it.each([
    ["another time", (body: object) => movedTo(body as { event: object }, "09:30", "10:30"), "09:30"],
    ["another length", (body: object) => ({ ...body, hold_seconds: 120 }), "09:00"],
  ])("is replaced by one with %s, and keeps its name", async (_, change, from) => {
    const { application, ada, body, held } = await heldFor();
    const changed = await book(application, change(body));
    expect(changed.status, changed.text).toBe(201);
    const { booking_id, event_uid } = held.json;
    expect(changed.json).toMatchObject({ booking_id, event_uid, state: "held" });
    expect((await confirm(application, held)).json).toEqual({ booking_id, event_uid, state: "booked" });
    expect(await summaries(ada)).toEqual([`Review ${from}`]);
  });

  it("gives up the time that it no longer needs", async () => {
    const { application, ben, body } = await heldFor();
    expect((await book(application, movedTo(body, "12:00", "13:00"))).status).toBe(201);
    const day = { start: at(3, "09:00"), end: at(3, "10:00") };
    expect((await ask(application, hourOf([ben], day))).json.available_periods).toHaveLength(1);
  });

  it("is booked by the same request without hold_seconds, and keeps its name", async () => {
    const { application, ada, body, held } = await heldFor();
    const booked = await book(application, { ...body, hold_seconds: undefined });
    const { booking_id, event_uid } = held.json;
    expect(booked.json).toEqual({ booking_id, event_uid, state: "booked" });
    expect((await confirm(application, held)).json).toEqual(booked.json);
    const { json } = await ada.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.events).toMatchObject([{ event_uid, summary: "Review" }]);
  });

  it("of another event is in the way", async () => {
    const { application, ada, ben, body } = await heldFor();
    const other = booking(ada, { free: [ben], start: at(3, "12:00"), end: at(3, "13:00"), hold_seconds: 60 });
    expect((await book(application, other)).status).toBe(201);
    const taken = await book(application, movedTo(body, "09:30", "12:30"));
    expect(taken.status).toBe(409);
    const ids = taken.json.conflicts.map(({ calendar_id }: { calendar_id: string }) => calendar_id);
    expect(ids.sort()).toEqual([ada.calendarId, ben.calendarId].sort());
  });

  it("ends at the very instant that its response names", async () => {
    const time = fakeClock(Math.floor(Date.now() / 1_000) * 1_000 + 900);
    const { application, ada, held, state } = await heldFor();
    const left = Date.parse(held.json.hold_expires_at) - time.now();
    time.advance(left - 1);
    expect(await state()).toBe("held");
    expect((await book(application, booking(ada))).status).toBe(409);
    time.advance(1);
    expect(await state()).toBe("expired");
    expect((await confirm(application, held)).status).toBe(409);
    expect((await book(application, booking(ada))).status).toBe(201);
  });
});

describe("Svc-Sandbox-Fault", () => {
  const asked = (calendar: Opened, fault: string, method: string, path: string, json?: object) =>
    call(method, path, {
      ...(json && { json }),
      headers: { authorization: `Bearer ${calendar.accessToken}`, "svc-sandbox-fault": fault },
    });
  const receipt = async (calendar: Opened, eventId: string) =>
    (await calendar.get(`/v1/calendars/${calendar.calendarId}/events/${eventId}/receipt`)).json?.state;

  it("refuses the event of a booking and of a confirmed hold afterwards, and keeps one that was to be deleted", async () => {
    const { members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    const booked = await asked(ada, "write_refused", "POST", "/v1/bookings", body);
    expect(booked.status, booked.text).toBe(201);
    expect(booked.json.state).toBe("booked");
    expect(await summaries(ada)).toEqual([]);
    expect(await receipt(ada, body.event.event_id)).toBe("refused");
    expect((await ada.get(`/v1/bookings/${booked.json.booking_id}`)).json.state).toBe("cancelled");
    const held = await asked(ada, "write_refused", "POST", "/v1/bookings", { ...body, hold_seconds: 60 });
    expect(held.json.state).toBe("held");
    const path = `/v1/bookings/${held.json.booking_id}`;
    expect((await asked(ada, "write_refused", "POST", `${path}/confirm`)).json.state).toBe("booked");
    expect(await summaries(ada)).toEqual([]);
    const again = await ada.post("/v1/bookings", body);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
    expect((await asked(ada, "write_refused", "DELETE", `/v1/bookings/${again.json.booking_id}`)).status).toBe(202);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
  });

  it("leaves the event of a booking pending", async () => {
    const { members } = await team(1);
    const [ada] = members as [Opened];
    const body = booking(ada);
    expect((await asked(ada, "write_pending", "POST", "/v1/bookings", body)).status).toBe(201);
    expect(await summaries(ada)).toEqual(["Review 09:00"]);
    expect(await receipt(ada, body.event.event_id)).toBe("pending");
  });
});
