import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readBuildInfo, writeBuildInfo } from "@/server/front-door/build-info.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "almanac-build-info-"));
  mkdirSync(join(root, ".next"));
  writeFileSync(join(root, "package.json"), '{ "version": "1.2.3" }');
  vi.stubEnv("ALMANAC_COMMIT", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

it("a build keeps its version and the commit that it is given, whatever the process that runs it is given", async () => {
  vi.stubEnv("ALMANAC_COMMIT", "abc");
  await writeBuildInfo(root);
  vi.stubEnv("ALMANAC_COMMIT", "another");
  expect(await readBuildInfo(root)).toEqual({ version: "1.2.3", commit: "abc" });
});

it("sources in a repository of their own have its commit", async () => {
  const { commit } = await readBuildInfo(process.cwd());
  expect(commit).toMatch(/^(?:[0-9a-f]{40}|unknown)$/);
});

it("sources without a repository have none, also within somebody else's", async () => {
  await writeBuildInfo(root);
  expect(await readBuildInfo(root)).toEqual({ version: "1.2.3", commit: "unknown" });
});
