import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killAll, type Service, start } from "./service";

const folder = mkdtempSync(join(tmpdir(), "almanac-readme-"));
const [, section = ""] = /## Make your first API call\n([\s\S]*?)\n## /.exec(readFileSync("README.md", "utf8")) ?? [];
const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
const [, output = ""] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
let service: Service;

beforeAll(async () => {
  service = await start({ DATA_DIR: join(folder, ".data") });
});

afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the README's lines in a folder whose .data is the service's. */
function run(script: string) {
  const here = script.replaceAll("http://localhost:3000", service.origin);
  return spawnSync("bash", ["-c", here], { cwd: folder, encoding: "utf8" });
}

/** Without what differs from one day and one installation to another. */
function lasting(text: string): string {
  return text
    .trim()
    .replaceAll(/\b(cal|evt)_[\w…]+/g, "$1_…")
    .replaceAll(/\d{4}-\d\d-\d\d(?=T)/g, "today");
}

describe("the README's first call", () => {
  it.each(["", " again"])("prints what the README shows%s", () => {
    const ran = run(commands);
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(lasting(ran.stdout)).toEqual(lasting(output));
  });

  it("stops at a wrong secret, and says why", () => {
    const ran = run(`set -e -o pipefail\n${commands.replace(/^(\. \.data.*)$/m, "$1\nCLIENT_SECRET=wrong")}`);
    expect(ran.status).not.toBe(0);
    expect(ran.stderr).toContain("401");
  });
});
