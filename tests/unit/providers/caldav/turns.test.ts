import { describe, expect, it } from "vitest";
import { keyedSemaphore } from "@/server/providers/keyed-semaphore";

describe("turns", () => {
  it("lets at most so many run for one name, in the order in which they came, and never holds up another name", async () => {
    const inTurn = keyedSemaphore(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    };
    const all = [inTurn("a", work("a1")), inTurn("a", work("a2")), inTurn("a", work("a3")), inTurn("b", work("b1"))];
    expect(begun).toEqual(["a1", "a2", "b1"]);
    ends[0]?.();
    await expect.poll(() => begun).toEqual(["a1", "a2", "b1", "a3"]);
    for (const end of ends) end();
    await expect.poll(() => ends.length).toBe(4);
    ends[3]?.();
    await Promise.all(all);
  });

  it("goes on after work that failed", async () => {
    const inTurn = keyedSemaphore(1);
    const failed = inTurn("a", () => Promise.reject(new Error("no")));
    const next = inTurn("a", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});
