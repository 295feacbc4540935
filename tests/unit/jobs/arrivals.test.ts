import { describe, expect, it } from "vitest";
import { readArrivals } from "@/server/jobs/executor/arrivals";
import type { Plan } from "@/server/jobs/executor/plan";

const plan: Plan = { id: "app-fn", maxAttempts: 5, events: ["a/b"], crons: [] };
const event = (more: object = {}) => ({ name: "a/b", data: {}, ts: 5, ...more });
const runs = (body: unknown, seed: string | null = null) => readArrivals(body, seed, [plan])?.runs ?? [];

describe("ids", () => {
  it("that an event lacks come from the seed and its place: the same when it is sent again", () => {
    const ids = (seed: string | null) => readArrivals([event(), event()], seed, [plan])?.ids ?? [];
    expect(ids("1,a")).toEqual(ids("1,a"));
    expect(new Set([...ids("1,a"), ...ids("1,b"), ...ids(null), ...ids(null)]).size).toBe(8);
  });

  it("that PostgreSQL cannot keep are kept in another form, each in its own", () => {
    const ids = ["a\0", "b\0", "x".repeat(10_000), "x".repeat(10_001)];
    const stored = ids.map((id) => runs(event({ id }))[0]?.eventId ?? "");
    expect(new Set(stored).size).toBe(4);
    expect(stored.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(readArrivals(event({ id: "a\0" }), null, [plan])?.ids).toEqual(["a\0"]);
  });

  it("given twice in one request are one event: the first", () => {
    const found = runs([event({ id: "same", data: 1 }), event({ id: "same", data: 2 })]);
    expect(found.map((run) => JSON.parse(run.event))).toEqual([event({ id: "same", data: 1 })]);
  });
});

describe("times", () => {
  it("the moment of sending, which the SDK gives every event, is at once whatever the sender's clock says", () => {
    expect(runs(event({ ts: 7_000 }), "7000,abc")[0]?.startsAt).toBeNull();
    expect(runs(event({ ts: 7_001 }), "7000,abc")[0]?.startsAt).toEqual(new Date(7_001));
  });
});
