import { describe, expect, it } from "vitest";
import { fairQueue } from "@/server/domain/fair-queue";

const drained = (queue: { shift(): string | undefined }) => {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

describe("a fair queue", () => {
  it("lets owners take turns, each its oldest first", () => {
    const queue = fairQueue<string>(100);
    for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.push(item.charAt(0), item);
    expect(queue.size).toBe(6);
    expect(drained(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
    expect(queue.size).toBe(0);
  });

  it("gives a turn to whoever comes while another has much waiting", () => {
    const queue = fairQueue<string>(100);
    for (const item of ["a1", "a2", "a3"]) queue.push("a", item);
    queue.shift();
    queue.push("b", "b1");
    expect(drained(queue)).toEqual(["a2", "b1", "a3"]);
  });

  it("makes room in a full queue at the cost of whoever has most waiting", () => {
    const queue = fairQueue<string>(3);
    for (const item of ["a1", "a2", "a3"]) expect(queue.push("a", item)).toBeUndefined();
    expect(queue.push("b", "b1")).toBe("a3");
    expect(queue.push("a", "a4")).toBe("a4");
    expect(queue.push("b", "b2")).toBe("b2");
    expect(queue.push("c", "c1")).toBe("a2");
    expect(queue.push("d", "d1")).toBe("d1");
    expect(drained(queue)).toEqual(["a1", "b1", "c1"]);
  });
});
