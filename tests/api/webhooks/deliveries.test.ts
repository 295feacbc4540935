import { createHmac } from "node:crypto";
import Cronofy from "cronofy";
import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/server/db/client";
import { loopOf } from "@/server/jobs/work-kinds";
import { addClientSecret, retireClientSecret } from "@/server/store/applications/client-secrets";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";
import { storeOutcomes } from "@/server/webhooks/outcomes";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import {
  backdateDeliveries,
  changeChannel,
  changeDeliveries,
  changeDelivery,
  setCallbackUrl,
} from "../../fakes/stored-deliveries";
import { applicationId, revoke } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication, type Opened, openCalendar } from "../service";
import { attemptsOf, deliveriesOf, openChannel, theyWrite, work } from "./world";

const PATIENT = { timeout: 20_000 };
/** On a busy machine one drain can end before all is delivered. */
const BUSY = { timeout: 60_000 };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const waits = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR];

let receiver: Receiver;
let absentOrigin: string;
let clock: FakeClock;

beforeAll(async () => {
  receiver = await startReceiver();
  const absent = await startReceiver();
  await absent.close();
  absentOrigin = absent.origin;
});
ownDatabase(() => ({ CALLBACK_ALLOWED_ORIGINS: `${receiver.origin},${absentOrigin}`, LOG_LEVEL: "fatal" }));
afterAll(() => receiver.close());
beforeEach(() => {
  clock = fakeClock();
  receiver.answer(200);
});

/** A channel of its own with a path of its own; its verification is delivered. */
async function channelOf(opened: Opened, filters?: object) {
  const path = `/${opened.accountId}`;
  const channel = await openChannel(opened, receiver.url(path), filters);
  await work();
  const got = () => receiver.got.filter(({ json }) => json.channel.channel_id === channel.channel_id);
  return { ...channel, got };
}

describe("a delivery", () => {
  it("is tried at the ten documented times, never early and at most 10% late, and is then failed", async () => {
    receiver.answer(500);
    const { channel_id, got } = await channelOf(await openCalendar());
    for (const [i, wait] of waits.entries()) {
      const [before] = await deliveriesOf(channel_id);
      expect(before).toMatchObject({ state: "pending", attempts: i + 1, last_status: 500, last_error: null });
      const due = (before?.next_attempt_at?.getTime() ?? 0) - clock.now();
      expect(due).toBeGreaterThanOrEqual(wait - 1);
      expect(due).toBeLessThanOrEqual(wait * 1.1 + 1);
      clock.advance(wait - 1);
      await work();
      expect(got()).toHaveLength(i + 1);
      clock.advance(wait * 0.1 + 2);
      await work();
      expect(got()).toHaveLength(i + 2);
    }
    expect(await deliveriesOf(channel_id)).toMatchObject([
      { state: "failed", attempts: 10, next_attempt_at: null, last_status: 500 },
    ]);
    expect(got().map(({ headers }) => headers["svc-delivery-attempt"])).toEqual(
      Array.from({ length: 10 }, (_, i) => String(i + 1)),
    );
    expect(new Set(got().map(({ headers }) => headers["svc-delivery-id"])).size).toBe(1);
    expect(new Set(got().map(({ body }) => body)).size).toBe(1);
    clock.advance(50 * HOUR);
    await work();
    expect(got()).toHaveLength(10);
  });

  it("is failed 48 hours after its creation, however few its attempts were", async () => {
    receiver.answer(503);
    const { channel_id, got } = await channelOf(await openCalendar());
    clock.advance(48 * HOUR + SECOND);
    await work();
    expect(got()).toHaveLength(1);
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "failed", attempts: 1, next_attempt_at: null }]);
  });

  it("ends with the first 2xx", async () => {
    receiver.answer(500);
    const { channel_id, got } = await channelOf(await openCalendar());
    receiver.answer(204);
    clock.advance(17 * SECOND);
    await work();
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "delivered", attempts: 2, last_status: 204 }]);
    clock.advance(48 * HOUR);
    await work();
    expect(got()).toHaveLength(2);
  });

  it("counts a redirect as a failure and follows none", async () => {
    receiver.answer(302);
    const { channel_id } = await channelOf(await openCalendar());
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "pending", attempts: 1, last_status: 302 }]);
  });

  it("keeps of each attempt its time, duration, address, status, headers and body", async () => {
    const { channel_id } = await channelOf(await openCalendar());
    const [delivery] = await deliveriesOf(channel_id);
    expect(await attemptsOf(delivery?.id ?? "")).toMatchObject([
      {
        number: 1,
        status: 200,
        errorClass: null,
        address: "127.0.0.1",
        responseBody: "",
        startedAt: new Date(clock.now()),
      },
    ]);
  });

  it("says of a receiver that is not there that it could not connect, and of one that is not public that it is blocked", async () => {
    const opened = await openCalendar();
    const { channel_id: absent } = await openChannel(opened, `${absentOrigin}/hook`);
    const { channel_id: hidden } = await openChannel(opened, receiver.url());
    await setCallbackUrl(hidden, "https://127.0.0.1/hook");
    await work();
    for (const [channel, error] of [
      [absent, "connect"],
      [hidden, "blocked"],
    ] as const) {
      const [delivery] = await deliveriesOf(channel);
      expect(delivery).toMatchObject({ state: "pending", attempts: 1, last_status: null, last_error: error });
      expect(await attemptsOf(delivery?.id ?? "")).toMatchObject([{ status: null, errorClass: error }]);
    }
  });

  it("whose attempt cannot be made is counted, tried again as documented, and stops no other", async () => {
    const broken = await openChannel(await openCalendar(), receiver.url("/broken"));
    await changeChannel(broken.channel_id, { sealedSecret: "v1.none.x.y.z" });
    const sound = await channelOf(await openCalendar());
    expect(sound.got()).toHaveLength(1);
    for (const wait of waits) {
      clock.advance(wait * 1.1 + 1);
      await work();
    }
    expect(await deliveriesOf(broken.channel_id)).toMatchObject([
      { state: "failed", attempts: 10, last_error: "internal" },
    ]);
  });
});

