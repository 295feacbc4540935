import { givenUpFor, passingReasons } from "@/server/domain/provider-writes";

// server/domain/provider-writes.ts draws the states. `write` is the name of a row of provider_writes, `now` SQL for the time.

const quoted = (reasons: readonly string[]) => reasons.map((reason) => `'${reason}'`).join(", ");
const isGivenUpFor = (write: string) => `coalesce(${write}.last_error, '') IN (${quoted(givenUpFor)})`;

/** Returns SQL for whether a write is queued, writing or retrying: it is sent when it is due. */
export const isOpen = (write: string) => `${write}.refused_at IS NULL AND NOT ${write}.suspended`;

/** Returns SQL for whether the provider, or access to it, was unavailable at the last attempt. */
export const wasAway = (write: string) => `${write}.last_error IN (${quoted(passingReasons)})`;

/** Returns SQL for whether the application's write is still to be sent: open or suspended. */
export const isUnsent = (write: string) => `${write}.refused_at IS NULL`;

/** Returns SQL for whether a write was refused, given up or reverted: it is not sent again by itself. */
export const isOver = (write: string) => `${write}.refused_at IS NOT NULL`;

/** Returns SQL for whether a process is writing it. */
export const isWriting = (write: string, now: string) => `${write}.leased_until > ${now}`;

export const isRefusedWrite = (write: string) =>
  `(${isOver(write)} AND ${write}.reverted_at IS NULL AND NOT ${isGivenUpFor(write)})`;

export const isGivenUpWrite = (write: string) =>
  `(${isOver(write)} AND ${write}.reverted_at IS NULL AND ${isGivenUpFor(write)})`;

/** If nothing could be read for this long, the provider was down for everything and not only for this write. */
const AWAY = "interval '24 hours'";

/**
 * Returns SQL for whether a write was given up while nothing of its profile could be read: it is queued again once
 * something is. `sync` names the profile's row of profile_syncs.
 */
export const isResumable = (write: string, sync: string) =>
  `${isOver(write)} AND ${write}.reverted_at IS NULL AND coalesce(${write}.last_error, '') IN (${quoted([...passingReasons, "throttled"])})
    AND coalesce(${sync}.last_sync_at, '-infinity') < ${write}.refused_at - ${AWAY}`;

/** Returns SQL for whether a write is sent once the user reconnects its profile, whose rows have these names. */
export const isWaitingForReconnect = (write: string, { profile, sync }: { profile: string; sync: string }) =>
  `(NOT ${profile}.connected AND (${isUnsent(write)} OR ${isResumable(write, sync)}))`;

/** Returns SQL for whether a write is still to be sent, if need be once the user reconnects its profile. */
export const isPendingWrite = (write: string, of: { profile: string; sync: string }) =>
  `(${isUnsent(write)} OR ${isWaitingForReconnect(write, of)})`;

/** Returns SQL for the `WriteState` of a row. */
export const stateOf = (write: string, now: string) => `CASE WHEN ${write}.reverted_at IS NOT NULL THEN 'reverted'
  WHEN ${isGivenUpWrite(write)} THEN 'given_up' WHEN ${isRefusedWrite(write)} THEN 'refused' WHEN ${write}.suspended THEN 'suspended'
  WHEN ${isWriting(write, now)} THEN 'writing' WHEN ${write}.attempts > 0 THEN 'retrying' ELSE 'queued' END`;

/** The assignments of each transition, for a row to update; `t.now` is the time. */
export const becomes = {
  /** Queued, with its attempts and waits starting again. */
  queued: "refused_at = NULL, attempts = 0, due_at = t.now",
  /** No longer writing. */
  released: "lease = NULL, leased_until = NULL",
  suspended: "suspended = true",
  reverted: "reverted_at = clock_timestamp()",
};
