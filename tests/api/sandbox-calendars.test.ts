import { beforeEach, describe, expect, it } from "vitest";
import type { FakeClock } from "../fakes/clock";
import { ownReceiver } from "./own-receiver";
import { type Opened, openCalendar } from "./service";
import { openWithChannel } from "./webhooks/open-with-channel";
import { work } from "./webhooks/world";

const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
const lunch = { summary: "Lunch", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let opened: Opened;
let channelId: string;

beforeEach(async () => {
  ({ clock, opened, channelId } = await openWithChannel(receiver));
});

async function change(body: object): Promise<void> {
  const { status, text } = await opened.post("/v1/sandbox/changes", { calendar_id: opened.calendarId, ...body });
  expect({ status, text }).toEqual({ status: 202, text: "" });
}

async function refused(body: object) {
  const sent = { calendar_id: opened.calendarId, ...body };
  const { status, json } = await opened.post("/v1/sandbox/changes", sent);
  return { status, fields: Object.keys(json?.errors ?? {}) };
}

async function events() {
  const query = { tzid: "Etc/UTC", include_managed: "true", include_deleted: "true" };
  return (await opened.get("/v1/events", query)).json.events;
}

async function calendar() {
  return (await opened.get("/v1/calendars")).json.calendars[0];
}

const write = (body: object) => opened.post(`/v1/calendars/${opened.calendarId}/events`, body);

/** How often the channel was notified of a change, once the second in which changes join is over. */
async function changes(): Promise<number> {
  clock.advance(1_100);
  await work();
  const own = receiver.got.filter(({ json }) => json.channel.channel_id === channelId);
  return own.filter(({ json }) => json.notification.type === "change").length;
}

describe("a calendar in the sandbox", () => {
  it("becomes read-only for the application, not for others, and writable again", async () => {
    const readonly = { type: "calendar_changed", calendar: { calendar_readonly: true } };
    await change(readonly);
    await change(readonly);
    expect(await calendar()).toMatchObject({ calendar_readonly: true, calendar_deleted: false });
    expect(await changes()).toBe(1);
    expect(await write({ event_id: "one", ...lunch })).toMatchObject({ status: 403, text: "" });
    await change({ type: "event_created", event: lunch });
    expect(await events()).toMatchObject([{ summary: "Lunch" }]);
    expect(await changes()).toBe(2);
    await change({ type: "calendar_changed", calendar: { calendar_readonly: false } });
    expect((await write({ event_id: "one", ...lunch })).status).toBe(202);
    expect(await changes()).toBe(3);
  });

  it("is deleted with its events, stays listed, and is there again, empty", async () => {
    await write({ event_id: "one", ...lunch });
    await change({ type: "calendar_deleted" });
    await change({ type: "calendar_deleted" });
    expect(await calendar()).toMatchObject({ calendar_deleted: true });
    expect(await events()).toMatchObject([{ event_id: "one", deleted: true }]);
    expect(await changes()).toBe(1);
    expect((await refused({ type: "event_created", event: lunch })).status).toBe(404);
    expect((await refused({ type: "calendar_changed", calendar: { calendar_readonly: true } })).status).toBe(404);
    await change({ type: "calendar_restored" });
    await change({ type: "calendar_restored" });
    expect(await calendar()).toMatchObject({ calendar_deleted: false, calendar_readonly: false });
    expect(await changes()).toBe(2);
    expect((await write({ event_id: "one", ...lunch })).status).toBe(202);
  });

  it("adds meeting links: one that a write asks for is pending until it is created, which notifies nobody", async () => {
    const link = { type: "calendar_changed", calendar: { calendar_integrated_conferencing_available: true } };
    const asking = { event_id: "one", ...lunch, conferencing: { profile_id: "integrated" } };
    expect((await write(asking)).status).toBe(422);
    await change(link);
    expect(await calendar()).toMatchObject({ calendar_integrated_conferencing_available: true });
    expect((await write(asking)).status).toBe(202);
    expect(await events()).toMatchObject([{ conferencing: { pending: true } }]);
    const before = await changes();
    await change({ type: "meeting_link_created", event_id: "one" });
    const join_url = "https://meet.example.com/sandbox";
    expect(await events()).toMatchObject([{ conferencing: { provider_name: "other", join_url } }]);
    expect(await changes()).toBe(before);
  });

  it("has an event to which somebody adds a meeting link, and one that somebody makes private", async () => {
    await change({ type: "event_created", event: { ...lunch, event_private: true } });
    const [{ event_uid, event_private }] = await events();
    expect(event_private).toBe(true);
    await change({ type: "event_changed", event_uid, event: { ...lunch, summary: "Late lunch" } });
    expect(await events()).toMatchObject([{ summary: "Late lunch", event_private: true }]);
    expect(await changes()).toBe(1);
    const link = { type: "meeting_link_created", event_uid, join_url: "https://meet.acme.io/1" };
    await change(link);
    await change(link);
    expect(await events()).toMatchObject([{ conferencing: { join_url: "https://meet.acme.io/1" } }]);
    expect(await changes()).toBe(2);
    await change({ type: "event_changed", event_uid, event: { ...lunch, event_private: false } });
    expect(await events()).toMatchObject([{ event_private: false }]);
  });

  it("is refused with what is missing or unknown", async () => {
    expect(await refused({ type: "calendar_changed" })).toEqual({ status: 422, fields: ["calendar"] });
    const wrong = { type: "calendar_changed", calendar: { calendar_readonly: "yes" } };
    expect(await refused(wrong)).toEqual({ status: 422, fields: ["calendar.calendar_readonly"] });
    expect(await refused({ type: "meeting_link_created" })).toEqual({ status: 422, fields: ["event_id"] });
    const script = { type: "meeting_link_created", event_id: "none", join_url: "javascript:alert(1)" };
    expect(await refused(script)).toEqual({ status: 422, fields: ["join_url"] });
    expect(await refused({ type: "meeting_link_created", event_id: "none" })).toEqual({
      status: 422,
      fields: ["event_id"],
    });
    const other = await openCalendar();
    for (const type of ["calendar_deleted", "calendar_restored"]) {
      expect((await refused({ type, calendar_id: "cal_\u0000" })).status).toBe(422);
      expect((await refused({ type, calendar_id: other.calendarId })).status).toBe(404);
    }
  });
});
