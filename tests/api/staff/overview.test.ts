import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { OverviewFigures } from "@/components/dashboard/overview/figures";
import { db } from "@/server/db/client";
import type { StaffCaller } from "@/server/services/staff/api";
import { deliveryList } from "@/server/services/staff/lists/deliveries";
import { fakeClock } from "../../fakes/clock";
import { addMailboxes, changeProfile, changeSync, dropAccount, setConnected } from "../../fakes/stored";
import { addAttempts, addChannels, addDeliveries, dropDeliveries, storedChannel } from "../../fakes/stored-deliveries";
import { addSignal } from "../../fakes/stored-signals";
import { addRequestCounts } from "../../fakes/stored-traffic";
import { applicationId, connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator, refusal, stranger } from "./staff-caller";

ownDatabase();

type CountInput = Parameters<StaffCaller["deliveries"]["count"]>[0];

const NOW = Date.parse("2026-11-21T10:31:20Z");
const ago = (minutes: number) => new Date(NOW - minutes * 60_000);

let owner: string;

beforeAll(async () => {
  const application = await newApplication();
  owner = await applicationId(application);
  const { accountId, profileId } = await connectAccount(application);
  await setConnected(profileId, false);
  const at = (time: string) => ({ minute: new Date(`2026-11-21T${time}:00Z`), applicationId: owner });
  await addRequestCounts([
    { ...at("10:31"), requests: 8, clientErrors: 1, serverErrors: 1, throttled: 1 },
    { ...at("10:31"), applicationId: "", requests: 2, clientErrors: 2 },
    { ...at("09:32"), requests: 5 },
    { ...at("09:31"), requests: 100, clientErrors: 100, throttled: 50 },
  ]);
  await addChannels(accountId, [{ id: "chn", callbackUrl: "https://a.io" }]);
  const deliveries = [
    ["waits", "pending", ago(5), ago(-1), null],
    ["just due", "pending", ago(5), ago(0.4), null],
    ["late", "pending", ago(5), ago(1), null],
    ["failed", "failed", ago(60 * 30), null, ago(60)],
    ["failed long ago", "failed", ago(60 * 50), null, ago(60 * 25)],
    ["arrived", "delivered", ago(5), null, ago(5)],
  ] as const;
  await addDeliveries(
    "chn",
    deliveries.map(([id, state, createdAt, nextAttemptAt, finishedAt]) => ({
      ...{ id, host: "a.io", state, createdAt, nextAttemptAt, finishedAt },
    })),
  );
  const done = { "drop-expired-tokens": ago(60 * 71), "continue-series": ago(60 * 73), "revoke-unexchanged": ago(181) };
  const data = Object.entries(done).map(([id, doneAt]) => ({ id, doneAt }));
  await db().prisma.chore.createMany({ data });
  await db().prisma.alertLook.updateMany({ data: { lookedAt: ago(1) } });
  await addSignal("a", { kind: "change" });
  await addSignal("a", { kind: "change", dueAt: null });
});

