import { beforeEach, describe, expect, it } from "vitest";
import { env, provideEnv } from "@/server/env";
import type { FakeClock } from "../fakes/clock";
import { connectedWithTokens, withToken } from "./grants";
import { ownReceiver } from "./own-receiver";
import { call, newApplication, type Opened, openCalendar } from "./service";
import { openWithChannel } from "./webhooks/open-with-channel";
import { work } from "./webhooks/world";

const PATH = "/v1/sandbox/changes";
const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
const lunch = { summary: "Lunch", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let opened: Opened;
let channelId: string;

beforeEach(async () => {
  ({ clock, opened, channelId } = await openWithChannel(receiver));
});

async function events(query: Record<string, string> = {}) {
  const all = { tzid: "Etc/UTC", include_managed: "true", include_deleted: "true", ...query };
  return (await opened.get("/v1/events", all)).json.events;
}

/** The types of what the channel was notified of since its verification, once the second in which changes join is over. */
async function notified(): Promise<string[]> {
  clock.advance(1_100);
  await work();
  const own = receiver.got.filter(({ json }) => json.channel.channel_id === channelId);
  return own.map(({ json }) => json.notification.type).filter((type) => type !== "verification");
}

async function change(body: object): Promise<void> {
  const { status, text } = await opened.post(PATH, body);
  expect({ status, text }).toEqual({ status: 202, text: "" });
}

describe("a change in the sandbox", () => {
  const onCalendar = () => ({ calendar_id: opened.calendarId });

  it("adds an event that others made, and notifies of it", async () => {
    await change({ type: "event_created", ...onCalendar(), event: lunch });
    expect(await events()).toMatchObject([{ summary: "Lunch", participation_status: "accepted" }]);
    expect((await events())[0].event_id).toBeUndefined();
    expect(await notified()).toEqual(["change"]);
  });

  it("invites the user, who has not answered, and answers for them", async () => {
    const organizer = { email: "ada@example.com", display_name: "Ada" };
    await change({ type: "event_created", ...onCalendar(), event: lunch, organizer });
    const [invited] = await events();
    expect(invited).toMatchObject({ organizer, participation_status: "needs_action" });
    const account = (await opened.get("/v1/account")).json.account;
    const { event_uid } = invited;
    await change({ type: "guest_replied", ...onCalendar(), event_uid, email: account.email, status: "declined" });
    expect(await events()).toMatchObject([{ participation_status: "declined" }]);
  });

  it("answers for the user at the address that the account has, even where Almanac runs at localhost", async () => {
    const { BASE_URL } = env();
    provideEnv({ BASE_URL: "http://localhost:3000" });
    try {
      opened = await openCalendar();
    } finally {
      provideEnv({ BASE_URL });
    }
    const { email } = (await opened.get("/v1/account")).json.account;
    expect(email).toMatch(/^apc_[0-9a-f]{24}@localhost$/);
    await change({ type: "event_created", ...onCalendar(), event: lunch, organizer: { email: "ada@example.com" } });
    const [{ event_uid }] = await events();
    await change({ type: "guest_replied", ...onCalendar(), event_uid, email, status: "tentative" });
    expect(await events()).toMatchObject([{ participation_status: "tentative" }]);
  });

  it("changes and deletes what the application wrote, and notifies of it", async () => {
    await opened.write({ event_id: "one", ...lunch });
    const target = { ...onCalendar(), event_id: "one" };
    await change({ type: "event_changed", ...target, event: { ...lunch, summary: "Late lunch" } });
    expect(await events()).toMatchObject([{ event_id: "one", summary: "Late lunch" }]);
    expect(await notified()).toEqual(["change"]);
    await change({ type: "event_changed", ...target, event: { ...lunch, summary: "Late lunch" } });
    expect(await notified()).toEqual(["change"]);
    await change({ type: "event_deleted", ...target });
    expect(await events()).toMatchObject([{ event_id: "one", deleted: true }]);
    expect(await notified()).toEqual(["change", "change"]);
  });

  it("changes a series of others by the name of one of its occurrences", async () => {
    const series = { ...lunch, tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "daily", count: 3 }] } };
    await change({ type: "event_created", ...onCalendar(), event: series });
    const [, second] = await events();
    await change({
      type: "event_changed",
      ...onCalendar(),
      event_uid: second.event_uid,
      event: { ...series, summary: "B" },
    });
    expect((await events()).map(({ summary }: { summary: string }) => summary)).toEqual(["B", "B", "B"]);
  });

  it("sets the reply of a guest", async () => {
    await opened.write({
      event_id: "one",
      ...lunch,
      attendees: { invite: [{ email: "Grace@acme.io" }] },
      notify_attendees: false,
    });
    const reply = { type: "guest_replied", ...onCalendar(), event_id: "one", status: "tentative" };
    await change({ ...reply, email: " GRACE@acme.io" });
    expect(await events()).toMatchObject([{ attendees: [{ email: "grace@acme.io", status: "tentative" }] }]);
    expect(await notified()).toEqual(["change"]);
    const stranger = await opened.post(PATH, { ...reply, email: "nobody@acme.io" });
    expect(stranger).toMatchObject({ status: 422, json: { errors: { email: [{ key: "errors.invalid" }] } } });
  });

  it("disconnects and reconnects the profile, and shows a first sync", async () => {
    const shown = async () => {
      const { profile_connected, profile_initial_sync_required } = (await opened.get("/v1/profiles")).json.profiles[0];
      return [profile_connected, profile_initial_sync_required];
    };
    await change({ type: "profile_disconnected" });
    await change({ type: "profile_disconnected" });
    expect(await shown()).toEqual([false, false]);
    expect(await notified()).toEqual(["profile_disconnected"]);
    await change({ type: "profile_reconnected" });
    expect(await shown()).toEqual([true, false]);
    await change({ type: "initial_sync_started" });
    expect(await shown()).toEqual([true, true]);
    await change({ type: "initial_sync_completed" });
    await change({ type: "initial_sync_completed" });
    expect(await shown()).toEqual([true, false]);
    expect(await notified()).toEqual(["profile_disconnected", "profile_initial_sync_completed"]);
  });

  it.each([
    [{}, { type: ["errors.required"] }],
    [{ type: "explode" }, { type: ["errors.invalid_value"] }],
    [{ type: "event_created" }, { calendar_id: ["errors.required"], event: ["errors.required"] }],
    [{ type: "event_deleted", calendar_id: "cal_1" }, { event_id: ["errors.required"] }],
    [{ type: "event_deleted", calendar_id: "c", event_id: "a", event_uid: "b" }, { event_id: ["errors.invalid"] }],
    [{ type: "event_created", calendar_id: "c", event: { summary: 5 } }, { "event.summary": ["errors.invalid_type"] }],
    [
      { type: "event_created", calendar_id: "c", event: { ...lunch, end: `${day}T09:00:00Z` } },
      { "event.end": ["errors.invalid"] },
    ],
    [
      { type: "guest_replied", calendar_id: "c", event_id: "a", email: "x", status: "maybe" },
      { email: ["errors.invalid_email"], status: ["errors.invalid_value"] },
    ],
  ])("that is %j is refused with what is wrong", async (body, errors) => {
    const { status, json } = await opened.post(PATH, body);
    expect(status).toBe(422);
    const keys = Object.entries(json.errors as Record<string, { key: string }[]>);
    expect(Object.fromEntries(keys.map(([field, all]) => [field, all.map(({ key }) => key)]))).toMatchObject(errors);
  });

  it("is refused for events and calendars that are not the account's", async () => {
    const other = await openCalendar();
    await other.write({ event_id: "theirs", ...lunch });
    const created = { type: "event_created", calendar_id: other.calendarId, event: lunch };
    expect(await opened.post(PATH, created)).toMatchObject({ status: 404, text: "" });
    const deleted = { type: "event_deleted", calendar_id: opened.calendarId, event_id: "theirs" };
    expect(await opened.post(PATH, deleted)).toMatchObject({
      status: 422,
      json: { errors: { event_id: [{ description: "event_id is not an event of the calendar" }] } },
    });
    const uid = (await other.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" })).json.events[0].event_uid;
    const byUid = { type: "event_deleted", calendar_id: opened.calendarId, event_uid: uid };
    expect((await opened.post(PATH, byUid)).status).toBe(422);
  });

  it("is 403 for an account with a provider, and 404 where the sandbox is off", async () => {
    const { accessToken } = await connectedWithTokens(await newApplication());
    const refused = await withToken("POST", PATH, accessToken, { type: "profile_disconnected" });
    expect(refused).toMatchObject({ status: 403, json: { error: "forbidden" } });
    provideEnv({ SANDBOX: "off" });
    try {
      expect(await opened.post(PATH, { type: "profile_disconnected" })).toMatchObject({ status: 404, text: "" });
    } finally {
      provideEnv({ SANDBOX: "on" });
    }
    expect((await opened.get("/v1/profiles")).json.profiles[0].profile_connected).toBe(true);
  });
});

