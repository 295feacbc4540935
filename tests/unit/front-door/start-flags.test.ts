import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const launch = readFileSync("server/front-door/launch.mjs", "utf8");

// V8 passes over a flag that it does not know, or prints a line.
it("Node and V8 know the flags that npm start and its launcher set", () => {
  const flags = [...scripts.start.matchAll(/--\S+/g), ...launch.matchAll(/--heap\S+?(?=")/g)].map(([flag]) => flag);
  expect(flags).toHaveLength(2);
  const { status, stderr } = spawnSync(process.execPath, [...flags, "-e", ""], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
