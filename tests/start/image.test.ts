import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagesIn } from "@/server/front-door/sbom.mjs";
import { startEnvironment } from "@/tests/fakes/start-script";
import { signInFrom } from "@/tests/rig/sign-in";
import { killAll, type Service, start } from "@/tests/start/service";

const root = resolve(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "almanac-image-"));
/** What the image's /app is. */
const folder = join(scratch, "app");
const MB = 1_000_000;
const operator = { email: "ada@example.com", password: "correct-horse-battery" };

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "server/front-door/image.mjs"), folder]);
}, 600_000);

afterAll(() => {
  killAll();
  rmSync(scratch, { recursive: true, force: true });
});

/** Every file with its size. */
function files(): Map<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).size]),
  );
}

describe("the image's content", () => {
  it("is under 250 MB, and has nothing that only a build or a test needs", async () => {
    const bytes = [...files().values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(250 * MB);
    const names = [...(await packagesIn(folder))].map((name) => name.replace(/@[^@]*$/, ""));
    const build = ["typescript", "esbuild", "prisma", "tailwindcss", "vitest", "@playwright/test", "newman", "stripe"];
    expect(names.filter((name) => build.includes(name))).toEqual([]);
    const own = [...files().keys()].filter((path) => !path.includes("/node_modules/"));
    expect(own.filter((path) => /\.(ts|tsx|map)$/.test(path) && !path.includes("/.next/"))).toEqual([]);
  });

  it("has a bill of materials in CycloneDX that lists every package, and no others", async () => {
    const bill = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8"));
    const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { type: "application", name, version } },
    });
    const listed: { name: string; version: string; purl: string; hashes: unknown[] }[] = bill.components;
    const there = await packagesIn(folder);
    expect(there.size).toBeGreaterThan(50);
    expect(listed.map((one) => `${one.name}@${one.version}`).toSorted()).toEqual([...there].toSorted());
    expect(listed.filter(({ purl, hashes }) => !purl.startsWith("pkg:npm/") || hashes.length === 0)).toEqual([]);
    const refs = new Set(listed.map((one) => (one as unknown as { "bom-ref": string })["bom-ref"]));
    const depended = (bill.dependencies as { dependsOn: string[] }[]).flatMap(({ dependsOn }) => dependsOn);
    expect(depended.filter((ref) => !refs.has(ref))).toEqual([]);
  });
});

describe("the service that starts from it", () => {
  let service: Service;
  let before: Map<string, number>;
  const get = (path: string) => fetch(`${service.origin}${path}`, { redirect: "manual" });

  beforeAll(async () => {
    before = files();
    const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = operator;
    service = await start({ DATA_DIR: join(scratch, "data"), ADMIN_EMAIL, ADMIN_PASSWORD }, folder);
  });

  it("builds nothing, and is ready", async () => {
    expect(service.stderr()).toBe("");
    expect(service.stdout()).toMatch(/^Almanac is ready: /);
    expect((await get("/health/ready")).status).toBe(200);
  });

  it("serves the API, pages of the dashboard and of the documentation, and what they load", async () => {
    const demo = readFileSync(join(scratch, "data", "demo.env"), "utf8");
    const client = Object.fromEntries(
      [...demo.matchAll(/^(CLIENT_\w+)=(\S+)$/gm)].map(([, key = "", value]) => [key.toLowerCase(), value]),
    );
    const body = new URLSearchParams({ ...client, application_calendar_id: "image" } as Record<string, string>);
    const opened = await fetch(`${service.origin}/v1/application_calendars`, { method: "POST", body });
    const headers = { authorization: `Bearer ${(await opened.json()).access_token}` };
    const calendars = await fetch(`${service.origin}/v1/calendars`, { headers });
    const [{ calendar_id }] = (await calendars.json()).calendars;
    const times = { start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z", tzid: "Europe/Berlin" };
    const written = await fetch(`${service.origin}/v1/calendars/${calendar_id}/events`, {
      ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
      body: JSON.stringify({ event_id: "one", summary: "One", ...times }),
    });
    expect(written.status).toBe(202);
    const pages = ["/dashboard/sign-in", "/docs", "/docs/install", "/docs/changelog", "/docs/webhooks"];
    for (const path of [...pages, "/openapi.json", "/fonts/inter-latin.woff2", "/llms-full.txt"])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    const { status, cookies } = await signInFrom(
      "127.0.0.1",
      service.origin.replace("localhost", "127.0.0.1"),
      operator,
    );
    expect(status).toBe(303);
    const cookie = cookies.map((one) => one.split(";", 1)[0]).join("; ");
    const page = await fetch(`${service.origin}/dashboard/applications`, { headers: { cookie } });
    expect(page.status).toBe(200);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map(
      ([, path]) => path ?? "",
    );
    expect(assets.length).toBeGreaterThan(0);
    for (const path of assets) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it("lets an operator run each command beside it", async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const files = Object.values<string>(scripts).flatMap(
      (script) => /server\/front-door\/[\w-]+\.mjs$/.exec(script) ?? [],
    );
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual(["server/front-door/build.mjs"]);
    const env = { ...startEnvironment("3000"), DATA_DIR: join(scratch, "data") };
    const run = (name: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(folder, "server/front-door", `${name}.mjs`), ...args], {
        env,
        encoding: "utf8",
      });
    expect(run("maintenance", "status")).toMatchObject({ status: 0, stdout: "No maintenance.\n" });
    expect(run("doctor")).toMatchObject({ status: 0 });
    expect(run("restore-check")).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("DATABASE_URL is not set"),
    });
  });

  it("ends in order, and has written nothing beside its data", async () => {
    expect(await service.stop()).toBe(0);
    expect(files()).toEqual(before);
  });
});
