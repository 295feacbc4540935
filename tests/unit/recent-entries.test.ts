import { expect, test } from "vitest";
import { recentEntries } from "@/server/recent-entries";

test("the entries that were set last are kept, and the oldest are forgotten", () => {
  const entries = recentEntries<number>(2);
  entries.set("a", 1);
  entries.set("b", 2);
  entries.set("a", 3);
  entries.set("c", 4);
  expect(["a", "b", "c"].map((key) => entries.get(key))).toEqual([3, undefined, 4]);
  entries.delete("a");
  expect(entries.has("a")).toBe(false);
});
