import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import type { Knobs } from "../fakes/google/state";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { asked, sent, syncedGoogle, watchedGoogle } from "./google-scene";
import { day, ours, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const integrated = { conferencing: { profile_id: "integrated" } };
const link = { provider_name: "google_meet", join_url: expect.stringMatching(/^https:\/\/meet\.google\.com\//) };
const LAST_LOOK_S = 200;

/** An event of the application's whose link Google is creating. */
async function requested(conference: Knobs["conference"]) {
  const clock = fakeClock();
  const scene = await syncedGoogle({ knobs: { conference } });
  const { provider, person, path, calendar, calendarId } = scene;
  await person.post(path, ours("call", integrated));
  const { settled } = await watch(person, receiver);
  await person.pushing.drain(60_000);
  provider.requests.length = 0;
  const id = calendar.events()[0]?.id ?? "";
  const conferencing = async () => (await person.events(calendarId))[0]?.conferencing;
  /** Waits until the profile is due, and has it synced. */
  const next = async () => {
    const { due_in: seconds } = await person.profile();
    clock.advance(Math.max(0, (seconds ?? 0) * 1_000 + 1));
    await person.syncing.drain(60_000);
    return seconds ?? 0;
  };
  const write = async (body: object) => {
    await person.post(path, ours("call", body));
    await person.push();
  };
  return { ...scene, id, conferencing, next, write, settled };
}

describe("a meeting link that Google creates later", () => {
  it("is there after a few looks, each of one request, where Google notifies nobody", async () => {
    const { provider, conferencing, next, settled } = await requested({ outcome: "success", pendingReads: 2 });
    expect(await conferencing()).toEqual({ pending: true });
    await next();
    await next();
    expect(await conferencing()).toEqual({ pending: true });
    await next();
    expect(await conferencing()).toMatchObject(link);
    expect(asked(provider)).toHaveLength(3);
    expect(await settled()).toEqual([]);
  });

  it("is there as soon as Google notifies us of it, and the application is not notified", async () => {
    const scene = await watchedGoogle({ knobs: { conference: { outcome: "success", pendingReads: null } } });
    const { person, calendar, calendarId, noticed } = scene;
    await person.post(`/v1/calendars/${calendarId}/events`, ours("call", integrated));
    await person.push();
    await noticed();
    const { settled } = await watch(person, receiver);
    const conferencing = async () => (await person.events(calendarId))[0]?.conferencing;
    expect(await conferencing()).toEqual({ pending: true });
    calendar.finishConference(calendar.events()[0]?.id ?? "");
    await noticed();
    expect(await conferencing()).toMatchObject(link);
    expect(await settled()).toEqual([]);
  });

  it("is none when Google fails to create it, and can be asked for again", async () => {
    const call = await requested({ outcome: "failure", pendingReads: 0 });
    await call.next();
    expect(await call.conferencing()).toBeUndefined();
    call.provider.knobs.conference = { outcome: "success", pendingReads: 0 };
    await call.write(integrated);
    await call.next();
    expect(await call.conferencing()).toMatchObject(link);
  });

  it("that comes after the last look is there with the next read", async () => {
    const call = await requested({ outcome: "success", pendingReads: null });
    let waited = 0;
    while ((await call.conferencing()) !== undefined && waited < LAST_LOOK_S) waited += await call.next();
    expect(await call.conferencing()).toBeUndefined();
    call.calendar.finishConference(call.id);
    await call.person.sync();
    expect(await call.conferencing()).toMatchObject(link);
  });

  it("is requested once although the response to the request is lost", async () => {
    const { provider, person, path, calendar } = await syncedGoogle();
    provider.faults.next({ method: "POST", path: /events$/, afterWork: true, respond: "backendError" });
    await person.post(path, ours("call", integrated));
    await person.push();
    const before = calendar.events()[0]?.conferenceData?.conferenceId;
    await person.push();
    expect(before).toBeTruthy();
    expect(calendar.events()[0]?.conferenceData?.conferenceId).toBe(before);
    expect(sent(provider, "PATCH")).toEqual([]);
  });

  it("is none, and stays none, when the application takes it off before it is there", async () => {
    const call = await requested({ outcome: "success", pendingReads: null });
    await call.write({ conferencing: { profile_id: "none" } });
    expect(call.calendar.event(call.id)).not.toHaveProperty("conferenceData");
    await call.person.sync();
    expect(await call.conferencing()).toBeUndefined();
    expect(await call.settled()).toEqual([]);
  });
});

describe("a meeting link", () => {
  it("is the same when the event moves, is renamed or becomes a series", async () => {
    const call = await requested({ outcome: "success", pendingReads: 0 });
    await call.next();
    const { join_url } = await call.conferencing();
    await call.write({ start: `${day(4)}T08:00:00Z`, end: `${day(4)}T09:00:00Z` });
    await call.write({ summary: "Renamed" });
    await call.write({ tzid: "Africa/Lagos", recurrence: { rules: [{ frequency: "daily", count: 2 }] } });
    await call.person.sync();
    const events = await call.person.events(call.calendarId);
    expect(events.map(({ conferencing }) => conferencing)).toEqual([
      expect.objectContaining({ join_url }),
      expect.objectContaining({ join_url }),
    ]);
    expect(call.calendar.event(call.id)?.hangoutLink).toBe(join_url);
  });

  it("that others add is read, and stays when the application writes the event", async () => {
    const { person, path, calendar, calendarId } = await syncedGoogle();
    await person.post(path, ours("call"));
    await person.push();
    const id = calendar.events()[0]?.id ?? "";
    const uri = "https://meet.google.com/abc-defg-hij";
    const conferenceData = {
      conferenceSolution: { key: { type: "hangoutsMeet" } },
      entryPoints: [{ entryPointType: "video", uri }],
    };
    calendar.changeEvent(id, { conferenceData, hangoutLink: uri });
    await person.post(path, ours("call", { summary: "Renamed" }));
    await person.push();
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Renamed", conferencing: { join_url: uri } }]);
    expect(calendar.event(id)).toMatchObject({ conferenceData });
  });

  it("of a calendar that has none is refused if it must be there, and left out if it may be", async () => {
    const { person, calendarId, provider } = await syncedGoogle({
      fill: (ada) => void ada.addCalendar({ summary: "Plain", conferenceTypes: ["eventHangout"] }),
    });
    const plainId = await person.calendarId("Plain");
    const path = `/v1/calendars/${plainId}/events`;
    const { status, json } = await person.post(path, ours("must", integrated));
    expect([status, json.errors["conferencing.profile_id"][0].key]).toEqual([422, "errors.conferencing_unavailable"]);
    expect((await person.post(path, ours("may", { conferencing: { profile_id: "default" } }))).status).toBe(202);
    await person.push();
    const [event] = await person.events(plainId);
    expect(event).not.toHaveProperty("conferencing");
    expect(sent(provider, "POST")[0]).not.toHaveProperty("conferenceData");
    const { json: listed } = await person.get("/v1/calendars");
    const isAvailable = listed.calendars.map((one: Record<string, unknown>) => [
      one.calendar_id,
      one.calendar_integrated_conferencing_available,
    ]);
    expect(Object.fromEntries(isAvailable)).toEqual({ [calendarId]: true, [plainId]: false });
  });
});
