import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8"));
const packages: Record<string, Locked> = lock.packages;

describe("the lockfile", () => {
  it("names every optional package of every platform, so that npm ci accepts it everywhere", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it("has a checksum of every package that can be had here; without one are packages of other platforms alone", () => {
    const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== "" && !integrity);
    const ours = unchecked.filter(
      ([, { optional, os, cpu }]) => !optional || (isAmong(os, "linux") && isAmong(cpu, "x64")),
    );
    expect(ours.map(([path]) => path).filter((path) => !path.includes("musl"))).toEqual([]);
  });

  it("names no registry", () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});

function isAmong(names: readonly string[] | undefined, name: string): boolean {
  return names === undefined || names.includes(name);
}
