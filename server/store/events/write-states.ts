import { givenUpFor, passingReasons } from "@/server/domain/provider-writes";

// The states are drawn in server/domain/provider-writes.ts. `write` is the name of a row of provider_writes, `now` SQL for the time.

const quoted = (reasons: readonly string[]) => reasons.map((reason) => `'${reason}'`).join(", ");
const isGivenUpFor = (write: string) => `coalesce(${write}.last_error, '') IN (${quoted(givenUpFor)})`;

/** Queued, writing or retrying: it is sent when it is due. */
export const isOpen = (write: string) => `${write}.refused_at IS NULL AND NOT ${write}.suspended`;

/** Its provider, or the access to it, was away at the last attempt. */
export const wasAway = (write: string) => `${write}.last_error IN (${quoted(passingReasons)})`;

/** Open or suspended: the application's write is still to be sent. */
export const isUnsent = (write: string) => `${write}.refused_at IS NULL`;

/** Refused, given up or reverted: it is not sent again by itself. */
export const isOver = (write: string) => `${write}.refused_at IS NOT NULL`;

/** Some process is writing it. */
export const isWriting = (write: string, now: string) => `${write}.leased_until > ${now}`;

export const isRefusedWrite = (write: string) =>
  `(${isOver(write)} AND ${write}.reverted_at IS NULL AND NOT ${isGivenUpFor(write)})`;

export const isGivenUpWrite = (write: string) =>
  `(${isOver(write)} AND ${write}.reverted_at IS NULL AND ${isGivenUpFor(write)})`;

/** If nothing could be read for this long, the provider was down for everything and not only for this write. */
const AWAY = "interval '24 hours'";

/** Given up while nothing of its profile could be read, of whose row of profile_syncs `sync` is the name: it is queued again once something is. */
export const isResumable = (write: string, sync: string) =>
  `${isOver(write)} AND ${write}.reverted_at IS NULL AND coalesce(${write}.last_error, '') IN (${quoted([...passingReasons, "throttled"])})
    AND coalesce(${sync}.last_sync_at, '-infinity') < ${write}.refused_at - ${AWAY}`;

/** It is sent once the user reconnects its profile, of which these are the names of its rows. */
export const isWaitingForReconnect = (write: string, { profile, sync }: { profile: string; sync: string }) =>
  `(NOT ${profile}.connected AND (${isUnsent(write)} OR ${isResumable(write, sync)}))`;

/** The `WriteState` of a row. */
export const stateOf = (write: string, now: string) => `CASE WHEN ${write}.reverted_at IS NOT NULL THEN 'reverted'
  WHEN ${isGivenUpWrite(write)} THEN 'given_up' WHEN ${isRefusedWrite(write)} THEN 'refused' WHEN ${write}.suspended THEN 'suspended'
  WHEN ${isWriting(write, now)} THEN 'writing' WHEN ${write}.attempts > 0 THEN 'retrying' ELSE 'queued' END`;

/** What a transition sets, of a row to be updated; `t.now` is the time. */
export const becomes = {
  /** Queued, with its attempts and waits beginning again. */
  queued: "refused_at = NULL, attempts = 0, due_at = t.now",
  /** Not writing any more. */
  released: "lease = NULL, leased_until = NULL",
  suspended: "suspended = true",
  reverted: "reverted_at = clock_timestamp()",
};
