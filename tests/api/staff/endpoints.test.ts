import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { binding } from "@/server/db/composed";
import type { StaffCaller } from "@/server/services/staff/api";
import { endpointCount } from "@/server/services/staff/endpoints/endpoints.sql";
import { fakeClock } from "../../fakes/clock";
import { changeAccount } from "../../fakes/stored";
import { addAttempts, addChannels, addDeliveries, closeChannelAsGone } from "../../fakes/stored-deliveries";
import { applicationId, connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator, type Operator, refusal, stranger } from "./staff-caller";

ownDatabase();

const NOW = Date.parse("2026-11-21T10:00:00Z");
const ago = (minutes: number) => new Date(NOW - minutes * 60_000);

let staff: Operator;
let application: string;
let account: string;

type ListInput = Parameters<StaffCaller["endpoints"]["list"]>[0];

const list = (input: object = {}) => staff.api.endpoints.list(input as ListInput);
const idsOf = async (input: object) => (await list(input)).items.map(({ id }) => id);

/** Deliveries of a channel, the newest first, with what their attempts came to: a status or why there was none, `200` in 20 ms. */
async function attempted(channel: string, deliveries: { minutesAgo: number; attempts: (number | string)[] }[]) {
  for (const { minutesAgo, attempts } of deliveries) {
    const isDelivered = attempts.at(-1) === 200;
    const last = attempts.at(-1);
    const [id = ""] = await addDeliveries(channel, [
      {
        createdAt: ago(minutesAgo),
        attempts: attempts.length,
        state: isDelivered ? "delivered" : "pending",
        lastStatus: typeof last === "number" ? last : null,
        lastError: typeof last === "string" ? last : null,
        nextAttemptAt: isDelivered ? null : ago(-60),
        finishedAt: isDelivered ? ago(minutesAgo) : null,
      },
    ]);
    await addAttempts(
      id,
      attempts.map((result, index) => ({
        startedAt: new Date(ago(minutesAgo).getTime() + index * 1_000),
        durationMs: result === 200 ? 20 : 5_000,
        status: typeof result === "number" ? result : null,
        errorClass: typeof result === "string" ? result : null,
      })),
    );
  }
}

beforeAll(async () => {
  const owner = await newApplication();
  application = await applicationId(owner);
  const { accountId } = await connectAccount(owner);
  account = accountId;
  await changeAccount(account, { email: "Anna@acme.io" });
  const channels = ["healthy", "failing", "shaky", "closed", "unused"];
  const failures: Record<string, object> = {
    failing: { failures: 3, failing: true, failingSince: ago(20) },
    shaky: { failures: 2, failingSince: ago(5) },
    closed: { failures: 3, failing: true, failingSince: ago(5) },
  };
  await addChannels(
    account,
    channels.map((name, index) => ({
      id: `chn_${name}`,
      callbackUrl: `https://${name}.acme.io/hooks/${name}?token=s3cret`,
      createdAt: ago(100 - index),
      ...failures[name],
    })),
  );
  await attempted("chn_healthy", [
    { minutesAgo: 5, attempts: [200] },
    { minutesAgo: 10, attempts: [503, 503, 503, 200] },
    { minutesAgo: 60 * 25, attempts: ["dns", "dns", "dns"] },
  ]);
  await attempted("chn_failing", [
    { minutesAgo: 5, attempts: [] },
    { minutesAgo: 10, attempts: ["timeout"] },
    { minutesAgo: 20, attempts: [404, 503] },
    { minutesAgo: 30, attempts: [200] },
  ]);
  await attempted("chn_shaky", [
    { minutesAgo: 5, attempts: [500, 500] },
    { minutesAgo: 10, attempts: [200] },
  ]);
  await attempted("chn_closed", [{ minutesAgo: 5, attempts: [410, 500, 500] }]);
  await closeChannelAsGone("chn_closed", ago(4));
  await addChannels((await connectAccount(await newApplication())).accountId, [
    { id: "chn_other", callbackUrl: "https://other.io/hooks/failing", createdAt: ago(200) },
  ]);
});

beforeEach(async () => {
  fakeClock(NOW);
  staff = await newOperator();
});

