import { describe, expect, it } from "vitest";
import { type Figures, nearest, renewed, worseRows } from "@/tests/bench/cost/verdict";

const committed: Figures = { "GET an account": 4, "POST an event": 8 };

/** Measures again what it is told, and notes for which rows. */
function again(figures: Figures) {
  const rows: string[] = [];
  const measure = async (what: string) => {
    rows.push(what);
    return figures[what] ?? Number.NaN;
  };
  return { rows, measure };
}

it("a row that costs 25 % more is not worse, and is not measured again", async () => {
  const { rows, measure } = again({});
  expect(await worseRows({ "GET an account": 5, "POST an event": 2 }, committed, measure)).toEqual([]);
  expect(rows).toEqual([]);
});

it("a row that costs more than that twice is worse, by the figure of the second time", async () => {
  const { rows, measure } = again({ "GET an account": 5.2 });
  const worse = await worseRows({ "GET an account": 5.1, "POST an event": 8 }, committed, measure);
  expect(worse).toEqual([{ what: "GET an account", measured: 5.2, committed: 4 }]);
  expect(rows).toEqual(["GET an account"]);
});

it("a row that costs more only once is not worse", async () => {
  const { measure } = again({ "GET an account": 4.9 });
  expect(await worseRows({ "GET an account": 9, "POST an event": 8 }, committed, measure)).toEqual([]);
});

it("what cannot be measured is worse", async () => {
  const { measure } = again({ "POST an event": Number.NaN });
  const worse = await worseRows({ "GET an account": 4, "POST an event": Number.NaN }, committed, measure);
  expect(worse).toEqual([{ what: "POST an event", measured: Number.NaN, committed: 8 }]);
});

it("a row without a committed figure is an error, and a figure without a row", async () => {
  const { measure } = again({});
  await expect(worseRows({ ...committed, "GET a page": 1 }, committed, measure)).rejects.toThrow("GET a page");
  await expect(worseRows({ "GET an account": 4 }, committed, measure)).rejects.toThrow("POST an event");
});

describe("figures of kinds of machines", () => {
  const slow = { bareMs: 0.12, figures: { one: 1.8 } };
  const fast = { bareMs: 0.07, figures: { one: 2.3 } };

  it("are compared where the bare server takes most nearly as long", () => {
    expect(nearest([fast, slow], 0.15)).toBe(slow);
    expect(nearest([fast, slow], 0.1)).toBe(slow);
    expect(nearest([fast, slow], 0.09)).toBe(fast);
    expect(nearest([], 0.09)).toBeUndefined();
  });

  it("replace those of the same kind, or stand beside the others", () => {
    const again = { bareMs: 0.08, figures: { one: 2.2 } };
    expect(renewed([fast, slow], again)).toEqual([again, slow]);
    const slower = { bareMs: 0.2, figures: { one: 1.5 } };
    expect(renewed([fast, slow], slower)).toEqual([fast, slow, slower]);
    expect(renewed([], again)).toEqual([again]);
  });
});
