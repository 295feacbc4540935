import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { calendar_v3 } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { failure, meeting, officialClient } from "./google-client";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let google: GoogleFake;
let api: calendar_v3.Calendar;
let server: Server;
let received: Received[];
let statuses: number[];
let address: string;

beforeEach(async () => {
  google = await startGoogle({ accounts: [{ email: "ada@example.com" }, { email: "bob@example.com" }] });
  api = officialClient(google);
  received = [];
  statuses = [];
  server = createServer(async (req, res) => {
    received.push({ headers: req.headers, body: await text(req) });
    res.writeHead(statuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`;
});
afterEach(async () => {
  await google.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const calendarId = "primary";
const watch = async (requestBody: calendar_v3.Schema$Channel) =>
  (await api.events.watch({ calendarId, requestBody: { type: "web_hook", address, ...requestBody } })).data;
const change = (summary = "Planning") => google.account("ada@example.com").primary.putEvent(meeting({ summary }));
const numbers = () => received.map(({ headers }) => Number(headers["x-goog-message-number"]));
const states = () => received.map(({ headers }) => headers["x-goog-resource-state"]);

describe("events.watch", () => {
  it("returns the channel, and sends a sync notice with message number 1", async () => {
    const expiration = String(Date.now() + 3_600_000);
    const channel = await watch({ id: "channel-1", token: "secret", expiration });
    expect(channel).toEqual({
      kind: "api#channel",
      id: "channel-1",
      resourceId: expect.any(String),
      resourceUri: `${google.origin}/calendar/v3/calendars/ada@example.com/events`,
      token: "secret",
      expiration,
    });
    await google.notices.settled();
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toBe("");
    expect(received[0]?.headers).toMatchObject({
      "content-length": "0",
      "user-agent": expect.stringContaining("APIs-Google"),
      "x-goog-channel-id": "channel-1",
      "x-goog-channel-token": "secret",
      "x-goog-channel-expiration": new Date(Number(expiration)).toUTCString(),
      "x-goog-resource-id": channel.resourceId,
      "x-goog-resource-uri": channel.resourceUri,
      "x-goog-resource-state": "sync",
      "x-goog-message-number": "1",
    });
  });

  it("notifies of changes by others and by the client itself, with growing numbers", async () => {
    await watch({ id: "channel-1" });
    change();
    const { data } = await api.events.insert({ calendarId, requestBody: meeting() });
    await api.events.delete({ calendarId, eventId: data.id ?? "" });
    await google.notices.settled();
    expect(states()).toEqual(["sync", "exists", "exists", "exists"]);
    expect(numbers()).toEqual([...numbers()].sort((one, other) => one - other));
    expect(new Set(numbers()).size).toBe(4);
    expect(received[1]?.headers).not.toHaveProperty("x-goog-channel-token");
  });

  it("notifies of nothing on other calendars", async () => {
    await watch({ id: "channel-1" });
    google.account("bob@example.com").primary.putEvent(meeting());
    await google.notices.settled();
    expect(states()).toEqual(["sync"]);
  });

  it("gives a week at most, and what was asked for if that is less", async () => {
    const week = 7 * 86_400_000;
    const expirationOf = async (channel: calendar_v3.Schema$Channel) =>
      Number((await watch(channel)).expiration) - Date.now();
    expect(await expirationOf({ id: "default" })).toBeGreaterThan(week - 60_000);
    expect(await expirationOf({ id: "too-long", expiration: String(Date.now() + 30 * week) })).toBeLessThanOrEqual(
      week,
    );
    expect(await expirationOf({ id: "ttl", params: { ttl: "600" } })).toBeLessThanOrEqual(600_000);
    expect(await failure(watch({ id: "past", expiration: "1" }))).toEqual({ status: 400, reason: "invalid" });
  });

  it("ends when it expires", async () => {
    await watch({ id: "channel-1", params: { ttl: "600" } });
    google.advance(601_000);
    change();
    await google.notices.settled();
    expect(states()).toEqual(["sync"]);
  });

  it.each<[string, calendar_v3.Schema$Channel, string]>([
    ["no id", {}, "required"],
    ["an id of 65 characters", { id: "x".repeat(65) }, "invalid"],
    ["an id with spaces", { id: "a b" }, "invalid"],
    ["a token of 257 characters", { id: "one", token: "x".repeat(257) }, "invalid"],
    ["another type", { id: "one", type: "email" }, "push.channelTypeNotSupported"],
    ["no address", { id: "one", address: "" }, "required"],
    ["an address without TLS", { id: "one", address: "http://almanac.test/push" }, "push.webhookUrlNotHttps"],
  ])("400 for %s", async (_, channel, reason) => {
    expect(await failure(watch(channel))).toEqual({ status: 400, reason });
  });

  it("refuses an id that is taken, also by a stopped channel", async () => {
    const { resourceId } = await watch({ id: "channel-1" });
    expect(await failure(watch({ id: "channel-1" }))).toEqual({ status: 400, reason: "channelIdNotUnique" });
    await api.channels.stop({ requestBody: { id: "channel-1", resourceId } });
    expect(await failure(watch({ id: "channel-1" }))).toEqual({ status: 400, reason: "channelIdNotUnique" });
  });

  it("404 for a calendar that the account may not see", async () => {
    const hidden = api.events.watch({
      calendarId: "bob@example.com",
      requestBody: { id: "x", type: "web_hook", address },
    });
    expect(await failure(hidden)).toEqual({ status: 404, reason: "notFound" });
  });

  it("400 for a calendar that Google generates, which can be read all the same", async () => {
    const holidays = { id: "holidays@group", summary: "Holidays", owner: "bob@example.com", isGenerated: true };
    google.account("ada@example.com").addSharedCalendar({ ...holidays, accessRole: "reader" });
    const requestBody = { id: "x", type: "web_hook", address };
    expect(await failure(api.events.watch({ calendarId: holidays.id, requestBody }))).toEqual({
      ...{ status: 400, reason: "pushNotSupportedForRequestedResource" },
    });
    expect((await api.events.list({ calendarId: holidays.id })).status).toBe(200);
  });

  it("has one resourceId for a resource, however many channels watch it", async () => {
    const [one, other] = [await watch({ id: "one" }), await watch({ id: "other" })];
    expect(one.resourceId).toBe(other.resourceId);
    change();
    await google.notices.settled();
    expect(received).toHaveLength(4);
  });
});

describe("calendarList.watch", () => {
  it("notifies of changes of the list", async () => {
    const requestBody = { id: "list", type: "web_hook", address };
    const { data } = await api.calendarList.watch({ requestBody });
    expect(data.resourceUri).toContain("/users/me/calendarList");
    google.account("ada@example.com").addCalendar({ summary: "New" });
    change();
    await google.notices.settled();
    expect(states()).toEqual(["sync", "exists"]);
  });
});

describe("channels.stop", () => {
  it("204, and no more notices", async () => {
    const { id, resourceId } = await watch({ id: "channel-1" });
    expect((await api.channels.stop({ requestBody: { id, resourceId } })).status).toBe(204);
    change();
    await google.notices.settled();
    expect(states()).toEqual(["sync"]);
  });

  it("404 for another resourceId, for a stopped channel, and for another user's", async () => {
    const { id, resourceId } = await watch({ id: "channel-1" });
    const missing = { status: 404, reason: "notFound" };
    const stop = (requestBody: calendar_v3.Schema$Channel, by = api) => failure(by.channels.stop({ requestBody }));
    expect(await stop({ id, resourceId: "other" })).toEqual(missing);
    expect(await stop({ id, resourceId }, officialClient(google, "bob@example.com"))).toEqual(missing);
    expect(await stop({ id })).toEqual({ status: 400, reason: "required" });
    await api.channels.stop({ requestBody: { id, resourceId } });
    expect(await stop({ id, resourceId })).toEqual(missing);
  });

  it("may leave notices on their way", async () => {
    google.notices.lingering = true;
    const { id, resourceId } = await watch({ id: "channel-1" });
    await api.channels.stop({ requestBody: { id, resourceId } });
    change();
    await google.notices.settled();
    expect(states()).toEqual(["sync", "exists"]);
  });
});

describe("the delivery of notices", () => {
  it("tries again after 500, 502, 503 and 504, and after nothing else", async () => {
    statuses = [503, 500, 204, 404];
    await watch({ id: "channel-1" });
    change();
    await google.notices.settled();
    expect(states()).toEqual(["sync", "sync", "sync", "exists"]);
    expect(google.notices.sent.map(({ status }) => status)).toEqual([503, 500, 204, 404]);
  });

  it("can drop, double and hold notices, and send them in another order", async () => {
    await watch({ id: "channel-1" });
    await google.notices.settled();
    received.length = 0;
    google.notices.mode = "drop";
    change();
    google.notices.mode = "deliver";
    google.notices.copies = 2;
    change();
    await google.notices.settled();
    expect(numbers()).toHaveLength(2);
    expect(new Set(numbers()).size).toBe(1);
    google.notices.copies = 1;
    google.notices.mode = "hold";
    change();
    change();
    expect(google.notices.held()).toBe(2);
    received.length = 0;
    await google.notices.release("reversed");
    expect(numbers()).toEqual([...numbers()].sort((one, other) => other - one));
    expect(numbers()).toHaveLength(2);
  });

  it("can be late", async () => {
    google.notices.delay = 1;
    await watch({ id: "channel-1" });
    await google.notices.settled();
    expect(received).toHaveLength(1);
  });
});
