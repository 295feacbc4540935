import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { settleMeetingLink } from "@/server/store/events/settle-conferencing";
import { completeInitialSync, disconnectProfile } from "@/server/store/profiles/connection-state";
import { fanOut } from "@/server/webhooks/fan-out";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { changeCalendar, setMeetingLinks, storedCalendar } from "../../fakes/stored";
import { setCallbackUrl } from "../../fakes/stored-deliveries";
import { changeEvents } from "../../fakes/stored-events";
import { setPayload, signalsOf, signalTries } from "../../fakes/stored-signals";
import { connectedWithTokens } from "../grants";
import { ownReceiver } from "../own-receiver";
import { call, newApplication, type Opened, openCalendar } from "../service";
import { openChannel, theyWrite, work } from "./world";

const SECOND = 1_000;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
  receiver.answer(200);
});

/** An application calendar with a channel whose verification is over: what comes after it. */
async function watched(filters?: object, opened?: Opened) {
  const calendar = opened ?? (await openCalendar());
  const channel = await openChannel(calendar, receiver.url(), filters);
  await work();
  const got = () =>
    receiver.got
      .filter(({ json }) => json.channel.channel_id === channel.channel_id)
      .map(({ json }) => json)
      .filter(({ notification }) => notification.type !== "verification");
  return { opened: calendar, channel, got };
}

async function aSecondLater() {
  clock.advance(1.1 * SECOND);
  await work();
}

/** An event of the application's own. */
function ours(eventId: string) {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  return { event_id: eventId, summary: "Ours", description: "", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
}

describe("verification", () => {
  it("is sent at once, once, with the channel and nothing else", async () => {
    const opened = await openCalendar();
    const filters = { calendar_ids: [opened.calendarId], only_managed: false };
    const { channel_id, callback_url } = await openChannel(opened, receiver.url("/täst?a=b/c"), filters);
    await work();
    await work();
    const got = receiver.got.filter(({ json }) => json.channel.channel_id === channel_id);
    expect(got.map(({ body }) => body)).toEqual([
      `{"notification":{"type":"verification"},"channel":{"channel_id":"${channel_id}","callback_url":"${callback_url}","filters":{"calendar_ids":["${opened.calendarId}"],"only_managed":false}}}`,
    ]);
    expect(got[0]?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "svc-delivery-id": expect.stringMatching(/^whd_[0-9a-f]{24}$/),
      "svc-delivery-attempt": "1",
    });
  });

  it("goes to the new channel only", async () => {
    const { opened, channel } = await watched();
    await watched(undefined, opened);
    const verifications = receiver.got.filter(({ json }) => json.channel.channel_id === channel.channel_id);
    expect(verifications).toHaveLength(1);
  });
});

