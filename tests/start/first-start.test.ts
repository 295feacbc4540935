import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killAll, start } from "@/tests/start/service";

const root = resolve(import.meta.dirname, "../..");
// Beside the checkout: on the same disk node_modules can be linked file by file.
const folder = mkdtempSync(join(dirname(root), ".almanac-first-start-"));

afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

it("builds on the first start of a fresh checkout, and serves at once by the fast lane", async () => {
  execFileSync(
    "bash",
    ["-c", `git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "${folder}"`],
    { cwd: root },
  );
  execFileSync("cp", ["-al", join(root, "node_modules"), folder]);
  execFileSync(process.execPath, ["prisma/cli.mjs", "generate"], { cwd: folder, stdio: "ignore" });
  const service = await start({ DATA_DIR: join(folder, ".data") }, folder);
  const answer = await fetch(`${service.origin}/v1/account`);
  expect(answer.status).toBe(401);
  expect(service.stderr()).toBe("");
  expect(await service.stop()).toBe(0);
}, 600_000);
