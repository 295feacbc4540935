import type { Limits } from "@/server/env/values";

/** The limits and defaults of what one process does at once and how often it looks for work. */
export const capacities = {
  /**
   * Connections to the database, excluding the one on which a process with background work listens and one for each of
   * its running chores.
   */
  DATABASE_POOL: { least: 4, most: 200, byDefault: 10 },
  /** Attempts at receivers in progress. */
  DELIVERY_SLOTS: { least: 1, most: 5_000, byDefault: 600 },
  /** Calendar accounts that are synced at once. */
  SYNC_SLOTS: { least: 1, most: 1_000, byDefault: 20 },
  /** First syncs in progress in addition: each may take minutes, and none takes a slot from a poll. */
  FIRST_SYNC_SLOTS: { least: 2, most: 1_000, byDefault: 12 },
  /** Writes to providers in progress. */
  PUSH_SLOTS: { least: 1, most: 1_000, byDefault: 20 },
  /** How often the process looks for work that no wake-up announced. */
  SWEEP_SECONDS: { least: 1, most: 60, byDefault: 5 },
  /** How long the process goes on unchanged after a signal to end, until load balancers see that it is not ready. */
  DRAIN_GRACE_SECONDS: { least: 0, most: 300, byDefault: 0 },
  /** How long it then waits for requests and background work in progress. */
  DRAIN_SECONDS: { least: 1, most: 600, byDefault: 20 },
  /** How often a calendar account without provider notifications is polled while something changes in it. */
  SYNC_POLL_SECONDS: { least: 1, most: 3_600, byDefault: 60 },
  /** How often it is polled while nothing changes. */
  SYNC_QUIET_POLL_SECONDS: { least: 1, most: 86_400, byDefault: 300 },
  /** What Google grants a project by default ("Usage limits" of the Calendar API). */
  GOOGLE_REQUESTS_PER_MINUTE: { least: 10, most: 100_000_000, byDefault: 10_000 },
  /** What Graph grants an app over all tenants, 130,000 in 10 seconds ("Throttling limits"). */
  MICROSOFT_REQUESTS_PER_MINUTE: { least: 10, most: 100_000_000, byDefault: 780_000 },
} as const satisfies Record<string, Limits>;
