import { type SideProcess, startSideProcess } from "@/tests/rig/side-process";

/** The database, and the receivers that may be posted to. */
export interface Ground {
  url: string;
  receivers: { origins: readonly string[] };
}

/** A process of its own for the tasks of webhook-worker.ts. */
export function startWorker({ url, receivers }: Ground): SideProcess {
  const env = { DATABASE_URL: url, CALLBACK_ALLOWED_ORIGINS: receivers.origins.join(",") };
  return startSideProcess("webhook-worker", { LOG_LEVEL: "warn", ...env });
}
