import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startScript } from "@/tests/fakes/start-script";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const launch = readFileSync("server/front-door/launch.mjs", "utf8");

// V8 passes over a flag that it does not know, or prints a line.
it("Node and V8 know the flags that npm start and its launcher set", () => {
  const flags = [...scripts.start.matchAll(/--\S+/g), ...launch.matchAll(/--heap\S+?(?=")/g)].map(([flag]) => flag);
  expect(flags).toHaveLength(2);
  const { status, stderr } = spawnSync(process.execPath, [...flags, "-e", ""], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

const tunables = (env: Record<string, string>) =>
  spawnSync("ld.so", ["--list-tunables"], { encoding: "utf8", env: { ...process.env, ...env } });

// glibc passes over a name that it does not know, and nobody would see that memory is kept.
it.runIf(tunables({}).status === 0)("glibc takes the limits that npm start sets", () => {
  const { variables } = startScript();
  const { stdout } = tunables(variables);
  const taken = Object.keys(variables).map((name) => {
    const tunable = `glibc.malloc.${name.slice("MALLOC_".length, -1).toLowerCase()}`;
    return [name, String(Number(new RegExp(`^${tunable}: (\\w+)`, "m").exec(stdout)?.[1]))];
  });
  expect(taken).toHaveLength(2);
  expect(Object.fromEntries(taken)).toEqual(variables);
});
