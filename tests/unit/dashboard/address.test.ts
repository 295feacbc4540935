import { describe, expect, it } from "vitest";
import { address, firstOf, newerTrail, olderTrail } from "@/components/dashboard/address/address";

/** The query of a page as Next gives it, whatever its names. */
const queried = (search: string) =>
  Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, value]));

describe("the address of a page", () => {
  it("keeps what it had, but for what is changed", () => {
    const params = { state: ["failed", "pending"], open: "whd_1" };
    expect(address("/deliveries", params, { open: null })).toBe("/deliveries?state=failed&state=pending");
    expect(address("/deliveries", params, { state: "cancelled" })).toBe("/deliveries?state=cancelled&open=whd_1");
  });

  it("takes names that every object has for what they are in the query", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(address("/deliveries", queried(`${name}=x`), { open: "whd_1" })).toBe(`/deliveries?${name}=x&open=whd_1`);
      expect(firstOf({}, name)).toBeUndefined();
    }
  });
});

describe("the trail of cursors", () => {
  const walked = (pages: number) => {
    let trail: string[] = [];
    for (let page = 1; page <= pages; page++) trail = olderTrail(trail, `c${page}`);
    return trail;
  };

  it("leads back page by page to the newest", () => {
    const trail = walked(10);
    expect(trail).toHaveLength(10);
    expect(newerTrail(trail)).toEqual(trail.slice(0, 9));
    expect(newerTrail(["c1"])).toEqual([]);
    expect(newerTrail([])).toBeNull();
  });

  it("keeps the last ten cursors however far the walk goes, and leads back no further", () => {
    let trail: string[] | null = walked(200);
    expect(trail).toHaveLength(11);
    const back: (string | undefined)[] = [];
    for (; trail; trail = newerTrail(trail)) back.push(trail.at(-1));
    expect(back).toEqual(Array.from({ length: 10 }, (_, i) => `c${200 - i}`));
  });

  it("stays cut when the walk turns round", () => {
    const back = newerTrail(walked(20)) ?? [];
    expect(newerTrail(olderTrail(back, "c20"))).toEqual(back);
    let trail: string[] | null = back;
    while (newerTrail(trail)) trail = newerTrail(trail) ?? [];
    expect(trail.at(-1)).toBe("c11");
  });
});