describe("the overview", () => {
  it("says how the service is doing now", async () => {
    fakeClock(NOW);
    const { api } = await newOperator();
    const shown = await api.overview.show();
    expect(shown).toMatchObject({
      errorRate: 4 / 15,
      throttledApplications: [{ id: owner, name: "Test", count: 1 }],
      deliveries: {
        queued: 3,
        retrying: 0,
        lastError: null,
        late: 1,
        failed: 1,
        failedSince: "2026-11-19T10:31:00.000Z",
      },
      mailboxes: { disconnected: 1, failing: 0, late: 0, groups: 1 },
      background: {
        engine: "embedded",
        chores: { count: 12, late: ["continue-series", "revoke-unexchanged"] },
        lastLookAt: ago(1).toISOString(),
        waitingSignals: 1,
        deadLetters: 1,
      },
    });
    expect(shown.requestsPerMinute).toHaveLength(60);
    expect(shown.requestsPerMinute.at(-1)).toEqual({ at: "2026-11-21T10:31:00.000Z", count: 10, errors: 4 });
    expect(shown.requestsPerMinute[0]).toEqual({ at: "2026-11-21T09:32:00.000Z", count: 5, errors: 0 });
  });

  it("names the endpoints that the list of endpoints has as failing, those at one URL together, and no others", async () => {
    fakeClock(NOW);
    const { api } = await newOperator();
    const { accountId } = await storedChannel("chn");
    const failing = (failures: number, minutesAgo: number) => ({
      ...{ failures, failingSince: ago(minutesAgo), failing: failures >= 3 },
    });
    await addChannels(accountId, [
      { id: "down", callbackUrl: "https://B.io/down?key=s3cret", ...failing(4, 20) },
      { id: "both", callbackUrl: "https://b.io/down", ...failing(3, 600) },
      { id: "other", callbackUrl: "https://b.io/other", ...failing(12, 30) },
      { id: "twice", callbackUrl: "https://b.io/twice", ...failing(2, 5) },
      { id: "gone", callbackUrl: "https://b.io/gone", closedAt: ago(1), ...failing(3, 5) },
    ]);
    const [arrived = "", tried = ""] = await addDeliveries("down", [
      { host: "b.io", state: "delivered", attempts: 1, createdAt: ago(700) },
      { host: "b.io", attempts: 2, lastError: "timeout", createdAt: ago(20), nextAttemptAt: ago(-9) },
    ]);
    await addAttempts(arrived, [{ startedAt: ago(700), status: 204 }]);
    const [later = ""] = await addDeliveries("both", [
      { host: "b.io", state: "delivered", attempts: 1, createdAt: ago(650) },
    ]);
    await addAttempts(later, [{ startedAt: ago(650), status: 200 }]); // of another channel of the same URL
    await addAttempts(tried, [
      { startedAt: ago(20), status: 500 },
      { startedAt: ago(5), errorClass: "timeout" },
    ]);
    const { failingEndpoints, deliveries } = await api.overview.show();
    const ofOwner = { applicationId: owner, applicationName: "Test" };
    expect(failingEndpoints).toEqual({
      ...{ count: 3, more: false, groups: 2 },
      items: [
        {
          ...{ ...ofOwner, endpoint: "b.io/down", channelId: "down", channels: 2, consecutiveFailures: 4 },
          ...{ lastStatus: null, lastError: "timeout" },
          failingSince: ago(600).toISOString(),
          lastSuccessAt: ago(650).toISOString(),
        },
        {
          ...{ ...ofOwner, endpoint: "b.io/other", channelId: "other", channels: 1, consecutiveFailures: 12 },
          ...{ lastStatus: null, lastError: null, lastSuccessAt: null },
          failingSince: ago(30).toISOString(),
        },
      ],
    });
    expect(await api.endpoints.count({ state: ["failing"] })).toEqual({ count: 3, more: false });
    await db().prisma.application.update({ where: { id: owner }, data: { disabledAt: new Date(NOW) } });
    expect((await api.overview.show()).failingEndpoints).toEqual({ items: [], groups: 0, count: 0, more: false });
    expect(await api.endpoints.list({ state: ["failing"] })).toEqual({ items: [], next: null });
    const { items } = await api.endpoints.list({ state: ["active"] });
    expect(items.filter(({ id }) => id === "down")).toMatchObject([{ state: "active", failingSince: null }]);
    await db().prisma.application.update({ where: { id: owner }, data: { disabledAt: null } });
    expect(deliveries).toMatchObject({ queued: 3, retrying: 1, lastError: "timeout" });
    await dropDeliveries({ host: "b.io" });
  });

  it("names the mailboxes that are disconnected, fail or are late, with reason and since when, and no others", async () => {
    fakeClock(NOW);
    const { api } = await newOperator();
    const before = (await api.overview.show()).mailboxes;
    const application = await newApplication();
    const id = await applicationId(application);
    const { accountId, profileId } = await connectAccount(application);
    const [signedOut = "", alsoOut = "", unnoted = "", failing = "", twice = "", late = "", throttled = "", soon = ""] =
      await addMailboxes(profileId, { count: 8, credential: "c", syncDueAt: ago(-1) });
    await changeSync(profileId, { syncDueAt: ago(-1) });
    const out = { connected: false, disconnectedAt: ago(50) };
    await changeProfile(signedOut, { ...out, disconnectedAt: ago(90) });
    await changeProfile(alsoOut, out);
    await changeProfile(unnoted, { connected: false, provider: "icloud" });
    for (const one of [signedOut, alsoOut])
      await changeSync(one, { syncError: "credentials_rejected", syncFailures: 9 });
    await changeSync(failing, { syncFailures: 3, syncError: "down", lastSyncAt: ago(40) });
    await changeSync(twice, { syncFailures: 2, syncError: "down", lastSyncAt: ago(40) });
    await changeSync(late, { syncDueAt: ago(6) });
    await changeSync(throttled, { syncDueAt: ago(8), throttledUntil: ago(-3) });
    await changeSync(soon, { syncDueAt: ago(4) });
    const [account] = (await api.accounts.list({ q: accountId, limit: 1 })).items;
    expect(account).toMatchObject({ profileCount: 9, disconnectedCount: 3, delayedCount: 2 });
    const { items, ...counts } = (await api.overview.show()).mailboxes;
    const group = { applicationId: id, applicationName: "Test", accountId, accounts: 1, more: false };
    const { disconnected, groups } = before;
    expect(counts).toEqual({ disconnected: disconnected + 3, failing: 1, late: 2, groups: groups + 3 });
    expect(items.filter(({ applicationId }) => applicationId === id)).toEqual([
      {
        ...group,
        ...{ state: "disconnected", mailboxes: 3, since: ago(90).toISOString() },
        reasons: [
          { provider: "google", providerLabel: "Google", error: "credentials_rejected", count: 2 },
          { provider: "apple", providerLabel: "iCloud", error: null, count: 1 },
        ],
      },
      {
        ...group,
        ...{ state: "failing", mailboxes: 1, since: ago(40).toISOString() },
        reasons: [{ provider: "google", providerLabel: "Google", error: "down", count: 1 }],
      },
      {
        ...group,
        ...{ state: "late", mailboxes: 2, since: ago(8).toISOString() },
        reasons: [
          { provider: "google", providerLabel: "Google", error: "throttled", count: 1 },
          { provider: "google", providerLabel: "Google", error: null, count: 1 },
        ],
      },
    ]);
    expect(items.map(({ state }) => state)).toEqual(["disconnected", "disconnected", "failing", "late"]);
    const listed = async (sync: ("failing" | "late")[]) =>
      (await api.accounts.list({ application: id, sync })).items.map((account) => account.id);
    expect([await listed(["failing"]), await listed(["late"])]).toEqual([[accountId], [accountId]]);
    expect(await api.accounts.count({ application: id, disconnected: true })).toEqual({ count: 1, more: false });
    for (const one of [late, throttled]) await changeSync(one, { syncDueAt: ago(-1) });
    expect([await listed(["failing", "late"]), await listed(["late"])]).toEqual([[accountId], []]);
    await dropAccount(accountId);
  });

  it("leads to as many deliveries as each figure counts", async () => {
    fakeClock(NOW);
    const { api } = await newOperator();
    const overview = await api.overview.show();
    const shown = renderToStaticMarkup(createElement(OverviewFigures, { overview }));
    const counted: (number | undefined)[] = [];
    for (const [, query = ""] of shown.matchAll(/href="\/dashboard\/deliveries\?([^"]*)"/g)) {
      const params = Object.fromEntries(new URLSearchParams(query.replaceAll("&amp;", "&")));
      counted.push((await api.deliveries.count(queriedFilters(deliveryList, params, NOW) as CountInput)).count);
    }
    const { queued, retrying, late, failed } = overview.deliveries;
    expect(counted).toEqual([queued, retrying, late, failed]);
  });

  it("is for members of staff", async () => {
    expect(await refusal(stranger().overview.show())).toMatchObject({ kind: "signed_out" });
  });
});
