import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "@/server/front-door/doctor/report";
import { startEnvironment } from "@/tests/fakes/start-script";
import { killAll, type Service, start } from "./service";

const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-doctor-"));
let service: Service;

beforeAll(async () => {
  service = await start({ DATA_DIR });
});

afterAll(() => {
  killAll();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

/** Runs it as an operator does, of the build that the service runs. */
function doctor(...parameters: string[]): Promise<{ code: number | string | null; stdout: string }> {
  const env = { ...startEnvironment("3000"), DATA_DIR };
  return new Promise((resolve) => {
    execFile(process.execPath, ["server/front-door/doctor.mjs", ...parameters], { env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
}

async function checks(): Promise<Record<string, Finding>> {
  const { code, stdout } = await doctor("--json");
  expect(code).toBe(0);
  const findings: Finding[] = JSON.parse(stdout).checks;
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

const sound = {
  database: { status: "ok", text: expect.stringContaining(DATA_DIR) },
  migrations: { status: "ok" },
  "encryption keys": { status: "ok", text: "Those in DATA_DIR open what is stored." },
  "scheduled jobs": { status: "ok" },
};

describe("npm run doctor", () => {
  it("examines the embedded database through the process that runs, which goes on", async () => {
    expect(await checks()).toMatchObject(sound);
    expect((await fetch(`${service.origin}/health`)).status).toBe(200);
    expect(service.child.exitCode).toBeNull();
  });

  it("prints no key of DATA_DIR", async () => {
    const { ENCRYPTION_KEYS } = JSON.parse(readFileSync(join(DATA_DIR, "secrets.json"), "utf8"));
    expect((await doctor()).stdout).not.toContain(ENCRYPTION_KEYS.split(":")[1]);
  });

  it("opens it by itself when no process runs, and leaves it free", async () => {
    expect(await service.stop()).toBe(0);
    expect(await checks()).toMatchObject(sound);
    service = await start({ DATA_DIR });
    expect(await service.stop()).toBe(0);
  });

  it("needs no package but those that production has", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const folder = ".next/front-door";
    const imported = new Set<string>();
    const follow = (file: string, seen = new Set<string>()) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, name = ""] of readFileSync(join(folder, file), "utf8").matchAll(
        /(?:\bfrom|\bimport) ?\(?"([@\w./:-]+)"/g,
      )) {
        if (name.startsWith("./")) follow(name.slice(2), seen);
        else imported.add(name);
      }
    };
    expect(readdirSync(folder)).toContain("doctor.mjs");
    follow("doctor.mjs");
    const packages = [...imported].map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
    const known = [...Object.keys(dependencies), ...builtinModules];
    expect(imported.size).toBeGreaterThan(3);
    expect(packages.filter((name) => !name.startsWith("node:") && !known.includes(name))).toEqual([]);
  });
});
