import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, type Service, started } from "@/tests/rig/service";

/** A service that is ready. */
export interface Server extends Pick<Service, "child"> {
  origin: string;
  end(): Promise<unknown>;
}

export interface Almanac extends Server {
  /** Milliseconds from the start of the process until it says that it is ready. */
  readyMs: number;
}

/** Almanac as `npm start` runs it, with a data folder that goes with it. */
export async function startAlmanac(env: Record<string, string>): Promise<Almanac> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-bench-"));
  const server = await startOn(dataDir, env);
  const end = async () => {
    await server.end();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...server, end };
}

/** The same on a data folder of the caller. */
export async function startOn(dataDir: string, env: Record<string, string>): Promise<Almanac> {
  const { ENCRYPTION_KEYS } = process.env; // with which the bench seals what it seeds
  const service = await launch({ LOG_LEVEL: "warn", ENCRYPTION_KEYS, ...env, DATA_DIR: dataDir });
  const server = await readyServer(service);
  return { ...server, readyMs: service.readyMs() };
}

/** A server of tests/bench, which prints where it listens. */
export function startBare(file: string, env: Record<string, string>): Promise<Server> {
  return readyServer(started([file], { env: { ...process.env, ...env }, isReady: /listening on (http:\S+)\n/ }));
}

async function readyServer(service: Service): Promise<Server> {
  service.child.stderr?.pipe(process.stderr);
  return { origin: await service.ready(), child: service.child, end: service.end };
}
