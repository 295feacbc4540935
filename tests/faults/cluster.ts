import { execFile } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/tests/fakes/free-port";

const run = promisify(execFile);
const VERSIONS = "/usr/lib/postgresql";
const OWNER = "postgres";

/** A PostgreSQL server of one's own, that can be ended the hard way. */
export interface Cluster {
  address: string;
  /** Ends it as a crash would, and starts it again. Resolves when it takes connections. */
  restart(): Promise<void>;
  /** Ends it as a crash would, and leaves it so. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Makes and starts a cluster with Debian's programs; PostgreSQL refuses to run as root, so that then its own user does. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-cluster-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await give(folder);
  const port = await freePort();
  const program = (name: string, args: string[]) => {
    const command = [join(binaries(), name), ...args];
    const [file = "", ...rest] = isRoot ? ["runuser", "-u", OWNER, "--", ...command] : command;
    return run(file, rest, { cwd: folder });
  };
  const data = join(folder, "data");
  const control = (action: string[]) =>
    program("pg_ctl", [...action, "-w", "-s", "-D", data, "-l", join(folder, "log")]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  await program("initdb", ["-D", data, "-A", "trust", "-U", "almanac", "-E", "UTF8", "--no-locale"]);
  await control(["start", "-o", options]);
  // For a run that is broken off: nobody else would end it.
  const end = () => process.kill(Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10), "SIGQUIT");
  process.once("exit", end);
  return {
    address: `postgresql://almanac@127.0.0.1:${port}/postgres`,
    restart: async () => void (await control(["restart", "-m", "immediate", "-o", options])),
    stop: async () => void (await control(["stop", "-m", "immediate"])),
    start: async () => void (await control(["start", "-o", options])),
    close: async () => {
      process.off("exit", end);
      await control(["stop", "-m", "immediate"]).catch(() => undefined); // it may be stopped
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function give(folder: string): Promise<void> {
  const { stdout } = await run("id", ["-u", OWNER]);
  chownSync(folder, Number(stdout), 0);
  chmodSync(folder, 0o700);
}

function binaries(): string {
  const [newest] = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : []).sort((a, b) => Number(b) - Number(a));
  if (!newest) throw new Error("PostgreSQL's programs are not installed (Debian: postgresql)");
  return join(VERSIONS, newest, "bin");
}
