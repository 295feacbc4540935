import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeLock } from "@/server/front-door/lock";

let folder: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "almanac-lock-"));
  path = join(folder, "almanac.lock");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

async function otherProcess(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  children.push(child);
  return child as ChildProcess & { pid: number };
}

/** The lock as another process would have left it. */
async function leave(changes: Record<string, unknown>): Promise<void> {
  (await takeLock(folder)).release();
  const lock = await takeLock(folder);
  const mine = JSON.parse(readFileSync(path, "utf8"));
  lock.release();
  writeFileSync(path, JSON.stringify({ ...mine, ...changes }));
}

it("is taken and given back, and leaves nothing behind", async () => {
  const lock = await takeLock(folder);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

it("says who holds it", async () => {
  const { pid } = await otherProcess();
  await leave({ pid, started: "" });
  await expect(takeLock(folder)).rejects.toThrow(`in use by process ${pid}. Stop that process or set another DATA_DIR`);
  expect(readdirSync(folder)).toEqual(["almanac.lock"]);
});

it("is broken when its process is gone", async () => {
  const child = await otherProcess();
  child.kill("SIGKILL");
  await once(child, "exit");
  await leave({ pid: child.pid });
  (await takeLock(folder)).release();
});

it.runIf(existsSync("/proc/self/stat"))("is broken when its pid belongs to another program now", async () => {
  const { pid } = await otherProcess();
  await leave({ pid, started: "1" });
  (await takeLock(folder)).release();
});

it("is broken when its file says nothing", async () => {
  writeFileSync(path, "");
  (await takeLock(folder)).release();
});

it("from another container is broken only when nobody touches it any more", async () => {
  await leave({ space: "elsewhere", host: "other-host", pid: 1 });
  const old = Date.now() / 1000 - 60;
  utimesSync(path, old, old);
  (await takeLock(folder)).release();

  await leave({ space: "elsewhere", host: "other-host", pid: 1 });
  const beat = setInterval(() => utimesSync(path, Date.now() / 1000, Date.now() / 1000), 100);
  await expect(takeLock(folder)).rejects.toThrow("in use by process 1 on other-host");
  clearInterval(beat);
});

it("is given to one of many that ask at once", async () => {
  await leave({ pid: 2 ** 30 });
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(folder)));
  const taken = asked.filter(({ status }) => status === "fulfilled");
  expect(taken.length).toBeGreaterThanOrEqual(1);
  for (const lock of taken) if (lock.status === "fulfilled") lock.value.release();
});

it("of a process that has ended is broken although its parent has not noticed yet", async () => {
  // bash forks a child that ends soon, and becomes a sleep that never reaps it.
  const parent = spawn("bash", ["-c", "sleep 0.3 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(parent);
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line).trim());
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
  await leave({ pid, started: "" });
  (await takeLock(folder)).release();
});
