import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { ADA, asked, sent, syncedMicrosoft, watchedMicrosoft } from "./microsoft-scene";
import { day, ours, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const integrated = { conferencing: { profile_id: "integrated" } };
const none = { conferencing: { profile_id: "none" } };
const link = {
  ...{ provider_name: "ms_teams", join_url: expect.stringMatching(/^https:\/\/teams\.microsoft\.com\//) },
};
const LAST_LOOK_S = 200;

/** An event of the application's whose link Microsoft is creating. */
async function requested(pendingReads: number | null) {
  const clock = fakeClock();
  const scene = await syncedMicrosoft({ knobs: { meetings: { pendingReads } } });
  const { fake, person, path, calendar, calendarId } = scene;
  await person.post(path, ours("call", integrated));
  const { settled } = await watch(person, receiver);
  await person.pushing.drain(60_000);
  fake.requests.length = 0;
  const id = calendar.events()[0]?.id ?? "";
  const event = async () => (await person.events(calendarId))[0];
  /** Waits until the profile is due, and has it synced. */
  const next = async () => {
    const { due_in: seconds } = await person.profile();
    clock.advance(Math.max(0, (seconds ?? 0) * 1_000 + 1));
    await person.syncing.drain(60_000);
    return seconds ?? 0;
  };
  const write = async (body: object) => {
    expect((await person.post(path, ours("call", body))).status).toBe(202);
    await person.push();
  };
  const body = () => calendar.event(id)?.body?.content ?? "";
  return { ...scene, id, event, next, write, settled, body };
}

describe("a meeting link that Microsoft creates later", () => {
  it("is there after a few looks, each of one request, where Microsoft notifies nobody", async () => {
    const { fake, event, next, settled } = await requested(2);
    expect((await event()).conferencing).toEqual({ pending: true });
    await next();
    expect((await event()).conferencing).toEqual({ pending: true });
    await next();
    expect((await event()).conferencing).toMatchObject(link);
    expect(asked(fake).filter((one) => /events\/[^/]+$/.test(one))).toHaveLength(2);
    expect(await settled()).toEqual([]);
  });

  it("is there as soon as Microsoft notifies us of it, and the application is not notified", async () => {
    const scene = await watchedMicrosoft({ knobs: { meetings: { pendingReads: null } } });
    const { person, calendar, calendarId, noticed } = scene;
    await person.post(`/v1/calendars/${calendarId}/events`, ours("call", integrated));
    const { settled } = await watch(person, receiver);
    await person.push();
    await noticed();
    calendar.finishMeeting(calendar.events()[0]?.id ?? "");
    await noticed();
    expect((await person.events(calendarId))[0]).toMatchObject({ conferencing: link, description: "" });
    expect(await settled()).toEqual([]);
  });

  it("counts as failed in the end", async () => {
    const { event, next } = await requested(null);
    let waited = 0;
    while (waited < LAST_LOOK_S) waited += Math.max(1, await next());
    expect(await event()).not.toHaveProperty("conferencing");
  });

  it("is kept when the event moves, and its text stays out of the description", async () => {
    const { event, next, write, body } = await requested(1);
    await next();
    const before = await event();
    await write({ start: `${day(3)}T14:00:00Z`, end: `${day(3)}T15:00:00Z`, description: "Agenda" });
    expect(await event()).toMatchObject({ conferencing: before.conferencing, description: "Agenda" });
    expect(body()).toContain(before.conferencing.join_url);
    expect(body()).toContain("Agenda");
    await next();
    expect(await event()).toMatchObject({ conferencing: before.conferencing, description: "Agenda" });
  });
});

describe("a meeting link that the application takes off", () => {
  it("is gone for good, whatever is written after it, though Microsoft keeps the meeting", async () => {
    const { person, event, write, body, next, settled } = await requested(0);
    const { join_url } = (await event()).conferencing;
    await write({ ...none, description: "Agenda" });
    for (const more of [{ description: "New agenda" }, { description: "New agenda", summary: "Renamed" }]) {
      await write(more);
      await person.sync();
      expect(await event()).not.toHaveProperty("conferencing");
      expect(await event()).toMatchObject(more);
      expect(body()).not.toContain(join_url);
    }
    await next();
    expect(await settled()).toEqual([]);
  });

  it("stays off when others bring it back to the calendar", async () => {
    const { person, event, write, calendar, id, body } = await requested(0);
    const { join_url } = (await event()).conferencing;
    await write(none);
    calendar.changeEvent(id, { body: { contentType: "html", content: `Theirs <a href="${join_url}">Join</a>` } });
    await person.sync();
    expect(body()).toContain(join_url);
    expect(await event()).not.toHaveProperty("conferencing");
  });

  it("is the same link when the application asks for one again", async () => {
    const { person, event, write } = await requested(0);
    const { conferencing } = await event();
    await write(none);
    await write(integrated);
    await person.sync();
    expect(await event()).toMatchObject({ conferencing });
  });

  it("is not created although it was requested before, when the event is written without it first", async () => {
    const { fake, person, path, calendar, calendarId } = await syncedMicrosoft();
    await person.post(path, ours("call", integrated));
    await person.post(path, ours("call", none));
    await person.push();
    expect(sent(fake, "POST")[0]).not.toHaveProperty("isOnlineMeeting");
    expect(calendar.events()).toMatchObject([{ isOnlineMeeting: false }]);
    expect((await person.events(calendarId))[0]).not.toHaveProperty("conferencing");
  });
});

describe("a meeting link", () => {
  it("that others add is read, and stays when the application writes the event", async () => {
    const { person, path, calendar, calendarId, fake } = await syncedMicrosoft();
    await person.post(path, ours("call"));
    await person.push();
    const id = calendar.events()[0]?.id ?? "";
    await fetch(`${fake.origin}/v1.0/me/events/${encodeURIComponent(id)}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${fake.accessToken(ADA)}`, "content-type": "application/json" },
      body: JSON.stringify({ isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" }),
    });
    await person.post(path, ours("call", { summary: "Renamed", description: "Agenda" }));
    await person.push();
    await person.sync();
    const read = { summary: "Renamed", description: "Agenda", conferencing: link };
    expect(await person.events(calendarId)).toMatchObject([read]);
    expect(calendar.event(id)).toMatchObject({ isOnlineMeeting: true });
  });

  it("of a calendar that has none is refused if it must be there, and left out if it may be", async () => {
    const { person, calendarId, fake } = await syncedMicrosoft({
      fill: (ada) => void ada.addCalendar({ name: "Plain", providers: [] }),
    });
    const plainId = await person.calendarId("Plain");
    const path = `/v1/calendars/${plainId}/events`;
    const { status, json } = await person.post(path, ours("must", integrated));
    expect([status, json.errors["conferencing.profile_id"][0].key]).toEqual([422, "errors.conferencing_unavailable"]);
    expect((await person.post(path, ours("may", { conferencing: { profile_id: "default" } }))).status).toBe(202);
    await person.push();
    expect((await person.events(plainId))[0]).not.toHaveProperty("conferencing");
    expect(sent(fake, "POST")[0]).not.toHaveProperty("isOnlineMeeting");
    const { json: listed } = await person.get("/v1/calendars");
    const isAvailable = listed.calendars.map((one: Record<string, unknown>) => [
      one.calendar_id,
      one.calendar_integrated_conferencing_available,
    ]);
    expect(Object.fromEntries(isAvailable)).toEqual({ [calendarId]: true, [plainId]: false });
  });
});
