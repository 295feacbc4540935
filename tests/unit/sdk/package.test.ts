import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "@/sdk/src/version";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("sdk/package.json"));
const sources = readdirSync(join(root, "sdk/src"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);

describe("the package of the TypeScript client", () => {
  it("has no dependency, and asks for no more than Node 20", () => {
    for (const name of ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies", "workspaces"]) {
      expect(manifest).not.toHaveProperty(name);
    }
    expect(manifest).toMatchObject({ type: "module", sideEffects: false, engines: { node: ">=20" } });
    expect(manifest.scripts).not.toHaveProperty("postinstall");
  });

  it("says the version and the license of the service", () => {
    const service = JSON.parse(read("package.json"));
    expect([version, manifest.version]).toEqual([service.version, service.version]);
    expect(read("sdk/LICENSE")).toBe(read("LICENSE"));
    expect(manifest.license).toBe(service.license);
    expect(read("sdk/README.md")).toContain(`almanac-calendar-${service.version}.tgz`);
  });

  it("imports its own files alone, and nothing that only Node has", () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const name of sources) {
      const source = read(`sdk/src/${name}`);
      const imported = [...source.matchAll(/(?:\bfrom|(?<!\/)\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, path]) => path);
      expect(imported.filter((path) => !/^\.\.?\/[\w/-]+\.js$/.test(path ?? ""))).toEqual([]);
      expect(source).not.toMatch(/\bprocess\.|\bBuffer\b|\brequire\(|\b__dirname\b/);
    }
  });
});

describe("the package of the Python client", () => {
  it("says the same version as Python writes it, and one license", () => {
    const pythonic = version.replace(/-rc\./, "rc");
    expect(/^version = "(.*)"$/m.exec(read("sdk/python/pyproject.toml"))?.[1]).toBe(pythonic);
    expect(/"(.*)"/.exec(read("sdk/python/src/almanac_calendar/version.py"))?.[1]).toBe(pythonic);
    expect(read("sdk/python/LICENSE")).toBe(read("LICENSE"));
  });

  it("has types and no dependency", () => {
    expect(readdirSync(join(root, "sdk/python/src/almanac_calendar"))).toContain("py.typed");
    expect(read("sdk/python/pyproject.toml")).toMatch(/^dependencies = \[\]$/m);
  });
});
