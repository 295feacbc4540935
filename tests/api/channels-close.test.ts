import { describe, expect, it } from "vitest";
import { addDeliveries, closeChannelAsGone, storedChannel, storedDelivery } from "../fakes/stored-deliveries";
import { revoke, withToken } from "./grants";
import { comparable, expectEmpty, expectSignedOut } from "./responses";
import { type ApiResponse, call, newApplication, type Opened, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

interface OpenedChannel extends Opened {
  channelId: string;
}

async function openChannel(given?: Opened): Promise<OpenedChannel> {
  const opened = given ?? (await openCalendar());
  const { status, json } = await opened.post("/v1/channels", { callback_url: "https://hooks.acme.io/cb" });
  expect(status).toBe(200);
  return { ...opened, channelId: json.channel.channel_id };
}

function close(accessToken: string, channelId: string, json?: unknown): Promise<ApiResponse> {
  return withToken("DELETE", `/v1/channels/${channelId}`, accessToken, json);
}

/** A delivery of the channel as a worker has it in hand. */
async function delivery(channelId: string, state: "pending" | "delivered" | "failed" = "pending"): Promise<string> {
  const now = new Date();
  const [id = ""] = await addDeliveries(channelId, [{ state, nextAttemptAt: now, lease: "lease", leasedUntil: now }]);
  return id;
}

describe("202", () => {
  it("closes the channel, with an empty body", async () => {
    const { accessToken, channelId, get } = await openChannel();
    expectEmpty(await close(accessToken, channelId), 202);
    expect(await storedChannel(channelId)).toMatchObject({ closedAt: expect.any(Date), closedBy: "delete" });
    expect((await get("/v1/channels")).json).toEqual({ channels: [] });
  });

  it("is the answer again when the channel is closed already, and changes nothing", async () => {
    const { accessToken, channelId, application } = await openChannel();
    expectEmpty(await close(accessToken, channelId), 202);
    const before = await storedRows(application);
    expectEmpty(await close(accessToken, channelId), 202);
    expect(await storedRows(application)).toEqual(before);
  });

  it("is the answer for a channel that a 410 closed, which stays closed by it", async () => {
    const { accessToken, channelId } = await openChannel();
    await closeChannelAsGone(channelId);
    expectEmpty(await close(accessToken, channelId), 202);
    expect(await storedChannel(channelId)).toMatchObject({ closedBy: "gone" });
  });

  it("is the answer to each of 10 parallel requests", async () => {
    const { accessToken, channelId } = await openChannel();
    const answers = await Promise.all(Array.from({ length: 10 }, () => close(accessToken, channelId)));
    for (const answer of answers) expectEmpty(answer, 202);
  });

  it("cancels the channel's pending deliveries, and no others", async () => {
    const opened = await openChannel();
    const other = await openChannel(opened);
    const [pending, delivered, failed, others] = [
      await delivery(opened.channelId),
      await delivery(opened.channelId, "delivered"),
      await delivery(opened.channelId, "failed"),
      await delivery(other.channelId),
    ];
    expectEmpty(await close(opened.accessToken, opened.channelId), 202);
    expect(await storedDelivery(pending)).toMatchObject({
      state: "cancelled",
      finishedAt: expect.any(Date),
      nextAttemptAt: null,
      lease: null,
      leasedUntil: null,
    });
    expect(await storedDelivery(delivered)).toMatchObject({ state: "delivered" });
    expect(await storedDelivery(failed)).toMatchObject({ state: "failed" });
    expect(await storedDelivery(others)).toMatchObject({ state: "pending", lease: "lease" });
    expect(await storedChannel(other.channelId)).toMatchObject({ closedAt: null, closedBy: null });
  });

  it.each([["[]"], ["{}"], ["no JSON"], ["x".repeat(100_000)]])("ignores a body: %.20s", async (body) => {
    const { accessToken, channelId } = await openChannel();
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    expectEmpty(await call("DELETE", `/v1/channels/${channelId}`, { body, headers }), 202);
    expect(await storedChannel(channelId)).toMatchObject({ closedBy: "delete" });
  });

  it("closes in compatibility mode too", async () => {
    const { accessToken, channelId } = await openChannel(
      await openCalendar(await newApplication({ compatibilityMode: true })),
    );
    expectEmpty(await close(accessToken, channelId, []), 202);
  });
});

describe("401", () => {
  it("comes without a valid access token, and the channel stays open", async () => {
    const { channelId } = await openChannel();
    expectSignedOut(await call("DELETE", `/v1/channels/${channelId}`), "invalid_request");
    expectSignedOut(await close("at_unknown", channelId), "invalid_token");
    expect(await storedChannel(channelId)).toMatchObject({ closedAt: null });
  });

  it("comes after the account was revoked, which closed the channel", async () => {
    const { accessToken, channelId, application } = await openChannel();
    await revoke(application, accessToken);
    expectSignedOut(await close(accessToken, channelId), "invalid_token");
    expect(await storedChannel(channelId)).toMatchObject({ closedBy: "revoke" });
  });

  it("or 202 is the answer when the account is revoked at the same moment; both ways every channel is closed", async () => {
    for (let round = 0; round < 5; round += 1) {
      const opened = await openChannel();
      const pending = await Promise.all(Array.from({ length: 5 }, () => delivery(opened.channelId)));
      const closings = Array.from({ length: 3 }, () => close(opened.accessToken, opened.channelId));
      const [revoked, ...answers] = await Promise.all([revoke(opened.application, opened.accessToken), ...closings]);
      expect(revoked?.status).toBe(200);
      for (const { status } of answers) expect([202, 401]).toContain(status);
      expect(await storedChannel(opened.channelId)).toMatchObject({ closedAt: expect.any(Date) });
      for (const id of pending) expect(await storedDelivery(id)).toMatchObject({ state: "cancelled" });
    }
  });
});

describe("404", () => {
  const unknown = [
    "chn_000000000000000000000000",
    "chn_",
    "x",
    "acc_1",
    "%00",
    "chn_%00",
    "%20",
    "%2e%2e%2f",
    "%F0%9F%93%85",
    "'%20OR%20'1'='1",
    "x".repeat(2_000),
  ];

  it.each(unknown)("with { error: not_found, description } for an id the account never had: %.40s", async (id) => {
    const { accessToken, application } = await openChannel();
    const before = await storedRows(application);
    const answer = await close(accessToken, id);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.json).toEqual({ error: "not_found", description: expect.stringMatching(/\S/) });
    expect(await storedRows(application)).toEqual(before);
  });

  it("is the same answer for a channel of another account, of another application, and of nobody", async () => {
    const opened = await openChannel();
    const [sister, stranger] = [await openCalendar(opened.application), await openCalendar()];
    const before = await storedRows(opened.application);
    const seen = async ({ accessToken }: Opened, id: string) => {
      const { headers, ...rest } = comparable(await close(accessToken, id));
      return { ...rest, headers: headers.filter(([name]) => !name.startsWith("ratelimit")) };
    };
    const nobodys = await seen(stranger, "chn_000000000000000000000000");
    expect(nobodys.status).toBe(404);
    expect(await seen(sister, opened.channelId)).toEqual(nobodys);
    expect(await seen(stranger, opened.channelId)).toEqual(nobodys);
    expect(await storedRows(opened.application)).toEqual(before);
  });
});
