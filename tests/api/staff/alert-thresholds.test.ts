import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { AlertKind } from "@/server/domain/alerts/alerts";
import type { Instant } from "@/server/domain/time/instant";
import { watchAlerts } from "@/server/services/staff/alerts/watch";
import { addChannels, addDeliveries } from "../../fakes/stored-deliveries";
import { addRequestCounts } from "../../fakes/stored-traffic";
import { applicationId, connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator, type Operator, refusal } from "./staff-caller";

ownDatabase();

const MINUTE = 60_000;
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
let admin: Operator;
let application: Awaited<ReturnType<typeof newApplication>>;
let id: string;

beforeAll(async () => {
  admin = await newOperator("admin");
});
beforeEach(async () => {
  application = await newApplication();
  id = await applicationId(application);
});
afterAll(async () => {
  await db().query("DELETE FROM alert_rules");
});

interface Set {
  threshold?: number | null;
  leastRequests?: number | null;
}
const save = (kind: AlertKind, set: Set = {}) =>
  admin.api.alerts.setOfApplication({
    ...{ id, webhookUrl: "https://hooks.acme.io/alerts" },
    rules: [{ kind, email: false, webhook: true, quietMinutes: 60, ...set }],
  });

/** What the minute's work wrote to the application, some minutes later: each state with what it says. */
async function newsAfter(minutes: number) {
  await db().prisma.alertMessage.deleteMany({ where: { scope: id } });
  await watchAlerts(db(), (NOW + minutes * MINUTE) as Instant);
  const rows = await db().prisma.alertMessage.findMany({ where: { scope: id } });
  return rows.map(({ body }) => body);
}
const counts = (minutesAgo: number, some: { requests: number; clientErrors?: number; serverErrors?: number }) =>
  addRequestCounts([{ minute: new Date(NOW - minutesAgo * MINUTE), applicationId: id, ...some }]);

describe("server errors", () => {
  it("alert from their share of the requests of 15 minutes on, once, and when they are over", async () => {
    await save("server_error_rate", { threshold: 10, leastRequests: 40 });
    await counts(20, { requests: 100, serverErrors: 100 });
    await counts(9, { requests: 30, serverErrors: 4 });
    expect(await newsAfter(0)).toEqual([]); // fewer requests than it takes
    await counts(8, { requests: 10 });
    expect(await newsAfter(0)).toMatchObject([
      {
        ...{ kind: "server_error_rate", state: "began" },
        items: [{ facts: { errors: 4, requests: 40, applicationId: id }, since: NOW - 9 * MINUTE }],
      },
    ]);
    expect(await newsAfter(1)).toEqual([]);
    await counts(7, { requests: 1 });
    expect(await newsAfter(2)).toMatchObject([{ kind: "server_error_rate", state: "resolved" }]);
    expect(await newsAfter(3)).toEqual([]);
  });

  it("last since they began, though the first of them leave the window", async () => {
    await save("server_error_rate", { threshold: 5, leastRequests: 1 });
    await counts(14, { requests: 10, serverErrors: 10 });
    await counts(0, { requests: 10, serverErrors: 10 });
    const since = NOW - 14 * MINUTE;
    expect(await newsAfter(0)).toMatchObject([{ state: "began", items: [{ since }] }]);
    await counts(-55, { requests: 10, serverErrors: 10 });
    for (const minutes of [14, 28, 42]) await counts(-minutes, { requests: 10, serverErrors: 10 });
    for (const minutes of [14, 28, 42]) expect(await newsAfter(minutes)).toEqual([]);
    expect(await newsAfter(60)).toMatchObject([{ state: "ongoing", items: [{ since }] }]);
  });

  it("don’t alert to rejected requests, which are a kind of their own", async () => {
    await counts(1, { requests: 100, clientErrors: 60 });
    await save("server_error_rate");
    expect(await newsAfter(0)).toEqual([]);
    await save("client_error_rate");
    expect(await newsAfter(0)).toMatchObject([{ kind: "client_error_rate", items: [{ facts: { errors: 60 } }] }]);
  });
});

describe("failed deliveries", () => {
  it("alert from a number on that failed for good within an hour, tests and older ones aside", async () => {
    await save("deliveries_failed", { threshold: 3 });
    const { accountId } = await connectAccount(application);
    const [channel = ""] = await addChannels(accountId);
    const failed = (minutesAgo: number) => {
      const at = new Date(NOW - minutesAgo * MINUTE);
      return { state: "failed", attempts: 10, createdAt: new Date(NOW - 26 * 60 * MINUTE), finishedAt: at } as const;
    };
    await addDeliveries(channel, [failed(61), failed(59), failed(30), { ...failed(10), test: true }]);
    expect(await newsAfter(0)).toEqual([]);
    await addDeliveries(channel, [failed(5)]);
    expect(await newsAfter(0)).toMatchObject([
      { kind: "deliveries_failed", state: "began", items: [{ facts: { failed: 3 }, since: NOW - 59 * MINUTE }] },
    ]);
    expect(await newsAfter(2)).toMatchObject([{ kind: "deliveries_failed", state: "resolved" }]);
  });
});

describe("thresholds", () => {
  it("are those of the kind until they are set", async () => {
    await save("server_error_rate", { threshold: 12 });
    const { rules } = await admin.api.alerts.ofApplication({ id });
    const of = (kind: AlertKind) => rules.find((rule) => rule.kind === kind);
    expect(of("server_error_rate")).toMatchObject({ threshold: 12, leastRequests: 20 });
    expect(of("client_error_rate")).toMatchObject({ threshold: 50, leastRequests: 50 });
    expect(of("deliveries_failed")).toMatchObject({ threshold: 10, leastRequests: null });
    expect(of("endpoint_failing")).toMatchObject({ threshold: null, leastRequests: null });
  });

  it.each<[AlertKind, Set, string]>([
    ["server_error_rate", { threshold: 101 }, "threshold"],
    ["client_error_rate", { threshold: 0 }, "threshold"],
    ["server_error_rate", { leastRequests: 1.5 }, "leastRequests"],
    ["deliveries_failed", { leastRequests: 20 }, "leastRequests"],
    ["endpoint_failing", { threshold: 3 }, "threshold"],
  ])("%s refuses %j", async (kind, set, field) => {
    const { issues } = (await refusal(save(kind, set))) as { issues: { path: unknown[] }[] };
    expect(issues.map(({ path }) => path)).toEqual([["rules", 0, field]]);
  });
});
