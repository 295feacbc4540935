import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it } from "vitest";
import { Steps } from "@/components/dashboard/account-page/timeline/steps";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { fanOut } from "@/server/webhooks/fan-out";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { changeProfile, changeSync } from "../../fakes/stored";
import { closeChannelAsGone } from "../../fakes/stored-deliveries";
import { connectedWithTokens, withToken } from "../grants";
import { ownReceiver } from "../own-receiver";
import { newApplication, openCalendar } from "../service";
import { openChannel, theyWrite, work } from "../webhooks/world";
import { newOperator, refusal } from "./staff-caller";

const MINUTE = 60_000;

const receiver = ownReceiver();
let clock: FakeClock;

beforeEach(() => {
  // Changes are timed by PostgreSQL, whose clock is real: it must not overtake the one that stands still.
  clock = fakeClock(Date.now() + MINUTE);
  receiver.answer(200);
});

async function later(milliseconds = 1_100) {
  clock.advance(milliseconds);
  await work();
}

/** What an operator reads by the clock now. */
async function timeline(id: string, more: { around?: string; minutes?: "5" | "30" | "120" } = {}) {
  return await (await newOperator()).api.accounts.timeline({ id, ...more });
}

/** An account with a channel whose verification is over. */
async function watched(filters?: object) {
  const opened = await openCalendar();
  const { channel_id: channel } = await openChannel(opened, receiver.url(), filters);
  await work();
  return { ...opened, channel };
}

/** An account that is connected to a provider, and was synced before. */
async function connected() {
  const { accountId, profileId, calendarIds, accessToken } = await connectedWithTokens(await newApplication());
  await changeProfile(profileId, { initialSyncRequired: false });
  const open = async () => {
    const answer = await withToken("POST", "/v1/channels", accessToken, { callback_url: receiver.url() });
    await later();
    return answer.json.channel.channel_id as string;
  };
  return { accountId, profileId, calendarId: calendarIds.writable, open };
}

