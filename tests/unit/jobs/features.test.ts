import { describe, expect, it } from "vitest";
import { readPlans } from "@/server/jobs/executor/features";

const step = (retries?: number) => ({
  step: {
    id: "step",
    name: "step",
    runtime: { type: "http", url: "x" },
    ...(retries !== undefined && { retries: { attempts: retries } }),
  },
});
const event = [{ event: "a/b" }];
const plan = (more: object) => readPlans([{ id: "app-fn", name: "Fn", triggers: event, steps: step(), ...more }])[0];

describe("what the executor does", () => {
  it("a function has five attempts, or one more than its retries", () => {
    expect(plan({})).toEqual({ id: "app-fn", maxAttempts: 5, events: ["a/b"], crons: [] });
    expect(plan({ steps: step(0) })?.maxAttempts).toBe(1);
    expect(plan({ steps: step(20) })?.maxAttempts).toBe(21);
  });

  it("events and crons trigger, several of them", () => {
    const triggers = [{ event: "a/b" }, { cron: "*/5 * * * *" }, { event: "a/c" }, { cron: "0 3 * * MON" }];
    expect(plan({ triggers })).toMatchObject({ events: ["a/b", "a/c"], crons: ["*/5 * * * *", "0 3 * * MON"] });
  });
});

it("a trigger by a cancelled run is accepted, though no run is ever cancelled here", () => {
  expect(plan({ triggers: [{ event: "inngest/function.cancelled" }] })?.events).toEqual(["inngest/function.cancelled"]);
});

describe("what it does not is refused, by the function's name and the feature's", () => {
  it.each([
    [{ cancel: [{ event: "a/c" }] }, "cancel"],
    [{ batchEvents: { maxSize: 10, timeout: "5s" } }, "batchEvents"],
    [{ throttle: { limit: 1, period: "1s" } }, "throttle"],
    [{ rateLimit: { limit: 1, period: "1s" } }, "rateLimit"],
    [{ priority: { run: "1" } }, "priority"],
    [{ singleton: { mode: "skip" } }, "singleton"],
    [{ timeouts: { finish: "1m" } }, "timeouts"],
    [{ idempotency: "event.data.id" }, "idempotency"],
    [{ somethingNew: true }, "somethingNew"],
    [{ triggers: [] }, "no trigger"],
    [{ triggers: [{ event: "a/b", expression: "event.data.n > 1" }] }, "a trigger with an if expression"],
    [{ triggers: [{ event: "a/*" }] }, "by a pattern"],
    [{ triggers: [{ event: "inngest/function.failed", expression: "x" }] }, "onFailure"],
    [{ triggers: [{ event: "inngest/deferred.schedule" }] }, "inngest/deferred.schedule"],
    [{ triggers: [{ event: "a/b", more: 1 }] }, "a trigger with more"],
    [{ triggers: [{ cron: "* * * * * *" }] }, "the cron"],
    [{ triggers: [{ cron: "TZ=Europe/Paris 0 12 * * *" }] }, "the cron"],
    [{ triggers: [{ cron: "0 0 30 2 *" }] }, "the cron"],
    [{ triggers: [{ cron: "nonsense" }] }, "the cron"],
    [{ triggers: [{ cron: "0 0 * * *", jitter: "1m" }] }, "a cron trigger with jitter"],
    [{ concurrency: 3 }, "concurrency"],
    [{ debounce: { period: "5s" } }, "debounce"],
    [{ steps: step(21) }, "retries of 21"],
    [{ steps: { other: {} } }, "steps of its own"],
  ])("%j", (more, feature) => {
    expect(() => plan(more)).toThrow(/^the function app-fn uses .*, which the embedded executor does not have$/);
    expect(() => plan(more)).toThrow(feature);
  });
});
