import { describe, expect, it } from "vitest";
import { keyedSemaphore } from "@/server/providers/keyed-semaphore";

describe("a keyed semaphore", () => {
  it("lets at most so many run for one name, in the order in which they came, and never holds up another name", async () => {
    const limited = keyedSemaphore(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    };
    const all = [
      limited("a", work("a1")),
      limited("a", work("a2")),
      limited("a", work("a3")),
      limited("b", work("b1")),
    ];
    expect(begun).toEqual(["a1", "a2", "b1"]);
    ends[0]?.();
    await expect.poll(() => begun).toEqual(["a1", "a2", "b1", "a3"]);
    for (const end of ends) end();
    await expect.poll(() => ends.length).toBe(4);
    ends[3]?.();
    await Promise.all(all);
  });

  it("goes on after work that failed", async () => {
    const limited = keyedSemaphore(1);
    const failed = limited("a", () => Promise.reject(new Error("no")));
    const next = limited("a", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});
