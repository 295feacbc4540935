import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "@/tests/rig/until";

const START_MS = 60_000;

/** An Inngest server, as the INNGEST_* variables say where it is. */
export interface InngestServer {
  origin: string;
  eventKey: string;
  signingKey: string;
  /** Starts it with a key. Absent: nobody said how, and it was there before. */
  start?(signingKey: string): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Clears what it has stored. Absent: nobody said how. */
  wipe?(): void;
  pid(): number | undefined;
  /** What it knows, by its own API. */
  ask<Answer>(query: string): Promise<Answer>;
}

/**
 * Null: no server was named. With INNGEST_COMMAND, a shell command that becomes a server at INNGEST_BASE_URL with the key in
 * INNGEST_SIGNING_KEY, the server is started here, and restarted and ended.
 * INNGEST_WIPE_COMMAND clears what it has stored.
 */
export function inngestServer(): InngestServer | null {
  const { INNGEST_BASE_URL: origin, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = process.env;
  const { INNGEST_COMMAND: command, INNGEST_WIPE_COMMAND: wipe } = process.env;
  if (!origin || !eventKey || !signingKey) return null;
  let child: ChildProcess | undefined;
  process.once("exit", () => child?.kill("SIGKILL"));
  const isThere = async () => (await fetch(`${origin}/health`).catch(() => undefined))?.ok === true;
  return {
    ...{ origin, eventKey, signingKey },
    ...(command && {
      start: async (key: string) => {
        const env = { ...process.env, INNGEST_SIGNING_KEY: key };
        const started = spawn("sh", ["-c", `exec ${command}`], { env, stdio: "ignore" });
        child = started;
        const isOver = async () => hasEnded(started) || (await isThere());
        await until(isOver, { within: START_MS, what: "the start of the Inngest server" });
        const { exitCode, signalCode } = started;
        if (hasEnded(started))
          throw new Error(`the Inngest server ended with ${exitCode ?? signalCode} when it was started`);
      },
    }),
    ...(wipe && { wipe: () => void execFileSync("sh", ["-c", wipe], { stdio: "ignore" }) }),
    kill: async () => {
      const killed = child;
      child = undefined;
      // What has ended already says so no second time.
      if (!killed || hasEnded(killed)) return;
      const exited = once(killed, "exit");
      killed.kill("SIGKILL");
      await exited;
    },
    pid: () => child?.pid,
    ask: async <Answer>(query: string) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${origin}/v0/gql`, { method: "POST", headers, body: JSON.stringify({ query }) });
      return ((await response.json()) as { data: Answer }).data;
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
