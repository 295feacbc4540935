import { expect, it } from "vitest";
import { capacities } from "@/server/env/capacities";
import { type Receiver, receiverKey } from "@/server/webhooks/claim";
import { receiverHealth } from "@/server/webhooks/receiver-health";

const receiver = (applicationId: string, host: number | string): Receiver => ({
  applicationId,
  host: `${host}.acme.io`,
});
const answered = { answered: true, durationMs: 20 };
const hung = { answered: false, durationMs: 5_000 };
const slow = { answered: true, durationMs: 4_000 };

function fill(made: ReturnType<typeof receiverHealth>, application: string, count: number, from = 0): Receiver[] {
  const all = Array.from({ length: count }, (_, i) => receiver(application, from + i));
  for (const one of all) made.begin(one);
  return all;
}

it("a receiver is judged by its application: what one has at a host says nothing of another's", () => {
  const made = receiverHealth(400);
  for (const application of ["a", "b"]) made.begin(receiver(application, "shared"));
  made.end(receiver("a", "shared"), hung);
  made.end(receiver("b", "shared"), answered);
  expect(made.free().limits).toEqual({ "b shared.acme.io": 5 });
});

it("a receiver that was never asked, or did not answer, gets one attempt at a time", () => {
  const made = receiverHealth(400);
  made.begin(receiver("a", 1));
  expect(made.free().limits).toEqual({ "a 1.acme.io": 0 });
  made.end(receiver("a", 1), hung);
  expect(made.free().limits).toEqual({});
  made.begin(receiver("a", 1));
  expect(made.free().limits).toEqual({ "a 1.acme.io": 0 });
});

it("one application gets three quarters of the slots, whatever it has", () => {
  const made = receiverHealth(400);
  fill(made, "a", 299);
  expect(made.free().without).toEqual([]);
  fill(made, "a", 1, 299);
  expect(made.free().without).toEqual(["a"]);
});

it("while slots are scarce those below their share may go on, and the others wait until they are", () => {
  const made = receiverHealth(400);
  const [first, ...others] = fill(made, "a", 300);
  fill(made, "b", 50);
  expect(made.free().without).toEqual(["a"]);
  fill(made, "b", 50, 50);
  expect(made.free().without).toEqual(["a"]);
  for (const one of [first, ...others.slice(0, 100)]) if (one) made.end(one, answered);
  expect(made.free().without).toEqual([]);
});

it("beside 200 dead receivers another application has slots for 1,000 deliveries a second that take 200 ms each", () => {
  const made = receiverHealth(capacities.DELIVERY_SLOTS.byDefault);
  for (const one of fill(made, "dead", 200)) made.end(one, hung);
  fill(made, "dead", 200);
  fill(made, "healthy", 199);
  expect(made.free().without).not.toContain("healthy");
});

it("one application's slow receivers hold half of the slots, and another's slow ones have room beside them", () => {
  const made = receiverHealth(40);
  for (const application of ["a", "b"]) for (const one of fill(made, application, 20)) made.end(one, slow);
  fill(made, "a", 20);
  const { limits } = made.free();
  expect(Object.entries(limits).filter(([key, most]) => key.startsWith("a ") && most === 0)).toHaveLength(20);
  expect(limits[receiverKey(receiver("b", 1))]).toBe(5);
});

it("a slow receiver that answers soon again is slow no more", () => {
  const made = receiverHealth(4);
  const all = fill(made, "a", 2);
  for (const one of all) made.end(one, slow);
  fill(made, "a", 2);
  expect(Object.values(made.free().limits)).toEqual([0, 0]);
  for (const one of all) made.end(one, answered);
  fill(made, "a", 2);
  expect(Object.values(made.free().limits)).toEqual([5, 5]);
});

it.each([
  [1_999, [5, 5]],
  [2_000, [0, 0]],
])("a response after %i ms counts as slow from two seconds on", (durationMs, limits) => {
  const made = receiverHealth(4);
  for (const one of fill(made, "a", 2)) made.end(one, { answered: true, durationMs });
  fill(made, "a", 2);
  expect(Object.values(made.free().limits)).toEqual(limits);
});

it("receivers of one application do not push another's out of what is remembered", () => {
  const made = receiverHealth(400);
  made.begin(receiver("b", "quick"));
  made.end(receiver("b", "quick"), answered);
  for (let i = 0; i < 3_000; i++) {
    made.begin(receiver("a", i));
    made.end(receiver("a", i), answered);
  }
  expect(made.free().limits[receiverKey(receiver("b", "quick"))]).toBe(5);
});
