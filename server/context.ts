import type { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";
import type { Clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import type { SwitchedOn } from "@/server/domain/maintenance";
import type { Env } from "@/server/env";
import type { ProcessServices } from "@/server/http/process-services";
import type { PageResponse } from "@/server/http/staff/page-response";
import type { Meters } from "@/server/meters";
import type { Tracing } from "@/server/tracing";

/**
 * Holds what the two copies of our modules in one process share: the front door's, with the API and the background work, and Next's, with the
 * pages (ADR 1). A module reads its field by a function of its own, such as `db()`. All else is the state of one module.
 */
export interface Context {
  env?: Env;
  /** Set by tests. */
  clock?: Clock;
  log?: Logger;
  database?: Database;
  /** The names of prepared statements by their texts. */
  statementNames: Map<string, string>;
  /** The limiter, the request log and the queues. */
  services?: ProcessServices;
  /** Set by the background work: hears that there are rows to drain. */
  wake?: (work: Work, afterMs: number) => void;
  /** Set where an Inngest server drives the background work: begins a run of its own for a bulk retry. */
  wakeBulkRetry?: (id: string) => void;
  /** Set where traces and metrics are asked for. */
  tracing?: Tracing;
  meters?: Meters;
  /** What staff have switched for maintenance, by the service or the application. Undefined: nothing. */
  maintenance?: ReadonlyMap<string, SwitchedOn>;
  /** What this process was built from. */
  build: { version: string; commit: string };
  /** The newest migration that this process was built for. */
  migration?: string;
  /** This process finishes what it has, and is not ready for more. */
  isDraining: boolean;
  /** When the event loop was last held for too long, on the monotonic clock. */
  stuckAt?: number;
  /** What a page that is rendered says of its response. */
  pageResponses?: AsyncLocalStorage<PageResponse>;
}

declare global {
  var almanac: Context | undefined;
}

/** Creates the context that a process begins with. */
export function newContext(): Context {
  return { statementNames: new Map(), build: { version: "unknown", commit: "unknown" }, isDraining: false };
}

globalThis.almanac ??= newContext();

export const context: Context = globalThis.almanac;
