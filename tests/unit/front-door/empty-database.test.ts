import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copyEmptyDatabase } from "@/server/front-door/empty-database";

let root: string;
let dataDir: string;
const read = (...path: string[]) => readFileSync(join(dataDir, ...path), "utf8");

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "almanac-checkout-"));
  dataDir = join(root, "data");
  mkdirSync(dataDir);
  mkdirSync(join(root, ".next", "empty-database", "base"), { recursive: true });
  writeFileSync(join(root, ".next", "empty-database", "PG_VERSION"), "17");
  writeFileSync(join(root, ".next", "empty-database", "base", "1"), "page");
});

afterEach(() => rmSync(root, { recursive: true }));

it("a new data folder gets the database of the build, which only this user can open", async () => {
  await copyEmptyDatabase(root, dataDir);
  expect(read("postgres", "PG_VERSION")).toBe("17");
  expect(read("postgres", "base", "1")).toBe("page");
  expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
});

it("a copy that was interrupted begins again", async () => {
  mkdirSync(join(dataDir, "postgres.new"));
  writeFileSync(join(dataDir, "postgres.new", "half"), "");
  await copyEmptyDatabase(root, dataDir);
  expect(read("postgres", "base", "1")).toBe("page");
  expect(existsSync(join(dataDir, "postgres", "half"))).toBe(false);
  expect(existsSync(join(dataDir, "postgres.new"))).toBe(false);
});

it("a database that is there stays as it is", async () => {
  mkdirSync(join(dataDir, "postgres"));
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "16");
  await copyEmptyDatabase(root, dataDir);
  expect(read("postgres", "PG_VERSION")).toBe("16");
  expect(existsSync(join(dataDir, "postgres", "base"))).toBe(false);
});

it("without a database of the build, the folder stays empty, and one is created", async () => {
  rmSync(join(root, ".next"), { recursive: true });
  await copyEmptyDatabase(root, dataDir);
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
});
