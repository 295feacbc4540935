import { beforeEach, describe, expect, it } from "vitest";
import type { DeliveryRow } from "@/server/services/staff/lists/deliveries";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { COOKIE } from "../../fakes/receiver";
import { failDelivery, setResponseHeaders, storedDelivery } from "../../fakes/stored-deliveries";
import { loggedRequests } from "../../fakes/stored-traffic";
import { applicationId, revoke } from "../grants";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { attemptsOf, deliveriesOf, openChannel, theyWrite, work } from "../webhooks/world";
import { auditOf, newOperator, type Operator, refusal, stranger } from "./staff-caller";

const SECOND = 1_000;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let staff: Operator;

beforeEach(async () => {
  clock = fakeClock();
  receiver.answer(200);
  staff = await newOperator();
});

/** A channel with its verification, made and attempted. */
async function listening(opened?: Opened, path = "/hook") {
  const owner = opened ?? (await openCalendar());
  const { channel_id } = await openChannel(owner, receiver.url(path));
  await work();
  const [delivery] = await deliveriesOf(channel_id);
  if (!delivery) throw new Error("there is no delivery");
  return { owner, channelId: channel_id, deliveryId: delivery.id, application: await applicationId(owner.application) };
}

const ids = (rows: readonly DeliveryRow[]) => rows.map(({ id }) => id);

