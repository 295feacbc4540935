import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  origin: string;
  child: ChildProcess;
}

/** Almanac as `npm start` runs it, on a database of its own. */
export async function startAlmanac(env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, ["server/front-door/launch.mjs"], {
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: mkdtempSync(join(tmpdir(), "almanac-bench-")),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${origin}/health`)).ok, child);
  return { origin, child };
}

/** The bare server of bare.ts. */
export async function startBare(env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare.mjs")], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      const found = /listening on (\d+)/.exec(String(chunk))?.[1];
      if (found) resolve(found);
    });
  });
  return { origin: `http://127.0.0.1:${port}`, child };
}

/** Resident megabytes of a process. */
export function residentMegabytes({ child }: Server): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function until(isTrue: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
