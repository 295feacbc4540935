import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
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

  it("has a checksum of every package, whichever platform it is for", () => {
    const unchecked = Object.entries(packages).filter(
      ([path, { integrity = "" }]) => path !== "" && !isSound(integrity),
    );
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it("leaves out what Inngest would instrument other libraries with, which nothing here loads", () => {
    const instrumentations = Object.keys(packages).filter((path) => /instrumentation-/.test(path));
    expect(instrumentations).toEqual(["node_modules/inngest/node_modules/@traceloop/instrumentation-anthropic"]);
    const stub = lock.packages["node_modules/inngest/node_modules/@opentelemetry/auto-instrumentations-node"];
    expect(stub.name).toBe("@opentelemetry/api");
  });

  it("names no registry", () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});

/** Of SHA-512, in full. */
function isSound(integrity: string): boolean {
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}
