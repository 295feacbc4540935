import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { SERVER } from "@/tests/rig/database";
import { costOf, type Probe, processorTime, usedBy } from "@/tests/rig/processor-time";

/** Processor time between two moments, in milliseconds. */
export interface Spent {
  wallMs: number;
  workersMs: number;
  databaseMs: number;
  /** The share of the whole machine that was busy, with whatever else ran on it: 1 is all cores. */
  machine: number;
}

export interface Meter {
  /** What the processes and the database have spent since the last call, or since the start. */
  read(): Promise<Spent>;
  close(): Promise<void>;
}

/** Measures the given processes and the connections of a database on this machine. */
export async function startMeter(databaseUrl: string, pids: readonly (number | undefined)[]): Promise<Meter> {
  const probe = await processorTime(SERVER);
  let before = await readingOf(probe, databaseUrl, pids);
  return {
    read: async () => {
      const now = await readingOf(probe, databaseUrl, pids);
      const { process, database } = costOf(before.used, now.used, 1);
      const spent = {
        wallMs: now.at - before.at,
        workersMs: process,
        databaseMs: database,
        machine: (now.busy - before.busy) / (now.all - before.all),
      };
      before = now;
      return spent;
    },
    close: () => probe.close(),
  };
}

async function readingOf(probe: Probe, databaseUrl: string, pids: readonly (number | undefined)[]) {
  return { at: performance.now(), used: await usedBy(probe, pids, databaseUrl), ...ticks() };
}

/** proc(5), stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function ticks(): { busy: number; all: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const values = line.split(/\s+/).slice(1, 9).map(Number);
  const all = values.reduce((sum, value) => sum + value, 0);
  return { all, busy: all - (values[3] ?? 0) - (values[4] ?? 0) };
}

/** What was spent on each piece of work, and what of the machine was in use. */
export function shares({ wallMs, workersMs, databaseMs, machine }: Spent, pieces: number): string {
  const each = (ms: number) => `${(ms / pieces).toFixed(2)} ms`;
  const part = (((workersMs + databaseMs) / wallMs / cpus().length) * 100).toFixed(0);
  return `${each(workersMs)} of the workers and ${each(databaseMs)} of PostgreSQL each, ${part} % of the machine, which was ${(machine * 100).toFixed(0)} % busy`;
}