describe("a receiver", () => {
  it("gets at most five attempts at once, however many are due and however many processes there are", async () => {
    const opened = await openCalendar();
    let [open, most] = [0, 0];
    let answerAll = () => {};
    const answered = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    await channelOf(opened); // known to answer
    receiver.answer(async () => {
      open += 1;
      most = Math.max(most, open);
      await answered;
      open -= 1;
      return 200;
    });
    for (let i = 0; i < 30; i++) await openChannel(opened, receiver.url());
    await fanOut(db());
    const processes = [loopOf("deliver"), dispatcher({ db, allowedOrigins: [receiver.origin] })];
    const draining = Promise.all(processes.map((one) => one.drain()));
    await vi.waitFor(() => expect(open).toBeGreaterThanOrEqual(2), PATIENT);
    await Promise.all(processes.map((one) => one.drain(200)));
    answerAll();
    await draining;
    const verified = () => receiver.got.filter(({ json }) => json.notification.type === "verification").length;
    await vi.waitFor(async () => {
      await Promise.all(processes.map((one) => one.drain()));
      expect(verified()).toBeGreaterThan(30);
    }, BUSY);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5);
  });
});

describe("what an attempt came to", () => {
  const outcome = (row: { id: string; channel_id: string }, more: object) => ({
    ...{
      id: row.id,
      channelId: row.channel_id,
      lease: "mine",
      attempt: 1,
      scheduled: 1,
      verdict: "again" as const,
      status: 500,
    },
    ...{
      manual: false,
      errorClass: null,
      address: "127.0.0.1",
      startedAt: clock.now(),
      durationMs: 1,
      responseHeaders: {},
      responseBody: "",
    },
    ...more,
  });

  /** A delivery that a process holds under the lease "mine". */
  async function held() {
    const { channel_id } = await openChannel(await openCalendar(), receiver.url());
    await fanOut(db());
    const [delivery] = await deliveriesOf(channel_id);
    if (!delivery) throw new Error("there is no delivery");
    await changeDelivery(delivery.id, { lease: "mine", attempts: 1 });
    return { id: delivery.id, channel_id };
  }

  it("is left to the process that has taken the delivery over, unless the receiver has accepted it", async () => {
    const row = await held();
    await changeDelivery(row.id, { lease: "another", attempts: 2 });
    await storeOutcomes(db(), [outcome(row, {})], () => 0);
    expect(await deliveriesOf(row.channel_id)).toMatchObject([{ state: "pending", last_status: null }]);
    await storeOutcomes(db(), [outcome(row, { verdict: "delivered", status: 200 })], () => 0);
    expect(await deliveriesOf(row.channel_id)).toMatchObject([{ state: "delivered", last_status: 200 }]);
  });

  it("puts the next attempt no later than 48 hours after the creation", async () => {
    const row = await held();
    await backdateDeliveries({ id: row.id }, 47 * HOUR);
    clock.advance(1);
    await storeOutcomes(db(), [outcome(row, { attempt: 9, scheduled: 9 })], () => 0);
    const [after] = await deliveriesOf(row.channel_id);
    expect((after?.next_attempt_at?.getTime() ?? 0) - clock.now()).toBeLessThanOrEqual(HOUR);
    clock.advance(HOUR);
    await work();
    expect(await deliveriesOf(row.channel_id)).toMatchObject([{ state: "failed" }]);
  });
});