describe("Svc-Sandbox-Fault", () => {
  const ask = (fault: string, path = "/v1/account", accessToken = opened.accessToken) =>
    call("GET", path, { headers: { authorization: `Bearer ${accessToken}`, "svc-sandbox-fault": fault } });
  const send = (method: string, json: object) =>
    call(method, `/v1/calendars/${opened.calendarId}/events`, {
      json,
      headers: { authorization: `Bearer ${opened.accessToken}`, "svc-sandbox-fault": "write_refused" },
    });

  it("answers as when too much is asked, or when the service is down", async () => {
    const limited = await ask("rate_limited");
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(limited.headers.get("ratelimit-limit")).not.toBeNull();
    expect(limited.headers.get("svc-sandbox-fault")).toBe("rate_limited");
    const down = await ask("unavailable");
    expect([down.status, down.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  it("answers late", async () => {
    const started = performance.now();
    expect((await ask("slow=150")).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(149);
  });

  it("refuses a new event, a change and a deletion after they were accepted, and notifies of it", async () => {
    expect((await send("POST", { event_id: "one", ...lunch })).status).toBe(202);
    expect(await events()).toMatchObject([{ event_id: "one", deleted: true }]);
    await opened.write({ event_id: "two", ...lunch });
    expect((await send("POST", { event_id: "two", ...lunch, summary: "Refused" })).status).toBe(202);
    expect(await events({ include_deleted: "false" })).toMatchObject([{ event_id: "two", summary: "Lunch" }]);
    expect(await notified()).toEqual(["change"]);
    expect((await send("DELETE", { event_id: "two" })).status).toBe(202);
    expect(await events({ include_deleted: "false" })).toMatchObject([{ event_id: "two", summary: "Lunch" }]);
    expect(await notified()).toEqual(["change", "change"]);
  });

  it.each(["explode", "slow", "slow=60001", "slow=-1", "rate_limited, unavailable"])(
    "of %j has no effect but a response that says what there is",
    async (fault) => {
      const { status, headers } = await ask(fault);
      expect([status, headers.get("svc-sandbox-fault")]).toEqual([
        200,
        "unknown: use rate_limited, unavailable, write_refused, write_pending or slow=0 to slow=60000",
      ]);
    },
  );

  it("means nothing for an account with a provider, and where the sandbox is off", async () => {
    const { accessToken } = await connectedWithTokens(await newApplication());
    expect((await ask("rate_limited", "/v1/account", accessToken)).status).toBe(200);
    provideEnv({ SANDBOX: "off" });
    try {
      expect((await ask("rate_limited")).status).toBe(200);
    } finally {
      provideEnv({ SANDBOX: "on" });
    }
  });
});
