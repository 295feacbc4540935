import { setTimeout as wait } from "node:timers/promises";
import { db } from "@/server/db/client";
import { moduleOutage } from "@/server/log";
import { followMaintenance } from "@/server/store/maintenance/maintenance";

/** By when a process goes by what was switched elsewhere. */
const EVERY_MS = 2_000;

/**
 * Has this process go by what staff switch for maintenance, from its first request on (ADR 126). While the database is
 * away, what was known last holds. Returns what ends it.
 */
export async function watchMaintenance(everyMs = EVERY_MS): Promise<() => Promise<void>> {
  const outage = moduleOutage("maintenance", {
    down: "maintenance switches cannot be read: what was known last holds",
    up: "maintenance switches are read again",
  });
  const over = new AbortController();
  await followMaintenance(db());
  const repeated = async () => {
    while (!over.signal.aborted) {
      await wait(everyMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await followMaintenance(db()).then(() => outage.recovered(), outage.failed);
    }
  };
  const done = repeated();
  return async () => {
    over.abort();
    await done;
  };
}
