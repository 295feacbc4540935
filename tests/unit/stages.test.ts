import { expect, it } from "vitest";
import { needed } from "@/tests/needs.mjs";
import { leftOut, stages, unknownSteps } from "@/tests/stages.mjs";
import config from "@/tests/vitest.config";

const all = ["all"];

it("each suite is a step, and runs once", () => {
  const projects = (config.test?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
  expect(stages(all).flat(2).toSorted()).toEqual([...projects, "types", "lint", "e2e", "bench"].toSorted());
  expect(stages([...all, "check", "sync"])).toEqual(stages(all));
});

it("the build is there before what starts it, and the types come first", () => {
  const stageOf = (name: string) => stages(all).findIndex((lanes) => lanes.flat().includes(name));
  expect(stageOf("types")).toBe(0);
  for (const name of ["start", "e2e", "bench"]) expect(stageOf(name)).toBeGreaterThan(stageOf("build"));
});

it("at least two lanes keep the two cores of a newcomer's machine busy, from the first stage to the last", () => {
  const alone = stages(all).filter((lanes) => lanes.length < 2);
  expect(alone).toEqual([[["bench"]]]);
});

it("nothing runs beside the bench", () => {
  expect(stages(all)).toContainEqual([["bench"]]);
});

it("a step runs beside others only where they are asked for, and the steps of one lane follow one another", () => {
  expect(stages(["sync"])).toEqual([[["sync"]]]);
  expect(stages(["server", "redis"])).toEqual([[["server", "redis"]]]);
  expect(stages(["contract", "fakes"])).toEqual([[["contract"], ["fakes"]]]);
  expect(stages(["embedded", "redis", "server"])).toEqual([[["embedded"], ["server", "redis"]]]);
  expect(stages(["e2e", "start"])).toEqual([[["start"], ["e2e"]]]);
});

it("a name that no step has is found", () => {
  expect(unknownSteps(["check", "units", "sync"])).toEqual(["units"]);
});

it("npm test and what it leaves out are everything, each step once", () => {
  expect(leftOut(["test"]).toSorted()).toEqual(stages(["rest"]).flat(2).toSorted());
  expect([...stages(["test"]).flat(2), ...stages(["rest"]).flat(2)].toSorted()).toEqual(stages(all).flat(2).toSorted());
});

it("npm test needs Node alone: it has no step that lacks anything where nothing else is", () => {
  for (const step of stages(["test"]).flat(2)) expect([step, needed(step)]).toEqual([step, 0]);
  expect(needed("e2e")).toBeGreaterThan(0);
});
