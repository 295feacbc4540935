import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { positionOf } from "@/server/graphql/cursor";
import { inPages, type List, pageAfter } from "@/server/graphql/page-after";

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `row ${index}` }));
type Row = ReturnType<typeof rows>[number];

async function walk(list: List<Row>, sizes: number[]): Promise<string[]> {
  const seen: string[] = [];
  let after: string | undefined;
  for (let turn = 0; ; turn += 1) {
    const { edges, isMore } = await pageAfter(list, positionOf(after), sizes[turn % sizes.length] ?? 1);
    seen.push(...edges.map(({ node }) => node.id));
    after = edges.at(-1)?.cursor;
    if (!isMore) return seen;
  }
}

describe("the pages of a connection", () => {
  it("hold every row once, whatever their sizes", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(fc.integer({ min: 0, max: 250 }), sizes, async (count, each) => {
      expect(await walk(inPages(rows(count)), each)).toEqual(rows(count).map(({ id }) => id));
    });
    await fc.assert(property);
  });

  it("go on after any edge, not only after the last one", async () => {
    const all = rows(130);
    const first = await pageAfter(inPages(all), {}, 60);
    for (const [index, { cursor }] of first.edges.entries()) {
      const { edges, isMore } = await pageAfter(inPages(all), positionOf(cursor), 100);
      expect(edges.map(({ node }) => node)).toEqual(all.slice(index + 1, index + 101));
      expect(isMore).toBe(index + 101 < all.length);
    }
  });

  it("go on where they were when newer rows have come", async () => {
    const all = rows(100);
    const { edges } = await pageAfter(inPages(all), {}, 3);
    const newer = [...Array.from({ length: 250 }, (_, index) => ({ id: `newer ${index}` })), ...all];
    const middle = await pageAfter(inPages(newer), positionOf(edges[1]?.cursor), 2);
    expect(middle.edges.map(({ node }) => node.id)).toEqual(["row 2", "row 3"]);
  });

  it("are refused after a cursor that is none, and after a row that is gone", async () => {
    for (const cursor of ["", "x", Buffer.from('{"id":7}').toString("base64url"), "x".repeat(2_000)]) {
      expect(() => positionOf(cursor)).toThrow("invalid");
    }
    const { edges } = await pageAfter(inPages(rows(10)), {}, 3);
    await expect(pageAfter(inPages([]), positionOf(edges[0]?.cursor), 3)).rejects.toThrow("invalid");
    await expect(pageAfter(inPages([]), positionOf(edges[2]?.cursor), 3)).rejects.toThrow("invalid");
  });
});
