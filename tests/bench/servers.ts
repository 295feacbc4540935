import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/tests/fakes/free-port";
import { startScript } from "@/tests/fakes/start-script";

export interface Server {
  origin: string;
  child: ChildProcess;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
}

export interface Almanac extends Server {
  /** Milliseconds from the start of the process until it says that it is ready. */
  readyMs: number;
}

/** Almanac as `npm start` runs it, with a data folder that goes with it. */
export async function startAlmanac(env: Record<string, string>): Promise<Almanac> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-bench-"));
  const server = await startOn(dataDir, env);
  const stop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/** The same on a data folder of the caller. */
export async function startOn(dataDir: string, env: Record<string, string>): Promise<Almanac> {
  const began = performance.now();
  const script = startScript();
  const child = spawn(process.execPath, script.parameters, {
    env: {
      ...process.env,
      ...script.variables,
      PORT: String(await freePort()),
      HOST: "127.0.0.1",
      LOG_LEVEL: "warn",
      ...env,
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await printed(child, /Almanac is ready: (\S+)/);
  return { origin, child, readyMs: performance.now() - began, stop: () => ended(child) };
}

/** A server of tests/bench, which prints where it listens. */
export async function startBare(file: string, env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await printed(child, /listening on (\d+)/);
  return { origin: `http://127.0.0.1:${port}`, child, stop: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

/** The first group of what the process prints once it is ready. */
function printed(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const found = ready.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
