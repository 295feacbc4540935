import { context } from "@/server/context";
import type { MaintenanceScope } from "@/server/domain/maintenance";

/** Kinds of work that are claimed when they are due. */
type ClaimedWork = "notify" | "deliver" | "sync" | "push";

/** Where requests wait for their turn: for the database, and to send a large body. */
export type AdmissionPlace = "request" | "large_body";

/** What is measured of this process's work. Every label has few values: no id, no address and no text of anybody's. */
export interface Meters {
  /** `endpoint`: a route with its parameters as names, or the kind of a page. */
  request(about: { endpoint: string; method: string; status: number; ms: number }): void;
  /** From when a job of the kind was due until this process took it. */
  wait(about: { work: ClaimedWork; ms: number }): void;
  /** From when something changed until its webhook is first sent. */
  announcement(ms: number): void;
  /** How long a request waited for its turn, also one that did not get it. */
  admission(about: { place: AdmissionPlace; ms: number }): void;
  /** `reason`: the class of an error, or of a status code such as 2xx. */
  attempt(about: { outcome: string; reason: string; ms: number }): void;
  /** A request that maintenance refused. */
  refusedForMaintenance(about: { scope: MaintenanceScope; api: "v1" | "other" }): void;
  /** An attempt to send an alert to staff or developers. */
  alertMessage(about: { way: "email" | "webhook"; result: "sent" | "failed" }): void;
  sync(about: { provider: string; result: string }): void;
  push(about: { provider: string; result: string }): void;
}

/** Returns the meters of this process. Undefined: nobody reads them. */
export function meters(): Meters | undefined {
  return context.meters;
}

/** Counts how long the jobs of a claim had been due. */
export function noteWaits(work: ClaimedWork, claimed: readonly { waitedMs: number }[]): void {
  for (const { waitedMs } of claimed) meters()?.wait({ work, ms: waitedMs });
}

/** Counts how long ago the changes were that deliveries announce for the first time. */
export function noteAnnouncements(claimed: readonly { changedMs: number | null }[]): void {
  for (const { changedMs } of claimed) if (changedMs !== null) meters()?.announcement(changedMs);
}