describe("the list of deliveries", () => {
  it("says of each delivery whose it is, where it goes and how it stands", async () => {
    receiver.answer(500);
    const { owner, channelId, deliveryId, application } = await listening();
    const { items, next } = await staff.api.deliveries.list({ channel: channelId });
    expect(next).toBeNull();
    expect(items).toEqual([
      {
        id: deliveryId,
        type: "verification",
        applicationId: application,
        applicationName: "Test",
        accountId: owner.accountId,
        accountName: expect.stringMatching(/./),
        channelId,
        host: new URL(receiver.origin).host,
        endpoint: `${new URL(receiver.origin).host}/hook`,
        state: "pending",
        attempts: 1,
        lastStatus: 500,
        lastError: null,
        createdAt: new Date(clock.now()).toISOString(),
        nextAttemptAt: expect.stringMatching(/Z$/),
        finishedAt: null,
        manual: false,
        test: false,
        late: false,
        retrying: true,
      },
    ]);
  });

  it("is narrowed by every filter, alone and together with others", async () => {
    const opened = await openCalendar();
    const arrived = await listening(opened);
    receiver.answer(503);
    const failing = await listening(opened);
    const stored = { state: "failed", error: "tls", type: "profile_disconnected" };
    const { createdAt } = await storedDelivery(failing.deliveryId);
    const ended = { lastStatus: null, lastError: stored.error, finishedAt: createdAt };
    await failDelivery(failing.deliveryId, { ...ended, type: stored.type });
    const { application } = arrived;
    const now = new Date(clock.now()).toISOString();
    const both = [failing.deliveryId, arrived.deliveryId].sort();
    const [one, other] = [[arrived.deliveryId], [failing.deliveryId]];
    const cases: [Parameters<typeof staff.api.deliveries.list>[0], string[]][] = [
      [{ application }, both],
      [{ application, state: ["delivered"] }, one],
      [{ application, state: ["failed", "cancelled"] }, other],
      [{ application, state: ["delivered", "failed"] }, both],
      [{ application, state: [] }, both],
      [{ application, errorClass: ["tls", "dns"] }, other],
      [{ application, errorClass: ["dns"] }, []],
      [{ application, statusClass: ["2xx"] }, one],
      [{ application, statusClass: ["none"] }, other],
      [{ application, statusClass: ["none", "2xx"] }, both],
      [{ application, statusClass: ["5xx"] }, []],
      [{ application, type: ["verification"] }, one],
      [{ application, type: ["profile_disconnected", "verification"] }, both],
      [{ application, type: ["change"] }, []],
      [{ account: opened.accountId }, both],
      [{ account: opened.accountId, application: "app_000000000000000000000000" }, []],
      [{ channel: failing.channelId }, other],
      [{ channel: failing.channelId, state: ["failed"], errorClass: ["tls"] }, other],
      [{ channel: failing.channelId, account: "acc_000000000000000000000000" }, []],
      [{ application, host: new URL(receiver.origin).host }, both],
      [{ application, host: new URL(receiver.origin).host.toUpperCase(), state: ["failed"] }, other],
      [{ application, host: "hooks.acme.io" }, []],
      [{ application, from: now }, both],
      [{ application, to: now }, []],
      [{ application, from: "2026-01-01T00:00:00Z", to: "2099-01-01T00:00:00+02:00", state: ["failed"] }, other],
    ];
    for (const [filters, expected] of cases) {
      const { items } = await staff.api.deliveries.list(filters);
      expect([filters, ids(items).sort()]).toEqual([filters, expected]);
      expect(await staff.api.deliveries.count(filters)).toEqual({ count: expected.length, more: false });
    }
  });

  it("is searched by the id of a delivery, a channel, an account, an application and the request that caused it", async () => {
    const owner = await openCalendar();
    const opened = await owner.post("/v1/channels", { callback_url: receiver.url() });
    const request = opened.headers.get("svc-request-id") ?? "";
    const channelId = opened.json.channel.channel_id;
    await work();
    const [{ id: deliveryId } = { id: "" }] = await deliveriesOf(channelId);
    const application = await applicationId(owner.application);
    await expect.poll(() => loggedRequests(request)).toHaveLength(1); // the log is written a little later
    for (const id of [deliveryId, channelId, owner.accountId, application, request]) {
      expect([id, ids((await staff.api.deliveries.list({ id })).items)]).toEqual([id, [deliveryId]]);
    }
    await theyWrite(owner, "one");
    clock.advance(SECOND);
    await work();
    expect(ids((await staff.api.deliveries.list({ id: request })).items)).toEqual([deliveryId]);
    expect((await staff.api.deliveries.list({ id: channelId })).items).toHaveLength(2);
    expect((await staff.api.deliveries.list({ id: deliveryId, state: ["failed"] })).items).toEqual([]);
    for (const id of ["whd_000000000000000000000000", "req_000000000000000000000000", "pro_1", "anything"]) {
      expect(await staff.api.deliveries.list({ id })).toEqual({ items: [], next: null });
    }
  });

  it("comes in pages, the newest first, that miss nothing and repeat nothing", async () => {
    const opened = await openCalendar();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      made.unshift((await listening(opened)).deliveryId);
      if (i % 2) clock.advance(SECOND); // some were made at the same time
    }
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await staff.api.deliveries.list({ account: opened.accountId, limit: 2, after });
      seen.push(...ids(page.items));
      after = page.next ?? undefined;
    } while (after);
    expect([...seen].sort()).toEqual([...made].sort());
    const times = await Promise.all(seen.map(async (id) => (await staff.api.deliveries.get({ id })).createdAt));
    expect(times).toEqual([...times].sort().reverse());
  });

  it("calls pending late what has been due for over 30 seconds", async () => {
    const opened = await openCalendar();
    const { channelId } = await listening(opened);
    await theyWrite(opened, "one");
    clock.advance(SECOND);
    receiver.answer(500);
    await work();
    clock.advance(20 * SECOND);
    expect(await staff.api.deliveries.pulse({ channel: channelId })).toMatchObject({ pending: 1, late: 0 });
    clock.advance(30 * SECOND);
    const [row] = (await staff.api.deliveries.list({ channel: channelId, state: ["pending"] })).items;
    expect(row).toMatchObject({ late: true });
    const late = { channel: channelId, late: true as const };
    expect(ids((await staff.api.deliveries.list(late)).items)).toEqual([row?.id]);
    expect(await staff.api.deliveries.count(late)).toEqual({ count: 1, more: false });
    expect(await staff.api.deliveries.pulse(late)).toMatchObject({ newest: row?.id, pending: 1, late: 1 });
    expect(await staff.api.deliveries.count({ ...late, state: ["delivered"] })).toEqual({ count: 0, more: false });
    clock.advance(-25 * SECOND);
    expect(await staff.api.deliveries.count(late)).toEqual({ count: 0, more: false });
    clock.advance(25 * SECOND);
    expect(await staff.api.deliveries.pulse({ channel: channelId })).toMatchObject({
      newest: row?.id,
      pending: 1,
      late: 1,
    });
    expect(await staff.api.deliveries.pulse({ channel: channelId, state: ["delivered"] })).toMatchObject({
      pending: 0,
    });
  });

  it("refuses what it does not know, with the field's name", async () => {
    const bad = async (input: object) => await refusal(staff.api.deliveries.list(input as { limit: number }));
    expect(await bad({ after: "nonsense" })).toMatchObject({ kind: "invalid", issues: [{ path: ["after"] }] });
    expect(await bad({ state: ["lost"] })).toMatchObject({ kind: "invalid", issues: [{ path: ["state", 0] }] });
    expect(await bad({ limit: 101 })).toMatchObject({ kind: "invalid", issues: [{ path: ["limit"] }] });
    expect(await bad({ late: "perhaps" })).toMatchObject({ kind: "invalid", issues: [{ path: ["late"] }] });
    expect(await bad({ from: "yesterday" })).toMatchObject({ kind: "invalid", issues: [{ path: ["from"] }] });
  });

  it("takes only cursors of its own, of times that there are", async () => {
    const { api } = await newOperator("admin");
    const lists: Record<string, [(input: { after: string }) => Promise<unknown>, string]> = {
      deliveries: [api.deliveries.list, "whd_000000000000000000000000"],
      requests: [api.requests.list, "00000000-0000-4000-8000-000000000000"],
      accounts: [api.accounts.list, "apc_000000000000000000000000"],
      channels: [api.channels.list, "chn_000000000000000000000000"],
      audit: [api.audit.list, "17"],
    };
    const ending = (at: string, id: string) => ({ after: Buffer.from(`${at} ${id}`).toString("base64url") });
    for (const [name, [list, own]] of Object.entries(lists)) {
      const outcome = async (at: string, id = own) =>
        await list(ending(at, id)).then(
          () => "a page",
          async () => await refusal(list(ending(at, id))),
        );
      const refused = { kind: "invalid", issues: [{ path: ["after"] }] };
      for (const at of ["2026-11-21T10:00:00.000000Z", "0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"])
        expect([name, at, await outcome(at)]).toEqual([name, at, "a page"]);
      for (const at of ["2026-02-31T10:00:00.000000Z", "0000-01-01T00:00:00.000000Z", "2026-11-21T24:00:00.000000Z"])
        expect([name, at, await outcome(at)]).toMatchObject([name, at, refused]);
      const others = Object.values(lists).map(([, id]) => id);
      for (const id of ["whd_x y", "", ...others.filter((id) => id !== own)])
        expect([name, id, await outcome("2026-11-21T10:00:00.000000Z", id)]).toMatchObject([name, id, refused]);
    }
  });

  it("is for whoever is signed in", async () => {
    expect(await refusal(stranger().deliveries.list({}))).toMatchObject({ kind: "signed_out" });
    expect(await refusal(stranger().deliveries.get({ id: "whd_1" }))).toMatchObject({ kind: "signed_out" });
    expect(await refusal(stranger().deliveries.retry({ id: "whd_1" }))).toMatchObject({ kind: "signed_out" });
  });
});

