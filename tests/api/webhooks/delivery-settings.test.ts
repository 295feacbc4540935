import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeClock } from "../../fakes/clock";
import { changeEvents } from "../../fakes/stored-events";
import { at } from "../availability";
import { withToken } from "../grants";
import { ownReceiver } from "../own-receiver";
import { call, type Opened, openCalendar } from "../service";
import { openWithChannel } from "./open-with-channel";
import { openChannel, theyWrite, work } from "./world";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let opened: Opened;
let channelId: string;

beforeEach(async () => {
  ({ clock, opened, channelId } = await openWithChannel(receiver));
  await work();
});

const set = (settings: object, id = channelId, token = opened.accessToken) =>
  withToken("PUT", `/v1/channels/${id}/delivery`, token, settings);

const received = (id = channelId) => receiver.got.filter(({ json }) => json.channel.channel_id === id);
const changes = (id = channelId) => received(id).filter(({ json }) => json.notification.type === "change");

async function notified(): Promise<void> {
  clock.advance(1_100);
  await work();
}

describe("PUT /v1/channels/{channel_id}/delivery", () => {
  it("returns the settings, and the defaults for what is left out", async () => {
    const all = await set({ payload: "changes", write_refused: true });
    expect(all.status, all.text).toBe(200);
    expect(all.json).toEqual({ delivery: { payload: "changes", signature: "default", write_refused: true } });
    expect((await set({})).json).toEqual({
      delivery: { payload: "thin", signature: "default", write_refused: false },
    });
  });

  it("knows open channels of the account alone, and names every fault", async () => {
    const stranger = await openCalendar();
    expect((await set({}, channelId, stranger.accessToken)).status).toBe(404);
    expect((await set({}, "chn_unknown")).json.error).toBe("not_found");
    const wrong = await set({ payload: "thick", signature: 1, write_refused: "yes" });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.json.errors)).toEqual(["payload", "signature", "write_refused"]);
    await withToken("DELETE", `/v1/channels/${channelId}`, opened.accessToken);
    expect((await set({})).status).toBe(404);
  });
});

describe("a notification with what changed", () => {
  it("lists the changes since changes_since as the feed does, own writes among them, and no text", async () => {
    await set({ payload: "changes" });
    const start = await opened.get("/v1/changes");
    await theyWrite(opened, "theirs-1");
    await opened.write({ event_id: "own", summary: "Secret plans", start: at(3, "09:00"), end: at(3, "10:00") });
    await notified();
    const feed = await opened.get("/v1/changes", { cursor: start.json.cursor });
    const [first] = changes();
    expect(first?.json.notification.changes).toEqual(feed.json.changes);
    expect(feed.json.changes).toHaveLength(2);
    expect(first?.json.notification.more).toBeUndefined();
    expect(JSON.stringify(first?.json)).not.toContain("Secret");
  });

  it("sends at most 100, and says that there is more", async () => {
    await set({ payload: "changes" });
    for (let i = 0; i < 101; i++) await theyWrite(opened, `many-${i}`);
    await notified();
    const [first] = changes();
    expect(first?.json.notification.changes).toHaveLength(100);
    expect(first?.json.notification.more).toBe(true);
  });

  it("reaches a managed event behind more than 100 others, where the channel is for those alone", async () => {
    const { channel_id } = await openChannel(opened, receiver.url(), { only_managed: true });
    await work();
    await set({ payload: "changes" }, channel_id);
    await opened.write({ event_id: "own", summary: "Ours", start: at(3, "09:00"), end: at(3, "10:00") });
    await changeEvents({ calendarId: opened.calendarId, eventId: "own" }, { externalId: "own" });
    await theyWrite(opened, "own", { summary: "Theirs" });
    for (let i = 0; i < 101; i++) await theyWrite(opened, `many-${i}`);
    await theyWrite(opened, "own", { summary: "Theirs", description: "Changed again" });
    await notified();
    const [first] = changes(channel_id);
    const listed: { event_id?: string; fields: string[] }[] = first?.json.notification.changes;
    expect(new Set(listed.map(({ event_id }) => event_id))).toEqual(new Set(["own"]));
    expect(listed.at(-1)?.fields).toEqual(["description"]);
    expect(first?.json.notification.more).toBeUndefined();
  });

  it("lists what has changed by the time of a retry, and follows the channel's filters", async () => {
    await set({ payload: "changes" });
    receiver.answer(503);
    await theyWrite(opened, "theirs-2");
    await notified();
    await theyWrite(opened, "theirs-3");
    receiver.answer(204);
    clock.advance(60_000);
    await work();
    const lengths = changes().map(({ json }) => json.notification.changes.length);
    expect(lengths.slice(0, 2)).toEqual([1, 2]);
  });

  it("stays thin where nothing was set", async () => {
    await theyWrite(opened, "theirs-4");
    await notified();
    expect(Object.keys(changes()[0]?.json.notification)).toEqual(["type", "changes_since"]);
  });
});

