import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { afterEach, expect, it } from "vitest";
import { spentAt, watchProcessorWait } from "@/tests/scale/processor-wait";

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

it("a process that shares processors with as busy ones runs, and waits for them", async () => {
  const busy = await Promise.all(Array.from({ length: 3 * cpus().length }, () => running("console.log(1); for (;;);")));
  const since = Date.now();
  const watched = watchProcessorWait(busy[0] ?? 0);
  const before = watched.spent();
  if (isLinux) {
    await expect.poll(() => watched.spent().waitedMs - before.waitedMs).toBeGreaterThan(200);
    await expect.poll(() => watched.spent().ranMs - before.ranMs).toBeGreaterThan(40);
  }
  const death = watched.kill();
  expect(death.diedAt).toBeGreaterThanOrEqual(since);
  if (isLinux) expect(death.spentSince(since).waitedMs).toBeGreaterThan(200);
  if (isLinux) expect(death.spentSince(since).ranMs).toBeGreaterThan(20);
  expect(death.spentSince(death.diedAt + 1)).toEqual({ ranMs: 0, waitedMs: 0 });
});

it("between two looks a process is taken to have run and waited evenly", () => {
  const samples = [
    { at: 100, ranMs: 1, waitedMs: 5 },
    { at: 120, ranMs: 3, waitedMs: 15 },
    { at: 130, ranMs: 3, waitedMs: 15 },
  ];
  const at = [90, 100, 105, 120, 125].map((moment) => spentAt(samples, moment));
  expect(at.map(({ waitedMs }) => waitedMs)).toEqual([5, 5, 7.5, 15, 15]);
  expect(at.map(({ ranMs }) => ranMs)).toEqual([1, 1, 1.5, 3, 3]);
});
