import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { percentDecoded } from "@/server/domain/text";

const run = promisify(execFile);
const MOST_OUTPUT = 1024 * 1024;

/** What went wrong outside of this process, in a sentence. */
export class ToolFault extends Error {
  constructor(
    readonly check: string,
    message: string,
  ) {
    super(message);
  }
}

/** Dumps a database to a file that is deleted when this process ends. Throws ToolFault, also when it is stopped. */
export async function makeDump(url: string, stopped: AbortSignal): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-restore-check-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "almanac.dump");
  await tool("dump", { program: "pg_dump", args: ["--format=custom", `--file=${file}`], url, stopped });
  return file;
}

/** Restores a dump into an empty database. Throws ToolFault, also when it is stopped. */
export async function restoreDump(file: string, url: string, stopped: AbortSignal): Promise<void> {
  const args = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", file];
  await tool("restore", { program: "pg_restore", args, url, stopped });
}

interface Tool {
  program: string;
  args: readonly string[];
  url: string;
  stopped: AbortSignal;
}

/** Runs a program of PostgreSQL on a database. Its password is in the environment, where other users of the machine don't see it. */
async function tool(check: string, { program, args, url, stopped }: Tool): Promise<void> {
  const address = new URL(url);
  const password = percentDecoded(address.password) ?? address.password;
  address.password = "";
  const env = { ...process.env, ...(password !== "" && { PGPASSWORD: password }) };
  try {
    await run(program, [`--dbname=${address.href}`, ...args], { env, maxBuffer: MOST_OUTPUT, signal: stopped });
  } catch (error) {
    stopped.throwIfAborted();
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT")
      throw new ToolFault(
        check,
        `${program} is not installed. Install PostgreSQL's client programs (Debian: postgresql-client).`,
      );
    throw new ToolFault(check, `${program}: ${firstLine(stderr)}`);
  }
}

/** Returns what a program said first: later lines may quote rows. */
function firstLine(stderr: string): string {
  const [line = ""] = stderr.split("\n").filter((one) => one !== "");
  return line.replace(/^pg_\w+: /, "").slice(0, 300);
}
