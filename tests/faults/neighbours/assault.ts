import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Holder } from "@/tests/faults/neighbours/tenants";

/** What a hostile client does, for as long as it runs. */
export type Assault = { origin: string } & (
  | { kind: "writes"; holders: readonly Holder[]; bodies: readonly string[]; perSecond: number }
  | { kind: "unknown-paths"; perSecond: number; bytes: number }
  | { kind: "unread"; path: string; token: string; sockets: number }
  | { kind: "sign-ins"; atOnce: number }
  | { kind: "slow"; tokens: readonly string[]; atOnce: number; leaveAfterMs: number }
  | { kind: "pages"; pages: readonly { path: string; headers: Record<string, string> }[]; perSecond: number }
  | { kind: "trickles"; holders: readonly Holder[]; uploadsEach: number; bytes: number }
  | { kind: "calls"; path: string; headers: Record<string, string>; inFlight: number }
);

const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Begins it in a process of its own; gives what ends it. */
export async function beginAssault(assault: Assault): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [resolve(".next/faults/neighbours/attacker.mjs"), JSON.stringify(assault)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  await once(child.stdout, "data");
  child.stdout.resume();
  return async () => {
    children.delete(child);
    if (child.exitCode !== null) throw new Error(`the attack ended by itself with code ${child.exitCode}`);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
}
