import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { MAX_TRIGGERS } from "@/server/domain/triggers";
import type { FakeClock } from "../../fakes/clock";
import { withToken } from "../grants";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { openWithChannel } from "./open-with-channel";
import { work } from "./world";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let opened: Opened;

beforeEach(async () => {
  ({ clock, opened } = await openWithChannel(receiver));
  await work();
});

const MINUTE_MS = 60_000;
const later = (minutes: number) => new Date(Math.ceil(clock.now() / 1000) * 1000 + minutes * MINUTE_MS).toISOString();

async function trigger(fields: object, calendar = opened) {
  const answer = await calendar.post("/v1/triggers", { callback_url: receiver.url("/triggers"), ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { trigger_id: string; signing_secret: string };
}

async function event(id: string, starts: number, minutes = 30, more: object = {}): Promise<void> {
  await opened.write({ event_id: id, summary: "Secret", start: later(starts), end: later(starts + minutes), ...more });
}

async function pass(minutes: number): Promise<void> {
  for (let seconds = 0; seconds < minutes * 60; seconds += 20) {
    clock.advance(20_000);
    await work();
  }
}

const fired = (id: string) =>
  receiver.got.filter(({ json }) => json.notification.trigger_id === id).map(({ json }) => json.notification);

async function uidOf(id: string): Promise<string> {
  const { json } = await opened.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
  return json.events.find((one: { event_id: string }) => one.event_id === id).event_uid;
}

describe("a trigger", () => {
  it("fires once before the start of an event, within a minute, signed like a channel's notification", async () => {
    const { trigger_id, signing_secret } = await trigger({ before: "event_start", minutes: 5 });
    await event("a", 8);
    await pass(2);
    expect(fired(trigger_id)).toEqual([]);
    await pass(2);
    const event_uid = await uidOf("a");
    expect(fired(trigger_id)).toEqual([{ type: "trigger", trigger_id, event_uid }]);
    const [sent] = receiver.got.filter(({ json }) => json.notification.trigger_id === trigger_id);
    expect(sent?.headers["svc-signature"]).toMatch(/^t=\d+,v1=/);
    expect(signing_secret).toMatch(/^whsec_/);
    expect(sent?.body).not.toContain("Secret");
    await pass(10);
    expect(fired(trigger_id)).toHaveLength(1);
  });

  it("fires after the end, and only for the events that it is for", async () => {
    const after = await trigger({ after: "event_end", minutes: 1 });
    const guests = await trigger({ after: "event_start", minutes: 0, min_guests: 2 });
    const other = await trigger({ after: "event_start", minutes: 0, calendar_ids: ["cal_other"] });
    const invite = [{ email: "a@acme.io" }, { email: "b@acme.io" }];
    await event("a", 1, 2, { attendees: { invite, remove: [] }, notify_attendees: false });
    await event("b", 1, 2);
    await pass(5);
    expect(fired(after.trigger_id)).toHaveLength(2);
    expect(fired(guests.trigger_id)).toEqual([
      { type: "trigger", trigger_id: guests.trigger_id, event_uid: await uidOf("a") },
    ]);
    expect(fired(other.trigger_id)).toEqual([]);
  });

  it("fires for each occurrence of a series, and at midnight in its owner's zone for an all-day event", async () => {
    const { trigger_id } = await trigger({ after: "event_start", minutes: 0 });
    await event("daily", 2, 30, {
      tzid: "Etc/UTC",
      recurrence: { rules: [{ frequency: "daily", interval: 1, count: 2 }] },
    });
    await pass(3);
    expect(fired(trigger_id)).toHaveLength(1);
    const tomorrow = new Date(clock.now() + 86_400_000).toISOString().slice(0, 10);
    const next = new Date(clock.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await opened.write({ event_id: "whole", summary: "Away", start: tomorrow, end: next });
    clock.advance(Date.parse(`${tomorrow}T00:00:00Z`) - clock.now() - 1_000);
    await work();
    const before = fired(trigger_id).length;
    clock.advance(2_000);
    await work();
    expect(fired(trigger_id).slice(before)).toEqual([
      { type: "trigger", trigger_id, event_uid: expect.stringMatching(/^evt_/) },
    ]);
    clock.advance(86_400_000);
    await work();
    expect(fired(trigger_id)).toHaveLength(3);
    expect(new Set(fired(trigger_id).map(({ event_uid }) => event_uid)).size).toBe(3);
  });

  it("follows an event that moves, and is dropped with it", async () => {
    const { trigger_id } = await trigger({ before: "event_start", minutes: 1 });
    await event("a", 4);
    await event("b", 4);
    await event("c", 4);
    await event("a", 8);
    await opened.remove(`/v1/calendars/${opened.calendarId}/events`, { event_id: "b" });
    await pass(5);
    expect(fired(trigger_id).map(({ event_uid }) => event_uid)).toEqual([await uidOf("c")]);
    await pass(4);
    expect(fired(trigger_id).map(({ event_uid }) => event_uid)).toEqual([await uidOf("c"), await uidOf("a")]);
  });

  it("fires for an event that was moved so close that its time has passed", async () => {
    const { trigger_id } = await trigger({ before: "event_start", minutes: 60 });
    const before = new Date(Date.now() - 2 * 3_600_000);
    await db().prisma.trigger.update({ where: { id: trigger_id }, data: { createdAt: before } });
    await event("a", 10);
    await db().prisma.trigger.update({
      where: { id: trigger_id },
      data: { firedUntil: new Date(Date.now() - 30_000) },
    });
    await pass(1);
    expect(fired(trigger_id)).toEqual([{ type: "trigger", trigger_id, event_uid: await uidOf("a"), late: true }]);
  });

  it("says that it is late after an outage", async () => {
    const { trigger_id } = await trigger({ before: "event_start", minutes: 5 });
    await event("a", 10);
    await work();
    clock.advance(8 * MINUTE_MS);
    await work();
    expect(fired(trigger_id)).toMatchObject([{ late: true }]);
  });

  it("ends when it is deleted, and when its address is gone", async () => {
    const one = await trigger({ before: "event_start", minutes: 1 });
    const two = await trigger({ before: "event_start", minutes: 1 });
    const listed = async () => (await opened.get("/v1/triggers")).json.triggers;
    const said = { callback_url: receiver.url("/triggers"), before: "event_start", minutes: 1 };
    // Both were created in the same millisecond.
    expect(new Set(await listed())).toEqual(new Set([one, two].map(({ trigger_id }) => ({ trigger_id, ...said }))));
    const gone = await withToken("DELETE", `/v1/triggers/${one.trigger_id}`, opened.accessToken);
    expect(gone.status).toBe(202);
    expect((await withToken("DELETE", `/v1/triggers/${one.trigger_id}`, opened.accessToken)).status).toBe(404);
    receiver.answer(410);
    await event("a", 2);
    await event("b", 4);
    await pass(5);
    expect(fired(one.trigger_id)).toEqual([]);
    expect(fired(two.trigger_id)).toHaveLength(1);
    expect(await listed()).toEqual([]);
    expect(await db().prisma.outbox.count({ where: { kind: "trigger", accountId: opened.accountId } })).toBe(0);
    receiver.answer(204);
  });

  it("does not count against the limit once its channel is closed", async () => {
    const { trigger_id } = await trigger({ before: "event_start", minutes: 1 });
    const { channelId, ...one } = await db().prisma.trigger.findUniqueOrThrow({ where: { id: trigger_id } });
    const channel = await db().prisma.channel.findUniqueOrThrow({ where: { id: channelId } });
    const others = Array.from({ length: MAX_TRIGGERS - 1 }, (_, index) => `other_${opened.accountId}_${index}`);
    await db().prisma.channel.createMany({ data: others.map((id) => ({ ...channel, id })) });
    await db().prisma.trigger.createMany({ data: others.map((id) => ({ ...one, id, channelId: id })) });
    const another = () =>
      opened.post("/v1/triggers", { callback_url: receiver.url("/triggers"), before: "event_start", minutes: 1 });
    expect((await another()).status).toBe(422);
    await db().prisma.channel.update({ where: { id: channelId }, data: { closedAt: new Date(), closedBy: "gone" } });
    expect((await another()).status).toBe(201);
    expect((await another()).status).toBe(422);
  });

  it("is the account's alone, and stands apart from its channels", async () => {
    const { trigger_id } = await trigger({ after: "event_end", minutes: 10, only_managed: true });
    const stranger = await openCalendar();
    expect((await withToken("DELETE", `/v1/triggers/${trigger_id}`, stranger.accessToken)).status).toBe(404);
    expect((await stranger.get("/v1/triggers")).json).toEqual({ triggers: [] });
    expect((await opened.get("/v1/channels")).json.channels).toHaveLength(1);
    const { channelId } = await db().prisma.trigger.findUniqueOrThrow({ where: { id: trigger_id } });
    const before = receiver.got.length;
    await opened.post("/v1/sandbox/changes", {
      type: "event_created",
      calendar_id: opened.calendarId,
      event: { summary: "Theirs", start: later(60), end: later(90) },
    });
    await pass(1);
    const told = receiver.got.slice(before).map(({ json }) => json.channel?.channel_id);
    expect(told).toHaveLength(1);
    expect(told).not.toContain(channelId);
  });

  it("is refused with every fault at its place", async () => {
    const answer = await opened.post("/v1/triggers", { callback_url: "http://x", minutes: -1, calendar_ids: [] });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.errors).sort()).toEqual(["before", "calendar_ids", "callback_url", "minutes"]);
    const both = await opened.post("/v1/triggers", {
      callback_url: receiver.url("/t"),
      before: "event_start",
      after: "event_end",
      minutes: 10_081,
    });
    expect(Object.keys(both.json.errors).sort()).toEqual(["after", "minutes"]);
  });
});