describe("one delivery", () => {
  it("shows every attempt, the bytes, the headers without what is made with secrets, and its schedule", async () => {
    receiver.answer(500);
    const { channelId, deliveryId } = await listening();
    receiver.answer(204);
    clock.advance(17 * SECOND);
    await work();
    const detail = await staff.api.deliveries.get({ id: deliveryId });
    const got = receiver.got.filter(({ json }) => json.channel.channel_id === channelId);
    expect(detail).toMatchObject({
      state: "delivered",
      attempts: 2,
      callbackUrl: receiver.url(),
      body: got[0]?.body,
      channel: { id: channelId, closedAt: null, closedBy: null },
      waits: { made: 2, most: 10 },
      replayAsked: false,
      underWay: false,
    });
    expect(detail.waits.scheduleMs[0]).toBe(15 * SECOND);
    expect(detail.attemptRows).toMatchObject([
      { number: 1, manual: false, status: 500, errorClass: null, address: "127.0.0.1" },
      { number: 2, manual: false, status: 204, errorClass: null, responseBody: "" },
    ]);
    for (const { name, value } of detail.headersSent) {
      const sent = String(got.at(-1)?.headers[name]);
      if (value.includes("[secret]")) expect(sent).not.toContain("[secret]");
      else expect([name, value]).toEqual([name, sent]);
    }
    const hidden = detail.headersSent.filter(({ value }) => value.includes("[secret]")).map(({ name }) => name);
    expect(hidden).toEqual(["svc-hmac-sha256", "svc-signature"]);
  });

  it("neither keeps nor shows the cookies and credentials of a receiver's answers", async () => {
    const { deliveryId } = await listening();
    const headers = (await attemptsOf(deliveryId))[0]?.responseHeaders;
    expect(headers).toMatchObject({ "set-cookie": "[redacted]" });
    expect(JSON.stringify(headers)).not.toContain(COOKIE);
    const before = { "set-cookie": COOKIE, Authorization: COOKIE, "x-api-key": COOKIE, "content-length": "0" };
    await setResponseHeaders(deliveryId, before);
    const { attemptRows } = await staff.api.deliveries.get({ id: deliveryId });
    expect(attemptRows[0]?.responseHeaders).toEqual({
      "set-cookie": "[redacted]",
      Authorization: "[redacted]",
      "x-api-key": "[redacted]",
      "content-length": "0",
    });
  });

  it("is noted in the audit trail once an hour for each operator", async () => {
    const { deliveryId } = await listening();
    await staff.api.deliveries.get({ id: deliveryId });
    await staff.api.deliveries.get({ id: deliveryId });
    const other = await newOperator();
    await other.api.deliveries.get({ id: deliveryId });
    expect(await auditOf(deliveryId)).toMatchObject([
      { action: "delivery.viewed", operator_id: staff.id },
      { action: "delivery.viewed", operator_id: other.id },
    ]);
  });

  it("that does not exist is not found", async () => {
    expect(await refusal(staff.api.deliveries.get({ id: "whd_000000000000000000000000" }))).toEqual({
      kind: "not_found",
    });
  });
});

