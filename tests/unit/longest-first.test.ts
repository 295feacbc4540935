import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { LongestFirst, long, longestFirst } from "../longest-first";
import config from "../vitest.config";

const file = (path: string) => ({ moduleId: `/home/ada/almanac/${path}` });

it("long files begin first, and the others follow in their order", () => {
  const [kills = "", tracing = ""] = long;
  const others = ["tests/start/metrics.test.ts", "tests/start/backup.test.ts"];
  const sorted = longestFirst([...others, tracing, kills].map(file));
  expect(sorted).toEqual([kills, tracing, ...others].map(file));
  expect(config.test?.sequence?.sequencer).toBe(LongestFirst);
});

it("each of them exists", () => {
  expect(long.filter((path) => !existsSync(path))).toEqual([]);
});
