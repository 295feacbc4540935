import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { afterEach, expect, it } from "vitest";
import { waitedAt, watchProcessorWait } from "@/tests/scale/processor-wait";

const children: ChildProcess[] = [];
const isLinux = existsSync("/proc/self/schedstat");

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const running = async (script: string): Promise<number> => {
  const child = spawn(process.execPath, ["-e", `${script}`], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child.pid ?? 0;
};

it("a process that shares processors with as busy ones waits for them", async () => {
  const busy = await Promise.all(Array.from({ length: 3 * cpus().length }, () => running("console.log(1); for (;;);")));
  const since = Date.now();
  const watched = watchProcessorWait(busy[0] ?? 0);
  const before = watched.waitedMs();
  if (isLinux) await expect.poll(() => watched.waitedMs() - before).toBeGreaterThan(200);
  const death = watched.kill();
  expect(death.diedAt).toBeGreaterThanOrEqual(since);
  if (isLinux) expect(death.waitedSince(since)).toBeGreaterThan(200);
  expect(death.waitedSince(death.diedAt + 1)).toBe(0);
});

it("between two looks a process is taken to have waited evenly", () => {
  const samples = [
    { at: 100, waitedMs: 5 },
    { at: 120, waitedMs: 15 },
    { at: 130, waitedMs: 15 },
  ];
  expect([100, 105, 120, 125, 131].map((moment) => waitedAt(samples, moment))).toEqual([5, 7.5, 15, 15, 15]);
  expect(waitedAt(samples, 90)).toBe(5);
});
