import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rings } from "@/server/http/request-log/rings";

interface Item {
  owner: string;
  number: number;
  weight: number;
}

function opened(capacity: number, mostWeight = 1_000_000) {
  const lost: Item[] = [];
  const held = rings<Item>({
    capacity,
    mostWeight,
    weightOf: ({ weight }) => weight,
    onLoss: (item) => lost.push(item),
  });
  return { held, lost };
}

const numbers = (count: number, owner: string, weight = 1) =>
  Array.from({ length: count }, (_, number) => ({ owner, number, weight }));

describe("rings of several owners", () => {
  it("lose or give each item once, in each owner's order, and never hold more than they may", () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ owner: fc.constantFrom("a", "b", "c", "d"), times: fc.integer({ min: 1, max: 40 }) }),
      },
      fc.record({ take: fc.integer({ min: 0, max: 30 }) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.array(step), (capacity, steps) => {
        const { held, lost } = opened(capacity);
        const taken: Item[] = [];
        let next = 0;
        for (const each of steps) {
          if ("take" in each) taken.push(...held.take(each.take));
          else
            for (let i = 0; i < each.times; i += 1)
              held.add(each.owner, { owner: each.owner, number: next++, weight: 2 });
          expect(held.size).toBeLessThanOrEqual(capacity);
          expect(held.weight).toBe(held.size * 2);
          expect(taken.length + lost.length + held.size).toBe(next);
        }
        taken.push(...held.take(next));
        expect(held.size).toBe(0);
        expect([...taken, ...lost].map(({ number }) => number).sort((a, b) => a - b)).toEqual([...Array(next).keys()]);
        for (const owner of ["a", "b", "c", "d"]) {
          const own = taken.filter((item) => item.owner === owner).map(({ number }) => number);
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      }),
    );
  });

  it("take nothing from an owner who holds little, however much others add", () => {
    const { held, lost } = opened(1000);
    for (const item of numbers(5000, "loud")) held.add("loud", item);
    for (const item of numbers(100, "calm")) held.add("calm", item);
    for (const owner of ["loud", "second", "third"]) for (const item of numbers(5000, owner)) held.add(owner, item);
    expect(lost.filter(({ owner }) => owner === "calm")).toEqual([]);
    expect(held.take(1000).filter(({ owner }) => owner === "calm")).toHaveLength(100);
  });

  it("give way to a second loud owner until both hold about the same", () => {
    const { held } = opened(1000);
    for (const item of numbers(1000, "a")) held.add("a", item);
    for (let i = 0; i < 5000; i += 1) for (const owner of ["a", "b"]) held.add(owner, { owner, number: i, weight: 1 });
    const left = held.take(1000);
    const sizes = ["a", "b"].map((owner) => left.filter((item) => item.owner === owner).length);
    for (const size of sizes) expect(size).toBeGreaterThan(440);
  });

  it("are asked in turns: who has much does not keep who has little from the next batch", () => {
    const { held } = opened(2000);
    for (const item of numbers(1500, "loud")) held.add("loud", item);
    for (const item of numbers(3, "calm")) held.add("calm", item);
    expect(held.take(250).filter(({ owner }) => owner === "calm")).toHaveLength(3);
  });

  it("share weight as they share places", () => {
    const { held } = opened(1000, 800);
    let heavy = 0;
    while (held.hasRoom("loud", 10)) {
      held.add("loud", { owner: "loud", number: heavy, weight: 10 });
      heavy += 1;
    }
    expect(heavy).toBe(70);
    expect(held.hasRoom("calm", 80)).toBe(true);
    expect(held.hasRoom("calm", 101)).toBe(false);
  });
});