const event = (event_id: string) => {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  return { event_id, summary: "Secret plans", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
};

describe("the timeline of an account", () => {
  it("is of an account that there is", async () => {
    const { api } = await newOperator();
    expect(await refusal(api.accounts.timeline({ id: "acc_none" }))).toMatchObject({ kind: "not_found" });
  });

  it("leads from the change to the delivery and its attempts, and has no event text", async () => {
    const account = await watched();
    await theyWrite(account, "secret", { summary: "Secret plans" });
    await later();
    const shown = await timeline(account.accountId);
    const change = shown.steps.find(({ kind }) => kind === "change");
    const delivery = shown.steps.find((step) => step.kind === "delivery" && step.delivery.type === "change");
    expect(change).toMatchObject({ kind: "change", change: { calendarId: account.calendarId, managed: false } });
    if (delivery?.kind !== "delivery" || change?.kind !== "change") throw new Error("there is no delivery");
    const { id } = delivery.delivery;
    expect(change.outcomes).toEqual([
      { channel: account.channel, outcome: { kind: "notified", how: "new", deliveries: [id] } },
    ]);
    expect(delivery.delivery).toMatchObject({ state: "delivered", attempts: [{ number: 1, status: 200 }] });
    expect(shown.findings).toMatchObject([{ kind: "delivered", channel: account.channel, count: 1 }]);
    expect(shown.channels).toMatchObject([{ id: account.channel, closedAt: null, onlyManaged: false }]);
    expect(JSON.stringify(shown)).not.toMatch(/secret/i);
  });

  it("has deliveries that say which changes by others they announce, and in which calendar", async () => {
    const account = await watched();
    await theyWrite(account, "one");
    await later();
    const { api } = await newOperator();
    const { items } = await api.deliveries.list({ channel: account.channel });
    const [change, verification] = await Promise.all(items.map(({ id }) => api.deliveries.get({ id })));
    expect(verification?.changes).toEqual([]);
    const { name } = await db().prisma.calendar.findUniqueOrThrow({ where: { id: account.calendarId } });
    const { notification } = JSON.parse(change?.body ?? "{}");
    expect(change?.changes).toEqual([
      {
        calendarId: account.calendarId,
        calendarName: name,
        at: expect.stringContaining(notification.changes_since.slice(0, 19)),
      },
    ]);
    await theyWrite(account, "two"); // announced by another delivery
    await later();
    expect((await api.deliveries.get({ id: change?.id ?? "" })).changes).toEqual(change?.changes);
  });

  it("says how often the receiver failed, and when it is tried again", async () => {
    const account = await watched();
    receiver.answer(500);
    await theyWrite(account, "one");
    await later();
    await later(18_000);
    await later(70_000);
    const { findings } = await timeline(account.accountId);
    expect(findings).toMatchObject([{ kind: "retrying", failures: 3, status: 500, error: null }]);
    const [retrying] = findings;
    expect(retrying?.kind === "retrying" && (retrying.nextAttemptAt ?? 0) > clock.now()).toBe(true);
  });

  it("says first that a later webhook arrived, which reaches back to the one that failed", async () => {
    const account = await watched();
    const around = new Date(clock.now()).toISOString();
    receiver.answer(500);
    await theyWrite(account, "one");
    await later();
    await later(49 * 60 * MINUTE); // longer than a delivery is retried
    const before = await timeline(account.accountId, { around, minutes: "30" });
    expect(before.findings).toMatchObject([{ kind: "failed", status: 500 }]);
    receiver.answer(200);
    await theyWrite(account, "two");
    await later();
    const { findings } = await timeline(account.accountId, { around, minutes: "30" });
    expect(findings).toMatchObject([
      { kind: "delivered", status: 200 },
      { kind: "made_up", status: 500 },
    ]);
  });

  it("says that later changes wait for a delivery that is being retried", async () => {
    const account = await watched();
    receiver.answer(500);
    await theyWrite(account, "one");
    await later();
    await theyWrite(account, "two");
    await fanOut(db());
    await later(2_000);
    const { steps } = await timeline(account.accountId);
    const outcomes = steps.flatMap((step) =>
      step.kind === "change" ? step.outcomes.map(({ outcome }) => outcome) : [],
    );
    const [first] = steps.flatMap((step) =>
      step.kind === "delivery" && step.delivery.type === "change" ? [step] : [],
    );
    expect(first?.delivery).toMatchObject({ state: "pending", isJoined: true, attempts: [{ status: 500 }] });
    expect(outcomes).toContainEqual({ kind: "notified", how: "new", deliveries: [first?.delivery.id] });
  });

  it("names the filter that held a change back", async () => {
    const account = await watched({ only_managed: true });
    await openChannel(account, receiver.url("/other"), { calendar_ids: [] });
    await later();
    await theyWrite(account, "one");
    await later();
    const { findings, steps } = await timeline(account.accountId);
    expect(findings).toEqual([{ kind: "filtered", by: ["calendar_ids", "only_managed"] }]);
    const change = steps.find(({ kind }) => kind === "change");
    const outcomes = change?.kind === "change" ? change.outcomes.map(({ outcome }) => outcome) : [];
    expect(outcomes).toContainEqual({ kind: "filtered", by: "only_managed" });
    expect(outcomes).toContainEqual({ kind: "filtered", by: "calendar_ids" });
  });

  it("has the application's own writes, of which it is not notified", async () => {
    const account = await watched();
    expect((await account.post(`/v1/calendars/${account.calendarId}/events`, event("own"))).status).toBe(202);
    await later();
    await processServices().requestLog.flush(10_000);
    const { findings, steps } = await timeline(account.accountId);
    expect(steps.filter(({ kind }) => kind === "write")).toMatchObject([
      { write: { method: "POST", status: 202, calendarId: account.calendarId, isSandbox: false } },
    ]);
    expect(findings).toEqual([{ kind: "own_writes", count: 1 }]);
  });

  it("has what was played in the sandbox by its type, and why it was refused", async () => {
    const account = await openCalendar();
    const play = (body: object) => account.post("/v1/sandbox/changes", { calendar_id: account.calendarId, ...body });
    expect((await play({ type: "event_created", event: event("played") })).status).toBe(202);
    expect((await play({ type: "event_deleted", event_id: "none" })).status).toBe(422);
    expect((await play({ type: "explode" })).status).toBe(422);
    await processServices().requestLog.flush(10_000);
    const shown = await timeline(account.accountId);
    const writes = shown.steps.flatMap((step) => (step.kind === "write" ? [step.write] : []));
    expect(writes.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["event_created", 202, null],
      ["event_deleted", 422, "event_id is not an event of the calendar"],
      ["explode", 422, expect.stringMatching(/^type /)],
    ]);
    const html = renderToStaticMarkup(createElement(Steps, { timeline: shown, zone: "UTC" }));
    expect(html).toContain("Sandbox: event_created");
    expect(html).toContain("reason: event_id is not an event of the calendar");
  });

  it("says that no change was seen, what was read last and what is read next", async () => {
    const account = await connected();
    await account.open();
    const [synced, next, noticed] = [-9, 20, -30].map((minutes) => new Date(clock.now() + minutes * MINUTE));
    await changeSync(account.profileId, { lastSyncAt: synced, syncDueAt: next, noticedAt: noticed, syncError: null });
    const { findings, profiles, calendars } = await timeline(account.accountId);
    expect(findings).toEqual([{ kind: "no_change" }]);
    const times = { lastSyncAt: synced?.getTime(), nextSyncAt: next?.getTime(), noticedAt: noticed?.getTime() };
    expect(profiles).toMatchObject([
      { provider: "google", connected: true, ...times, watchEndsAt: null, pollSeconds: { least: 60, most: 300 } },
    ]);
    expect(calendars.map(({ id }) => id)).toContain(account.calendarId);
  });

  it("says since when the account is disconnected, and that there was no channel yet, or none any more", async () => {
    const account = await connected();
    expect((await timeline(account.accountId)).findings[0]).toEqual({ kind: "no_channel" });
    const channel = await account.open();
    await disconnectProfile(db(), account.profileId);
    await later();
    const cut = await timeline(account.accountId);
    expect(cut.findings).toContainEqual({ kind: "disconnected", profile: account.profileId, at: expect.any(Number) });
    expect(cut.steps.map(({ kind }) => kind)).toContain("disconnected");
    const around = new Date(clock.now() - 300 * MINUTE).toISOString();
    expect((await timeline(account.accountId, { around, minutes: "5" })).findings[0]?.kind).toBe("not_opened");
    await closeChannelAsGone(channel, new Date(clock.now()));
    clock.advance(60 * MINUTE);
    expect((await timeline(account.accountId, { minutes: "5" })).findings[0]).toMatchObject({
      kind: "channels_closed",
      by: "gone",
    });
  });
});