describe("the list of endpoints", () => {
  it("says of each how it does, failing ones first, the newest first among them and among the others", async () => {
    const { items, next } = await list({ application });
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      ["chn_failing", "failing"],
      ["chn_unused", "active"],
      ["chn_closed", "closed"],
      ["chn_shaky", "active"],
      ["chn_healthy", "active"],
    ]);
    expect(next).toBeNull();
    const byId = Object.fromEntries(items.map((item) => [item.id, item]));
    expect(byId.chn_healthy).toEqual({
      id: "chn_healthy",
      state: "active",
      endpoint: "healthy.acme.io/hooks/healthy",
      applicationId: application,
      applicationName: "Test",
      accountId: account,
      accountName: "Anna@acme.io",
      createdAt: ago(100).toISOString(),
      closedAt: null,
      closedBy: null,
      failingSince: null,
      pausedAt: null,
      attempts24h: 5,
      successRate24h: 0.4,
      p50Ms: 5_000,
      p95Ms: 5_000,
      consecutiveFailures: 0,
      lastFailure: { at: new Date(ago(10).getTime() + 2_000).toISOString(), status: 503, error: null },
    });
    expect(byId.chn_failing).toMatchObject({
      consecutiveFailures: 3,
      failingSince: ago(20).toISOString(),
      successRate24h: 0.25,
      lastFailure: { at: ago(10).toISOString(), status: null, error: "timeout" },
    });
    expect(byId.chn_closed).toMatchObject({ closedBy: "gone", closedAt: ago(4).toISOString() });
    expect(byId.chn_unused).toMatchObject({
      ...{ attempts24h: 0, successRate24h: null, p50Ms: null, p95Ms: null, consecutiveFailures: 0 },
      lastFailure: null,
    });
  });

  it("never shows the query of a callback URL", async () => {
    expect(JSON.stringify(await list())).not.toContain("s3cret");
  });

  it.each([
    [["failing"], ["chn_failing"]],
    [["active"], ["chn_unused", "chn_shaky", "chn_healthy"]],
    [["closed"], ["chn_closed"]],
    [
      ["failing", "closed"],
      ["chn_failing", "chn_closed"],
    ],
  ])("is narrowed by the state %j, and counted as it is listed", async (state, expected) => {
    expect(await idsOf({ state, application })).toEqual(expected);
    expect(await staff.api.endpoints.count({ state, application } as ListInput)).toEqual({
      count: expected.length,
      more: false,
    });
  });

  it.each([
    ["chn_shaky", ["chn_shaky"]],
    ["https://failing.acme.io/hooks/failing?token=other", ["chn_failing"]],
    ["/hooks/failing", ["chn_failing", "chn_other"]],
    ["other.io", ["chn_other"]],
    ["anna@", ["chn_failing", "chn_unused", "chn_closed", "chn_shaky", "chn_healthy"]],
    ["token=s3cret", []],
    ["nobody@acme.io", []],
    ["chn_nothing", []],
    ["whd_nothing", []],
  ])("is searched for %s", async (q, expected) => {
    expect(await idsOf({ q })).toEqual(expected);
    expect(await staff.api.endpoints.count({ q })).toEqual({ count: expected.length, more: false });
  });

  it("is searched by a delivery, an account and an application", async () => {
    const [delivery = ""] = await addDeliveries("chn_unused");
    expect(await idsOf({ q: delivery })).toEqual(["chn_unused"]);
    expect(await idsOf({ q: account, state: ["closed"] })).toEqual(["chn_closed"]);
    expect(await idsOf({ q: application })).toHaveLength(5);
    expect(await idsOf({ q: application, application: "app_other" })).toEqual([]);
    expect(await idsOf({ account: "anna@ACME.io" })).toHaveLength(5);
    expect(await idsOf({ account: "nobody@acme.io" })).toEqual([]);
  });

  it("gives each endpoint once, page by page", async () => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { items, next } = await list({ application, limit: 2, after });
      seen.push(...items.map(({ id }) => id));
      after = next ?? undefined;
    } while (after);
    expect(seen).toEqual(await idsOf({ application }));
    expect(seen).toHaveLength(5);
    const ofOne = Buffer.from("2026-11-21T10:00:00.000000Z chn_a 2").toString("base64url");
    expect(await refusal(list({ after: ofOne }))).toMatchObject({ kind: "invalid" });
  });

  it("is sorted, the worst first, page by page", async () => {
    const sorted = (sort: string) => idsOf({ application, sort });
    expect(await sorted("failures")).toEqual(["chn_closed", "chn_failing", "chn_shaky", "chn_unused", "chn_healthy"]);
    expect((await sorted("success")).slice(0, 3)).toEqual(["chn_closed", "chn_failing", "chn_shaky"]);
    expect((await sorted("success")).at(-1)).toBe("chn_unused");
    expect((await sorted("p95")).at(-1)).toBe("chn_unused");
    expect(new Set((await sorted("lastError")).slice(0, 2))).toEqual(new Set(["chn_closed", "chn_shaky"]));
    const first = await list({ application, sort: "failures", limit: 2 });
    const second = await list({ application, sort: "failures", limit: 2, after: first.next });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual((await sorted("failures")).slice(0, 4));
    expect(await idsOf({ application, sort: "failures", state: ["active"] })).toEqual([
      "chn_shaky",
      "chn_unused",
      "chn_healthy",
    ]);
    expect(await refusal(list({ sort: "endpoint" }))).toMatchObject({ kind: "invalid" });
  });

  it("finds those that are failing by an index that holds no others", async () => {
    const bound = binding();
    const statement = endpointCount.compose({ states: ["failing"] }, bound);
    await db().query("ANALYZE channels");
    const plan = await db().transaction(async (query) => {
      await query("SET LOCAL enable_seqscan = off");
      return await query<{ "QUERY PLAN": string }>(`EXPLAIN ${statement}`, bound.values);
    });
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("channels_failing");
  });

  it("refuses what is no state, the cursor of another list, and whoever is not signed in", async () => {
    expect(await refusal(list({ state: ["broken"] }))).toMatchObject({ kind: "invalid" });
    const foreign = Buffer.from("2026-11-21T10:00:00.000000Z whd_1").toString("base64url");
    expect(await refusal(list({ after: foreign }))).toMatchObject({ kind: "invalid" });
    expect(await refusal(stranger().endpoints.list({}))).toMatchObject({ kind: "signed_out" });
  });
});
