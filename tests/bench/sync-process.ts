import { type Forked, forked } from "@/tests/bench/forked";

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

export interface SyncProcess {
  child: Forked["child"];
  ask(input: TaskInput): Promise<TaskResult>;
}

/** A process of its own that syncs what is due. */
export function startSyncs(env: Record<string, string>): Pick<SyncProcess, "child"> & { ask(): Promise<TaskResult> } {
  return forked("sync-worker.mjs", [], env);
}

/** A process of its own for one of the tasks of bare-reader.ts, which stores in a database with the table of cost/bare-tables.ts. */
export function startReader(task: string, flatUrl: string, env: Record<string, string> = {}): SyncProcess {
  return forked("bare-reader.mjs", [task], { ...env, FLAT_DATABASE_URL: flatUrl });
}
