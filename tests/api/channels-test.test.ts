import { beforeEach, describe, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import type { FakeClock } from "../fakes/clock";
import { storedChannel, storedDelivery } from "../fakes/stored-deliveries";
import { withToken } from "./grants";
import { ownReceiver } from "./own-receiver";
import { call, newApplication, type Opened, openCalendar } from "./service";
import { openWithChannel } from "./webhooks/open-with-channel";
import { deliveriesOf, openChannel, theyWrite, work } from "./webhooks/world";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let opened: Opened;
let channelId: string;

beforeEach(async () => {
  ({ clock, opened, channelId } = await openWithChannel(receiver));
});

async function sendTest(id = channelId): Promise<string> {
  const { status, json } = await opened.post(`/v1/channels/${id}/test`, {});
  expect({ status, json }).toEqual({
    status: 202,
    json: { delivery: { delivery_id: expect.stringMatching(/^whd_[0-9a-f]{24,}$/) } },
  });
  return json.delivery.delivery_id;
}

const received = () => receiver.got.filter(({ json }) => json.channel.channel_id === channelId);

describe("a test event", () => {
  it("is a change with the signatures and the delivery id of any other, at once", async () => {
    const id = await sendTest();
    await work();
    const [verification, test] = received();
    expect(test?.json).toEqual({
      notification: { type: "change", changes_since: new Date(clock.now()).toISOString().replace(/\.\d+/, "") },
      channel: verification?.json.channel,
    });
    expect(test?.headers).toMatchObject({ "svc-delivery-id": id, "svc-delivery-attempt": "1" });
    expect(Object.keys(test?.headers ?? {})).toEqual(Object.keys(verification?.headers ?? {}));
    expect(await storedDelivery(id)).toMatchObject({ state: "delivered", test: true });
  });

  it("is retried by the same schedule", async () => {
    receiver.answer(503);
    const id = await sendTest();
    await work();
    expect(await storedDelivery(id)).toMatchObject({ state: "pending", attempts: 1, lastStatus: 503 });
    receiver.answer(204);
    clock.advance(60_000);
    await work();
    expect(await storedDelivery(id)).toMatchObject({ state: "delivered", attempts: 2 });
  });

  it("that is pending takes no change with it", async () => {
    receiver.answer(503);
    await sendTest();
    await work();
    receiver.answer(200);
    await theyWrite(opened, "one");
    clock.advance(1_100);
    await work();
    const states = (await deliveriesOf(channelId)).map(({ type, state }) => `${type} ${state}`);
    expect(states.toSorted()).toEqual(["change delivered", "change pending", "verification delivered"]);
  });

  it("that fails for good leaves nothing to announce", async () => {
    receiver.answer(503);
    const id = await sendTest();
    await work();
    for (let hours = 0; hours < 50; hours += 1) {
      clock.advance(3_600_000);
      await work();
    }
    expect(await storedDelivery(id)).toMatchObject({ state: "failed" });
    expect(await storedChannel(channelId)).toMatchObject({ unnotifiedSince: null });
  });

  it("closes the channel when it is answered 410", async () => {
    receiver.answer(410);
    await sendTest();
    await work();
    expect(await storedChannel(channelId)).toMatchObject({ closedBy: "gone" });
  });

  it("has no Svc-Signature in compatibility mode", async () => {
    opened = await openCalendar(await newApplication({ compatibilityMode: true }));
    channelId = (await openChannel(opened, receiver.url())).channel_id;
    await sendTest();
    await work();
    expect(received()).toHaveLength(2);
    for (const { headers } of received()) expect(headers["svc-signature"]).toBeUndefined();
  });
});

describe("404", () => {
  const unknown = { error: "not_found", description: "This account has no open channel with this id" };

  it("for a closed channel", async () => {
    expect((await withToken("DELETE", `/v1/channels/${channelId}`, opened.accessToken)).status).toBe(202);
    const { status, json } = await opened.post(`/v1/channels/${channelId}/test`, {});
    expect({ status, json }).toEqual({ status: 404, json: unknown });
    await work();
    expect(received()).toHaveLength(1);
  });

  it.each(["chn_none", "%00", "\u{1f4c5}"])("for %j", async (id) => {
    const { status, json } = await opened.post(`/v1/channels/${encodeURIComponent(id)}/test`, {});
    expect({ status, json }).toEqual({ status: 404, json: unknown });
  });

  it("for another account's channel", async () => {
    const other = await openCalendar();
    const { status, json } = await other.post(`/v1/channels/${channelId}/test`, {});
    expect({ status, json }).toEqual({ status: 404, json: unknown });
  });
});

it("works where the sandbox is off", async () => {
  provideEnv({ SANDBOX: "off" });
  try {
    await sendTest();
  } finally {
    provideEnv({ SANDBOX: "on" });
  }
});

it("needs a token", async () => {
  expect((await call("POST", `/v1/channels/${channelId}/test`, { json: {} })).status).toBe(401);
});