describe("a notification of a refused write", () => {
  const refused = () => received().filter(({ json }) => json.notification.type === "write_refused");
  const event = { summary: "Secret plans", start: at(3, "09:00"), end: at(3, "10:00") };
  const writeRefused = async (method: string, json: object) => {
    const headers = { authorization: `Bearer ${opened.accessToken}`, "svc-sandbox-fault": "write_refused" };
    const answer = await call(method, `/v1/calendars/${opened.calendarId}/events`, { json, headers });
    expect(answer.status, answer.text).toBe(202);
    await notified();
  };

  it("says which event and why, of a new one, a change and a deletion, and nothing of its text", async () => {
    await set({ write_refused: true });
    await writeRefused("POST", { event_id: "new", ...event });
    await opened.write({ event_id: "old", ...event });
    await writeRefused("POST", { event_id: "old", ...event, summary: "Other plans" });
    await writeRefused("DELETE", { event_id: "old" });
    const query = { tzid: "Etc/UTC", include_managed: "true", include_deleted: "true" };
    const { json } = await opened.get("/v1/events", query);
    const uids = (id: string) =>
      json.events.flatMap(({ event_id, event_uid }: Record<string, string>) => (event_id === id ? [event_uid] : []));
    const about = (event_id: string) => ({
      type: "write_refused",
      ...{ calendar_id: opened.calendarId, event_uid: expect.toBeOneOf(uids(event_id)), event_id, reason: "rejected" },
    });
    expect(refused().map(({ json }) => json.notification)).toEqual([about("new"), about("old"), about("old")]);
    expect(JSON.stringify(refused().map(({ json }) => json))).not.toContain("plans");
    expect(changes().length).toBeGreaterThan(0);
  });

  it("is for channels that want it, of the calendars that they watch", async () => {
    await writeRefused("POST", { event_id: "one", ...event });
    expect(refused()).toEqual([]);
    const other = await openChannel(opened, receiver.url(), { calendar_ids: ["cal_other"] });
    await work();
    await set({ write_refused: true }, other.channel_id);
    await writeRefused("POST", { event_id: "two", ...event });
    const types = receiver.got.filter(({ json }) => json.channel.channel_id === other.channel_id);
    expect(types.map(({ json }) => json.notification.type)).toEqual(["verification"]);
  });
});

describe("the headers of Standard Webhooks", () => {
  it("are verified by its library with the secret of the answer, and stand beside ours", async () => {
    const { json } = await set({ signature: "standard_webhooks" });
    const { signing_secret } = json.delivery;
    expect(signing_secret).toMatch(/^[A-Za-z0-9+/]+=*$/);
    await theyWrite(opened, "theirs-5");
    await notified();
    const [sent] = changes();
    if (!sent) throw new Error("nothing arrived");
    const { headers, body } = sent;
    expect(headers["svc-signature"]).toBeDefined();
    expect(headers["webhook-id"]).toBe(headers["svc-delivery-id"]);
    // The library compares with the clock of the machine, and the test's is ahead.
    const verify = (text: string) => {
      const library = new Webhook(signing_secret);
      return library.sign(String(headers["webhook-id"]), new Date(Number(headers["webhook-timestamp"]) * 1000), text);
    };
    expect(verify(body)).toBe(headers["webhook-signature"]);
    expect(verify(`${body} `)).not.toBe(headers["webhook-signature"]);
  });
});