describe("a channel", () => {
  it("shows how its receiver does", async () => {
    const opened = await openCalendar();
    const { channelId } = await listening(opened);
    receiver.answer(500);
    await theyWrite(opened, "one");
    clock.advance(SECOND);
    await work();
    clock.advance(17 * SECOND);
    await work();
    const health = await staff.api.channels.health({ id: channelId });
    expect(health).toMatchObject({
      id: channelId,
      callbackUrl: receiver.url(),
      accountId: opened.accountId,
      filters: {},
      closedAt: null,
      consecutiveFailures: 2,
      oldestPendingAt: new Date(clock.now() - 17 * SECOND).toISOString(),
    });
    expect(health.successRate24h).toBeCloseTo(1 / 3);
    expect(health.p95Ms).toBeGreaterThanOrEqual(health.p50Ms ?? Number.POSITIVE_INFINITY);
    expect(await refusal(staff.api.channels.health({ id: "chn_000000000000000000000000" }))).toEqual({
      kind: "not_found",
    });
  });

  it("is listed with those of its account and application, open ones apart from closed ones", async () => {
    const opened = await openCalendar();
    const { channelId, application } = await listening(opened);
    const { channelId: second } = await listening(opened);
    const list = async (more: object) =>
      (await staff.api.channels.list({ account: opened.accountId, ...more })).items.map(({ id }) => id);
    expect(await list({})).toEqual([second, channelId]);
    expect(await list({ application, limit: 1 })).toEqual([second]);
    expect(await list({ application: "app_000000000000000000000000" })).toEqual([]);
    expect(await list({ open: false })).toEqual([]);
    await revoke(opened.application, opened.refreshToken);
    expect(await list({ open: false })).toEqual([second, channelId]);
    expect(await list({ open: true })).toEqual([]);
  });
});