describe("an attempt that was lost with its process", () => {
  it("is counted, and the next one comes at the documented wait", async () => {
    const opened = await openCalendar();
    receiver.answer(500);
    const { channel_id, got } = await channelOf(opened);
    const [delivery] = await deliveriesOf(channel_id);
    const claim = { lease: "of a process that died", leasedUntil: delivery?.next_attempt_at };
    await changeDeliveries({ channelId: channel_id }, { attempts: 2, ...claim });
    clock.advance(17 * SECOND);
    receiver.answer(200);
    await work();
    expect(got()).toHaveLength(2);
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "delivered", attempts: 3 }]);
  });

  it("as the tenth is a failed delivery", async () => {
    receiver.answer(500);
    const { channel_id } = await channelOf(await openCalendar());
    await changeDeliveries({ channelId: channel_id }, { attempts: 10, lease: "lost" });
    clock.advance(17 * SECOND);
    await work();
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "failed", attempts: 10 }]);
  });
});

describe("410", () => {
  it("closes the channel and cancels what was pending", async () => {
    const opened = await openCalendar();
    receiver.answer(500);
    const { channel_id, got } = await channelOf(opened);
    receiver.answer(410);
    await theyWrite(opened, "one");
    clock.advance(2 * SECOND);
    await work();
    const rows = await deliveriesOf(channel_id);
    expect(rows.map(({ type, state }) => [type, state])).toEqual([
      ["verification", "cancelled"],
      ["change", "failed"],
    ]);
    expect((await opened.get("/v1/channels")).json).toEqual({ channels: [] });
    await theyWrite(opened, "two");
    clock.advance(HOUR);
    await work();
    expect(got()).toHaveLength(2);
  });
});

describe("a closed channel", () => {
  it("gets nothing more after DELETE", async () => {
    receiver.answer(500);
    const opened = await openCalendar();
    const { channel_id, got } = await channelOf(opened);
    expect((await opened.remove(`/v1/channels/${channel_id}`, undefined)).status).toBe(202);
    clock.advance(HOUR);
    await work();
    expect(got()).toHaveLength(1);
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "cancelled" }]);
  });

  it("gets nothing more after the account is revoked", async () => {
    receiver.answer(500);
    const opened = await openCalendar();
    const { channel_id, got } = await channelOf(opened);
    await revoke(opened.application, opened.refreshToken);
    clock.advance(HOUR);
    await work();
    expect(got()).toHaveLength(1);
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "cancelled" }]);
  });

  it("gets no delivery that was made while it was being closed", async () => {
    const opened = await openCalendar();
    const { channel_id } = await openChannel(opened, receiver.url());
    await work();
    await changeDeliveries({ channelId: channel_id }, { state: "pending", nextAttemptAt: new Date(clock.now()) });
    await changeChannel(channel_id, { closedAt: new Date() });
    const before = receiver.got.length;
    await work();
    clock.advance(49 * HOUR);
    await work();
    expect(receiver.got).toHaveLength(before);
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "cancelled" }]);
  });
});

