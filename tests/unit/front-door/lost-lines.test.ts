import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bundledProgram } from "@/tests/fakes/bundled-program";

/** Each request to /v1/fails is a line in the log. Where it listens is said on its third output. */
const PROGRAM = `
import { writeSync } from "node:fs";
import { frontDoor } from "@/server/front-door/server";
import { logLinesLost } from "@/server/log-lines";
import { live } from "@/server/http/health";
import { provideEnv } from "@/server/env";
provideEnv({ LOG_LEVEL: "info", BASE_URL: "http://localhost" });
const front = frontDoor({ routes: {
  "/health/live": { GET: live },
  "/v1/fails": { GET: () => { throw new Error("x".repeat(1_000)); } },
  "/v1/lost": { GET: () => Response.json(logLinesLost()) },
} });
front.server.listen(0, "127.0.0.1", () => writeSync(3, String(front.server.address().port)));
`;

const folder = mkdtempSync(join(tmpdir(), "almanac-lost-lines-"));
const program = join(folder, "program.mjs");
const children: ChildProcess[] = [];

beforeAll(() => writeFileSync(program, bundledProgram(PROGRAM)));
afterEach(async () => {
  for (const child of children.splice(0)) {
    const exited = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await exited;
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function started(output: number | "pipe") {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", output, output, "pipe"] });
  children.push(child);
  const [port] = await once(child.stdio[3] as NodeJS.ReadableStream, "data");
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  return {
    child,
    lost: async () => (await (await get("/v1/lost")).json()) as number,
    /** Has it log so many errors, and expects that it answers all the same. */
    async fail(times: number) {
      for (let i = 0; i < times; i += 1) expect((await get("/v1/fails")).status).toBe(500);
      expect((await get("/health/live")).status).toBe(200);
      expect(child.exitCode).toBeNull();
    },
  };
}

describe("a line of the log", () => {
  it("for which the disk has no room is dropped and counted, and the process goes on", async () => {
    const full = openSync("/dev/full", "w");
    const { fail, lost } = await started(full);
    closeSync(full);
    await fail(3);
    expect(await lost()).toBe(3);
  });

  it("that goes to a pipe which nobody reads any more is dropped and counted", async () => {
    const { child, fail, lost } = await started("pipe");
    child.stderr?.destroy();
    child.stdout?.destroy();
    await fail(3);
    expect(await lost()).toBe(3);
  });

  it("that goes to a pipe whose reader hangs waits for a while, and for nobody: what is too much is dropped", async () => {
    const { child, fail, lost } = await started("pipe");
    const times = 1_500;
    await fail(times);
    const dropped = await lost();
    expect(dropped).toBeGreaterThan(0);
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    // One line says it, or several where there was room for one in between.
    const told = () => {
      const counts = output.split("\n").slice(0, -1);
      return counts.reduce((sum, line) => sum + (JSON.parse(line).lost ?? 0), 0);
    };
    await vi.waitFor(
      async () => {
        await fail(1);
        expect(told()).toBe(await lost());
      },
      { timeout: 60_000 },
    );
    expect(await lost()).toBeLessThan(times);
  });

  it("that can be written is written", async () => {
    const { child, fail, lost } = await started("pipe");
    await fail(2);
    expect(await lost()).toBe(0);
    const output = text(child.stderr as NodeJS.ReadableStream);
    child.kill("SIGTERM");
    expect(
      (await output)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).msg),
    ).toEqual(["a request failed", "a request failed"]);
  });
});
