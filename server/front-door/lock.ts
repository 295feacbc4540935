import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "@/server/clock";
import { codeOf, StartError } from "@/server/front-door/start-error";

const HEARTBEAT_MS = 3_000;
const SILENCE_MS = 12_000;
const TRIES = 5;

export interface Lock {
  release(): void;
}

interface Holder {
  pid: number;
  /** Where the pid means something: two containers may share the folder but not their process numbers. */
  space: string;
  /** Tells the process from a later one with the same pid; empty where the system does not say. */
  started: string;
  host: string;
  id: string;
}

/**
 * Takes the lock that lets one process at a time use an embedded database: two lose data silently. Breaks a lock whose
 * process is gone.
 */
export async function takeLock(folder: string): Promise<Lock> {
  const path = join(folder, "almanac.lock");
  const mine = thisProcess();
  const draft = join(folder, `almanac.lock.${mine.id}`);
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      if (await isLinked(draft, path)) return held(path, mine);
      await breakWhenStale(path, mine);
    }
    throw new StartError(
      `Several processes are starting with the same DATA_DIR at once (lock: ${path}). Start only one.`,
    );
  } finally {
    await rm(draft, { force: true });
  }
}

function thisProcess(): Holder {
  return { pid: process.pid, space: processSpace(), started: startOf(process.pid), host: hostname(), id: randomUUID() };
}

function processSpace(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Reads when a process started: field 22 of /proc/<pid>/stat, whose second field may hold spaces and brackets. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8");
    return fields.slice(fields.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/**
 * Links the draft to the lock's path and reports whether that succeeded; false means that the lock exists. Unlike a
 * file that is written in place, a link appears with its content.
 */
async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new StartError(`Cannot write the lock ${path} (${codeOf(error)}).`);
  }
}

async function breakWhenStale(path: string, mine: Holder): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const holder = holderIn(text);
  if (holder && (await isAlive(holder, path, mine))) {
    const where = holder.space === mine.space ? "" : ` on ${holder.host}`;
    throw new StartError(
      `The embedded database in DATA_DIR is in use by process ${holder.pid}${where}. Stop that process or set another DATA_DIR (lock: ${path}).`,
    );
  }
  const aside = `${path}.${mine.id}.stale`;
  await rename(path, aside).catch(() => undefined);
  const moved = await readFile(aside, "utf8").catch(() => undefined);
  // Another process broke the same lock first and this is its new one: back with it.
  if (moved !== undefined && moved !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function holderIn(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive(holder: Holder, path: string, mine: Holder): Promise<boolean> {
  if (holder.space !== mine.space) return await isBeating(path);
  if (holder.pid === mine.pid) return false; // this process holds no lock yet
  if (!isRunning(holder.pid)) return false;
  const started = startOf(holder.pid);
  return started === "" || holder.started === "" || started === holder.started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isDead(pid);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Reports whether a process is a zombie: it has ended, and only its parent has not yet taken notice. */
function isDead(pid: number): boolean {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0];
    return state === "Z" || state === "X";
  } catch {
    return false; // no /proc here
  }
}

/**
 * Reports whether the holder of a lock still touches it, as every living holder does. From another container its pid
 * says nothing.
 */
async function isBeating(path: string): Promise<boolean> {
  const first = await touchedAt(path);
  const until = clock().monotonic() + SILENCE_MS;
  while (first !== undefined && clock().now() - first < SILENCE_MS && clock().monotonic() < until) {
    await sleep(HEARTBEAT_MS / 6);
    const now = await touchedAt(path);
    if (now !== first) return now !== undefined;
  }
  return false;
}

async function touchedAt(path: string): Promise<number | undefined> {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

function held(path: string, { id }: Holder): Lock {
  const touch = () => utimes(path, clock().now() / 1000, clock().now() / 1000).catch(() => undefined);
  const heart = setInterval(touch, HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(heart);
      try {
        if (holderIn(readFileSync(path, "utf8"))?.id === id) rmSync(path);
      } catch {
        // already gone
      }
    },
  };
}