describe("change", () => {
  it("comes about a second after it, from which reading misses nothing", async () => {
    const { opened, got } = await watched();
    await theyWrite(opened, "one");
    await work();
    expect(got()).toEqual([]);
    await aSecondLater();
    const [{ notification, channel }] = got() as [
      { notification: { type: string; changes_since: string }; channel: object },
    ];
    expect(notification).toEqual({
      type: "change",
      changes_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(channel).toMatchObject({ filters: {} });
    const query = { tzid: "Etc/UTC", last_modified: notification.changes_since };
    const { json } = await opened.get("/v1/events", query);
    expect(json.events.map(({ summary }: { summary: string }) => summary)).toEqual(["Theirs one"]);
  });

  it("of several changes close together is one notification, reaching back to the first", async () => {
    const { opened, got } = await watched();
    for (let i = 0; i < 5; i++) await theyWrite(opened, `event ${i}`);
    await setPayload(opened.accountId, { at: Date.parse("2026-01-02T03:04:05.999Z") }, { onlyOldest: true });
    await aSecondLater();
    await aSecondLater();
    expect(got().map(({ notification }) => notification)).toEqual([
      { type: "change", changes_since: "2026-01-02T03:04:05Z" },
    ]);
  });

  it("of changes more than a second apart is one notification each", async () => {
    const { opened, got } = await watched();
    await theyWrite(opened, "one");
    await aSecondLater();
    await theyWrite(opened, "two");
    await aSecondLater();
    expect(got()).toHaveLength(2);
  });

  it("is not notified of the application's own writes", async () => {
    const { opened, got } = await watched();
    const path = `/v1/calendars/${opened.calendarId}/events`;
    await opened.write(ours("one"));
    await opened.write({ ...ours("one"), summary: "Ours, changed" });
    await opened.write({
      ...ours("series"),
      tzid: "Etc/UTC",
      recurrence: { rules: [{ frequency: "daily", count: 3 }] },
    });
    const day = ours("series").start.slice(0, 10);
    expect(
      (await opened.post(`${path}/occurrences`, { event_id: "series", occurrence_date: day, summary: "x" })).status,
    ).toBe(202);
    expect((await opened.remove(path, { event_id: "one" })).status).toBe(202);
    await setMeetingLinks(opened.calendarId, true);
    await opened.write({ ...ours("link"), conferencing: { profile_id: "default" } });
    await settleMeetingLink(db(), {
      calendarId: opened.calendarId,
      eventId: "link",
      made: { provider: "google_meet", join_url: "https://meet.acme.io/1" },
      now: clock.now() as Instant,
    });
    await aSecondLater();
    expect(got()).toEqual([]);
  });

  it("is not notified when others write what was there already", async () => {
    const { opened, got } = await watched();
    await theyWrite(opened, "one", { span: span(24) });
    await aSecondLater();
    await theyWrite(opened, "one", { span: span(24) });
    await aSecondLater();
    expect(got()).toHaveLength(1);
  });

  it("is notified when others cancel an event, and when a guest replies", async () => {
    const { opened, got } = await watched();
    const guest = { email: "ann@acme.io", display_name: null, status: "needs_action" as const };
    await theyWrite(opened, "one", { span: span(24), attendees: [guest] });
    await aSecondLater();
    await theyWrite(opened, "one", { span: span(24), attendees: [{ ...guest, status: "accepted" }] });
    await aSecondLater();
    await theyWrite(opened, "one", { status: "cancelled" });
    await aSecondLater();
    expect(got()).toHaveLength(3);
  });

  it("of a calendar outside of filters.calendar_ids is not notified", async () => {
    const { opened, got } = await watched({ calendar_ids: ["cal_another"] });
    const inside = await watched({ calendar_ids: ["cal_another", opened.calendarId] }, opened);
    const none = await watched({ calendar_ids: [] }, opened);
    await theyWrite(opened, "one");
    await aSecondLater();
    expect([got().length, inside.got().length, none.got().length]).toEqual([0, 1, 0]);
    expect(inside.got()[0].channel.filters).toEqual({ calendar_ids: ["cal_another", opened.calendarId] });
  });

  it("with filters.only_managed is notified of the application's events only", async () => {
    const { opened, got } = await watched({ only_managed: true });
    const all = await watched({ only_managed: false }, opened);
    await theyWrite(opened, "theirs");
    await aSecondLater();
    expect([got().length, all.got().length]).toEqual([0, 1]);
    await opened.write(ours("ours"));
    const event = { calendarId: opened.calendarId, eventId: "ours" };
    await changeEvents(event, { externalId: "of the provider" });
    await theyWrite(opened, "of the provider", { summary: "Moved by another", span: span(48) });
    await aSecondLater();
    expect([got().length, all.got().length]).toEqual([1, 2]);
  });

  it("reaches back to what a notification announced that failed for good", async () => {
    const { opened, got } = await watched();
    receiver.answer(500);
    await theyWrite(opened, "one");
    await aSecondLater();
    const [{ notification: lost }] = got() as [{ notification: { changes_since: string } }];
    clock.advance(49 * 3600 * SECOND);
    await work();
    receiver.answer(200);
    const { changedAt } = await storedCalendar(opened.calendarId);
    await changeCalendar(opened.calendarId, { changedAt: new Date(changedAt.getTime() + 3_600 * SECOND) });
    await theyWrite(opened, "two");
    await aSecondLater();
    expect(got().at(-1).notification).toEqual({ type: "change", changes_since: lost.changes_since });
    await theyWrite(opened, "three");
    await aSecondLater();
    expect(got().at(-1).notification.changes_since > lost.changes_since).toBe(true);
  });

  it("is notified of other accounts, and of the account's other changes together, although one signal cannot be read", async () => {
    const broken = await watched();
    const sound = await watched();
    for (const name of ["one", "two", "three"]) await theyWrite(broken.opened, name);
    await theyWrite(sound.opened, "one");
    await setPayload(broken.opened.accountId, { managed: false, at: "no time" }, { onlyOldest: true });
    await aSecondLater();
    expect([sound.got().length, broken.got().length]).toEqual([1, 1]);
    expect(await signalTries(broken.opened.accountId)).toEqual([{ attempts: 1, due_at: "infinity" }]);
    await theyWrite(broken.opened, "four");
    await aSecondLater();
    expect(broken.got()).toHaveLength(2);
  });

  it("whose handling throws is put off alone, ten times, and is then set aside", async () => {
    const broken = await watched();
    const sound = await watched();
    await setCallbackUrl(broken.channel.channel_id, "no URL");
    await theyWrite(broken.opened, "one");
    await theyWrite(sound.opened, "one");
    for (let i = 0; i < 12; i++) {
      await aSecondLater();
      clock.advance(3_600 * SECOND);
    }
    expect([sound.got().length, broken.got().length]).toEqual([1, 0]);
    expect(await signalTries(broken.opened.accountId)).toEqual([{ attempts: 10, due_at: "infinity" }]);
  });

  it("waits for its second although another notification of the account is due", async () => {
    const { opened, got } = await watched();
    await theyWrite(opened, "one");
    clock.advance(0.4 * SECOND);
    await openChannel(opened, receiver.url());
    await work();
    expect(got()).toEqual([]);
    await theyWrite(opened, "two");
    await aSecondLater();
    expect(got()).toHaveLength(1);
  });

  it("is one notification although two processes fan out at once", async () => {
    const { opened, got } = await watched();
    for (let i = 0; i < 10; i++) await theyWrite(opened, `event ${i}`);
    clock.advance(2 * SECOND);
    await Promise.all(Array.from({ length: 4 }, () => fanOut(db())));
    await work();
    expect(got()).toHaveLength(1);
  });
});

describe("a profile", () => {
  async function connected() {
    const application = await newApplication();
    const account = await connectedWithTokens(application);
    const headers = { authorization: `Bearer ${account.accessToken}` };
    const made = await call("POST", "/v1/channels", {
      json: { callback_url: receiver.url(), filters: { only_managed: true, calendar_ids: [] } },
      headers,
    });
    await work();
    const got = () =>
      receiver.got
        .filter(({ json }) => json.channel.channel_id === made.json.channel.channel_id)
        .map(({ json }) => json.notification);
    return { ...account, got, headers };
  }

  it("that has to be connected again is notified once, whatever the filters", async () => {
    const { profileId, got, headers } = await connected();
    expect(await disconnectProfile(db(), profileId)).toBe(true);
    expect(await disconnectProfile(db(), profileId)).toBe(false);
    await work();
    expect(got()).toEqual([{ type: "verification" }, { type: "profile_disconnected" }]);
    const { json } = await call("GET", "/v1/profiles", { headers });
    expect(json.profiles[0].profile_connected).toBe(false);
  });

  it("that has finished its first sync is notified once; changes of the first sync are not", async () => {
    const { profileId, calendarIds, got, accountId } = await connected();
    await theyWrite({ calendarId: calendarIds.writable }, "first");
    expect(await completeInitialSync(db(), profileId)).toBe(true);
    expect(await completeInitialSync(db(), profileId)).toBe(false);
    await aSecondLater();
    expect(got()).toEqual([{ type: "verification" }, { type: "profile_initial_sync_completed" }]);
    expect(await signalsOf(accountId)).toEqual([]);
  });
});

function span(hours: number) {
  const starts = (Math.ceil(clock.now() / 3_600_000) * 3_600_000 + hours * 3_600_000) as Instant;
  return { starts, ends: (starts + 3_600_000) as Instant, allDay: false };
}
