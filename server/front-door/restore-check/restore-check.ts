import { stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { EnvFaults, type EnvSource, readEnv } from "@/server/env";
import { exitCodeOf, type Finding, fail, ok, reportJson, reportText, warn } from "@/server/front-door/doctor/report";
import { makeDump, restoreDump, ToolFault } from "@/server/front-door/restore-check/dump";
import { examineRestored } from "@/server/front-door/restore-check/examine";
import { scratchDatabase } from "@/server/front-door/restore-check/scratch";

export interface RestoreCheckOptions {
  /** Of the checkout or the image. */
  root: string;
  source: EnvSource;
  args: readonly string[];
  /** Ends it early: what it made is deleted all the same. */
  stopped?: AbortSignal;
}

const HOUR_MS = 3_600_000;
/** A nightly dump that is older was not made last night. */
const OLD_MS = 36 * HOUR_MS;
const MIB = 1024 ** 2;

/**
 * Restores a dump into a new database, examines it, and drops it again (`npm run restore-check`). Prints a line for each
 * check and returns the exit code: 0, or 2 if the backup can't be relied on. Nothing is written to the database in use.
 */
export async function restoreCheck({ root, source, args }: RestoreCheckOptions): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => stop.abort(new ToolFault("restore check", `It was stopped by ${signal}.`)));
  const findings = await checked({ root, source, args, stopped: stop.signal });
  process.stdout.write(args.includes("--json") ? reportJson(findings) : reportText(findings));
  return exitCodeOf(findings, { isStrict: args.includes("--strict") });
}

/** Does all of it, and returns what was found. */
export async function checked({
  root,
  source,
  args,
  stopped = new AbortController().signal,
}: RestoreCheckOptions): Promise<Finding[]> {
  const options = optionsOf(args);
  if ("status" in options) return [options];
  try {
    context.env = readEnv(source);
  } catch (error) {
    if (!(error instanceof EnvFaults)) throw error;
    return error.faults.map((fault) => fail("configuration", fault));
  }
  const { DATABASE_URL, ENCRYPTION_KEYS } = context.env;
  const server = options.server ?? DATABASE_URL;
  if (server === undefined)
    return [
      fail("configuration", "DATABASE_URL is not set. An embedded database is backed up as the files of DATA_DIR."),
    ];
  if (ENCRYPTION_KEYS.length === 0)
    return [fail("configuration", "ENCRYPTION_KEYS is not set. Without the keys a backup is of no use.")];
  const found: Finding[] = [];
  try {
    const dump = options.dump ?? (await makeDump(DATABASE_URL ?? server, stopped));
    found.push(await ageOf(dump));
    await restored({ dump, server, migrations: join(root, "prisma", "migrations"), found, stopped });
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    found.push(fail(error.check, error.message));
  }
  return found;
}

function optionsOf(args: readonly string[]): { dump?: string; server?: string } | Finding {
  const flags = { json: { type: "boolean" }, strict: { type: "boolean" } } as const;
  try {
    const options = { dump: { type: "string" }, server: { type: "string" }, ...flags } as const;
    const { dump, server } = parseArgs({ args: [...args], options }).values;
    return { dump, server };
  } catch (error) {
    const { message } = error as Error;
    return fail("arguments", `${message.split(". ")[0]}. Known: --dump <file>, --server <URL>, --json, --strict.`);
  }
}

async function ageOf(dump: string): Promise<Finding> {
  const { size, mtimeMs } = await stat(dump).catch(() => {
    throw new ToolFault("dump", `${dump} can't be read.`);
  });
  const hours = Math.round((clock().now() - mtimeMs) / HOUR_MS);
  const text = `${(size / MIB).toFixed(1)} MiB, ${hours < 1 ? "less than an hour" : `${hours} h`} old`;
  if (clock().now() - mtimeMs > OLD_MS) return warn("dump", `${text}: the latest backup was not made.`);
  return ok("dump", text);
}

interface Restoring {
  dump: string;
  server: string;
  migrations: string;
  found: Finding[];
  stopped: AbortSignal;
}

async function restored({ dump, server, migrations, found, stopped }: Restoring): Promise<void> {
  const scratch = await scratchDatabase(server);
  try {
    const began = clock().monotonic();
    await restoreDump(dump, scratch.url, stopped);
    const seconds = (clock().monotonic() - began) / 1_000;
    found.push(ok("restore", `Restored into a new database in ${seconds.toFixed(1)} s`));
    found.push(...(await unlessStopped(stopped, () => examineRestored(scratch.url, migrations))));
  } finally {
    found.push(await scratch.drop());
  }
}

/** Waits for work that can't be ended. Throws why it was stopped. */
async function unlessStopped<T>(stopped: AbortSignal, work: () => Promise<T>): Promise<T> {
  stopped.throwIfAborted();
  const end = new Promise<never>((_, reject) => {
    stopped.addEventListener("abort", () => reject(stopped.reason), { once: true });
  });
  return await Promise.race([work(), end]);
}
