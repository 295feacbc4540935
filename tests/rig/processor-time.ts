import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { nameOf } from "@/tests/rig/database";

export interface Probe {
  /** Milliseconds of processor time that the process and those it started have used until now. */
  ofProcess(pid: number): number;
  /** The same of each connection to a database of the server, by its process. */
  ofConnections(database: string): Promise<Map<number, number>>;
  close(): Promise<void>;
}

/** Reads processor time from /proc. Throws where that is not possible. */
export async function processorTime(address: string): Promise<Probe> {
  if (!existsSync("/proc/self/stat")) {
    throw new Error(`processor time is read from /proc, which this system (${process.platform}) does not have`);
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const own = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  if (commandOf(own.rows[0]?.pid ?? 0) !== "postgres") {
    await client.end();
    throw new Error("the PostgreSQL server runs on another machine or in another container");
  }
  return {
    ofProcess: (pid) => familyOf(pid).reduce((total, one) => total + milliseconds(one), 0),
    async ofConnections(database) {
      const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE datname = $1", [
        database,
      ]);
      return new Map(rows.map(({ pid }) => [pid, ofConnection(pid)]));
    },
    close: () => client.end(),
  };
}

/** Milliseconds of processor time until now, of a process and of each connection to its database. */
export interface Used {
  process: number;
  connections: ReadonlyMap<number, number>;
}

/** Of processes, and of the connections to a database. */
export async function usedBy(probe: Probe, pids: readonly (number | undefined)[], databaseUrl: string): Promise<Used> {
  const process = pids.reduce((sum: number, pid = 0) => sum + probe.ofProcess(pid), 0);
  return { process, connections: await probe.ofConnections(nameOf(databaseUrl)) };
}

/** Processor milliseconds of one request, or of another piece of work. */
export interface Cost {
  process: number;
  database: number;
}

/** What each of so many pieces of work cost. A connection that is gone counts for nothing. */
export function costOf(begun: Used | undefined, ended: Used, pieces = 0): Cost {
  const database = [...ended.connections].reduce(
    (total, [one, ms]) => total + ms - (begun?.connections.get(one) ?? 0),
    0,
  );
  return { process: (ended.process - (begun?.process ?? 0)) / pieces, database: database / pieces };
}

/** Milliseconds of processor time that a connection's process has used; 0 where it is none of PostgreSQL's on this machine. */
export function ofConnection(pid: number): number {
  return commandOf(pid) === "postgres" ? (ofOneThread(pid) ?? milliseconds(pid)) : 0;
}

/** A process, and those that it and they have started. */
export function familyOf(pid: number): number[] {
  const parents = new Map(processes().map((one) => [one, Number(statOf(one)[1])]));
  const family = [pid];
  for (const member of family) for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}

/** Resident megabytes of a process and those that it has started. */
export function residentMegabytes(pid: number): number {
  return familyOf(pid).reduce((total, one) => total + megabytesOf(one), 0);
}

/** Resident megabytes of one process. */
export function megabytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
}

function processes(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The nanoseconds of the scheduler, where it keeps them: a tick is a hundredth of a second, and a server has many connections. */
function ofOneThread(pid: number): number | undefined {
  const [nanoseconds] = read(`/proc/${pid}/schedstat`).split(" ");
  return nanoseconds ? Number(nanoseconds) / 1_000_000 : undefined;
}

let ticksPerSecond: number | undefined;

function milliseconds(pid: number): number {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"]).toString());
  return (ticksOf(pid) * 1_000) / ticksPerSecond;
}

/** User and system time of all threads. */
function ticksOf(pid: number): number {
  const stat = statOf(pid);
  return Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
}

/** What follows the name, which may contain spaces: state, parent, … (proc(5)). Empty when the process has ended. */
function statOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
