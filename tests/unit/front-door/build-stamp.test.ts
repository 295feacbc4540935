import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sourceDigest } from "@/server/front-door/build-stamp.mjs";

it("a build is stamped with its sources, whatever is written about them", async () => {
  const root = mkdtempSync(join(tmpdir(), "almanac-stamp-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  write("server/clock.ts", "1");
  write("server/decisions/PLAN.md", "1");
  const first = await sourceDigest(root);
  write("server/decisions/PLAN.md", "2");
  write("tests/unit/clock.test.ts", "1");
  expect(await sourceDigest(root)).toBe(first);
  write("server/clock.ts", "2");
  const second = await sourceDigest(root);
  expect(second).not.toBe(first);
  write("prisma/schema.prisma", "1");
  expect(await sourceDigest(root)).not.toBe(second);
});
