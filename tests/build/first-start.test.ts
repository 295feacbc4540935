import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killAll, start } from "@/tests/start/service";

const root = resolve(import.meta.dirname, "../..");
const data = mkdtempSync(join(tmpdir(), "almanac-first-start-"));

afterAll(() => {
  killAll();
  rmSync(data, { recursive: true, force: true });
});

// What it builds is what the start suite and the end-to-end tests run.
it("builds on the first start of a checkout, and serves at once without Next, on the database of the build", async () => {
  rmSync(join(root, ".next"), { recursive: true, force: true });
  const service = await start({ DATA_DIR: data });
  const answer = await fetch(`${service.origin}/v1/account`);
  expect(answer.status).toBe(401);
  expect(service.stderr()).toBe("");
  expect(service.stdout()).toMatch(
    /^Building Almanac\. .*…\n( {2}\d+ s\n)+Built in \d+ s\. Starting…\nAlmanac is ready: /,
  );
  expect(await service.stop()).toBe(0);
  expect(identifier(join(data, "postgres"))).toEqual(identifier(join(root, ".next", "empty-database")));
}, 600_000);

/** The number that initdb gives to a database, and a copy keeps: the first of its control file. */
function identifier(folder: string): Buffer {
  return readFileSync(join(folder, "global", "pg_control")).subarray(0, 8);
}