describe("signatures", () => {
  it("are accepted by two independent verifiers", async () => {
    const opened = await openCalendar();
    const { signing_secret = "", got } = await channelOf(opened);
    const [one] = got();
    const { headers = {}, body = "" } = one ?? {};
    const stripe = new Stripe("none");
    const tolerance = 300;
    const event = stripe.webhooks.constructEvent(body, String(headers["svc-signature"]), signing_secret, tolerance);
    expect(event).toEqual(JSON.parse(body));
    expect(() =>
      stripe.webhooks.constructEvent(`${body} `, String(headers["svc-signature"]), signing_secret, tolerance),
    ).toThrow();
    const check = (secret: string, text: string) => verifiedByCronofy(secret, headers["svc-hmac-sha256"], text);
    expect(check(opened.application.clientSecret, body)).toBe(true);
    expect(check(opened.application.clientSecret, `${body} `)).toBe(false);
    expect(check("another secret", body)).toBe(false);
  });

  it("are of every active client secret while one takes another's place", async () => {
    const application = await newApplication();
    const opened = await openCalendar(application);
    const { got } = await channelOf(opened);
    const owner = await applicationId(application);
    const adding = { applicationId: owner, expiresAt: null, now: clock.now() };
    const added = await db().transaction((query, prisma) => addClientSecret({ query, prisma }, adding));
    if (typeof added === "string") throw new Error(added);
    expect(await db().transaction((query, prisma) => addClientSecret({ query, prisma }, adding))).toBe("too_many");
    const mac = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("base64");
    const last = async () => {
      await theyWrite(opened, `change ${got().length}`);
      clock.advance(2 * SECOND);
      await work();
      const { headers = {}, body = "" } = got().at(-1) ?? {};
      return { hmac: headers["svc-hmac-sha256"], body };
    };
    const both = await last();
    expect(both.hmac).toBe(`${mac(application.clientSecret, both.body)},${mac(added.secret, both.body)}`);
    const old = await db().prisma.clientSecret.findFirst({ where: { applicationId: owner, id: { not: added.id } } });
    expect(
      await db().transaction((query, prisma) =>
        retireClientSecret({ query, prisma }, { applicationId: owner, secretId: old?.id ?? "", now: clock.now() }),
      ),
    ).toBe("retired");
    expect(
      await db().transaction((query, prisma) =>
        retireClientSecret({ query, prisma }, { applicationId: owner, secretId: added.id, now: clock.now() }),
      ),
    ).toBe("last");
    const alone = await last();
    expect(alone.hmac).toBe(mac(added.secret, alone.body));
  });

  it("are of a client secret that expires until its moment has come", async () => {
    const application = await newApplication();
    const opened = await openCalendar(application);
    const { got } = await channelOf(opened);
    const applicationOf = await applicationId(application);
    const expiresAt = new Date(clock.now() + MINUTE);
    const adding = { applicationId: applicationOf, expiresAt, now: clock.now() };
    const added = await db().transaction((query, prisma) => addClientSecret({ query, prisma }, adding));
    if (typeof added === "string") throw new Error(added);
    const signatures = async () => {
      await theyWrite(opened, `change ${got().length}`);
      clock.advance(2 * SECOND);
      await work();
      const { headers = {}, body = "" } = got().at(-1) ?? {};
      const mac = createHmac("sha256", added.secret).update(body).digest("base64");
      const all = String(headers["svc-hmac-sha256"]).split(",");
      return [all.length, all.includes(mac)];
    };
    clock.advance(MINUTE - 2 * SECOND - 1);
    expect(await signatures()).toEqual([2, true]);
    clock.advance(1);
    expect(await signatures()).toEqual([1, false]);
  });

  it("in compatibility mode have the other vendor's header in place of the channel's signature", async () => {
    const application = await newApplication({ compatibilityMode: true });
    const { got } = await channelOf(await openCalendar(application));
    const [one] = got();
    expect(one?.headers["svc-signature"]).toBeUndefined();
    expect(one?.headers["cronofy-hmac-sha256"]).toBe(one?.headers["svc-hmac-sha256"]);
    const hmac = one?.headers["cronofy-hmac-sha256"];
    expect(verifiedByCronofy(application.clientSecret, hmac, one?.body ?? "")).toBe(true);
  });
});

function verifiedByCronofy(clientSecret: string, hmac: string | string[] | undefined, body: string): boolean {
  return new Cronofy({ client_id: "any", client_secret: clientSecret }).hmacValid({ hmac: String(hmac), body });
}
