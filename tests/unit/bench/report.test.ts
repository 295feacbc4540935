import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compared } from "@/tests/bench/cost/requests";
import type { Committed } from "@/tests/bench/cost/verdict";
import { benchResults, failuresOf } from "@/tests/bench/report";
import { tableOf } from "@/tests/rig/results";

const row = (what: string, value: number) => ({ what, ours: "1 ms", other: "1 ms", value, limit: 2.5, unit: "×" });

it("a row over its limit fails, in a line that names it", () => {
  expect(failuresOf([row("GET an account / bare", 2.5), row("GET a page / bare", 2.51)])).toEqual([
    "FAILED GET a page / bare: 2.51 ×, and the limit is 2.5 ×.",
  ]);
});

it("a row without a value fails", () => {
  expect(failuresOf([row("GET an account / bare", Number.NaN)])).toHaveLength(1);
});

it("the table says which rows hold", () => {
  expect(
    tableOf([row("one", 1), row("two", 3)], benchResults("c0ffee"))
      .split("\n")
      .slice(2),
  ).toEqual(["| one | 1 ms | 1 ms | 1.00 × | 2.5 × | holds |", "| two | 1 ms | 1 ms | 3.00 × | 2.5 × | **over** |"]);
});

it("each request of the table has a committed figure", () => {
  const committed: Committed[] = JSON.parse(readFileSync("tests/bench/cost/figures.json", "utf8"));
  expect(committed.length).toBeGreaterThan(0);
  for (const { figures } of committed) expect(Object.keys(figures)).toEqual(compared.map(({ what }) => what));
});
