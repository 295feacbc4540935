import { expect, it } from "vitest";
import { type Figures, worseRows } from "@/tests/bench/cost/verdict";

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
