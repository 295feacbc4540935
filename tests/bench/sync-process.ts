import { startSideProcess } from "@/tests/rig/side-process";

/** A calendar at its server, and with what it is asked for. */
export interface TaskInput {
  /** Its address; at Google and Microsoft its id. */
  calendar: string;
  /** The header; for Google and Microsoft the access token. */
  authorization: string;
  /** Of the incremental task: what the last answer gave. */
  token?: string;
}

/** What a task took in milliseconds, and what it came to. */
export interface TaskResult {
  ms: number;
  /** CPU of the process. */
  cpuMs: number;
  /** Events that were read; of the bare reader alone. */
  events?: number;
  token?: string;
}

/** A process of its own that syncs what is due. */
export function startSyncs(env: Record<string, string>) {
  const { ask, close } = startSideProcess("sync-worker", { LOG_LEVEL: "warn", ...env });
  return { ask: () => ask<TaskResult>("sync"), close };
}

/** A process of its own for one of the tasks of bare-reader.ts, which stores in a database with the table of cost/bare-tables.ts. */
export function startReader(task: string, flatUrl: string, env: Record<string, string> = {}) {
  const { ask, close } = startSideProcess("bare-reader", { ...env, FLAT_DATABASE_URL: flatUrl });
  return { ask: (input: TaskInput) => ask<TaskResult>(task, input), close };
}
