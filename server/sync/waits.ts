import { LONGEST_ASKED_MS } from "@/server/store/mailboxes/throttling";

const LONGEST_POLL_MS = 60 * 60_000;
const LONGEST_PUSH_WAIT_MS = 30 * 60_000;
const FIRST_LINK_WAIT_MS = 2_000;
const LONGEST_LINK_WAIT_MS = 60_000;
const FIRST_PUSH_WAIT_MS = 5_000;
const JITTER = 0.1;
/** Beyond this many doublings the longest wait is reached anyway. */
const MOST_DOUBLINGS = 20;

/** The least wait for work that is due: another process may have it. */
export const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAKE_UP_MS = 60_000;

/** Tells in how many milliseconds to wake up for work that is due then. */
export function wakeUpIn(nextInMs: number): number {
  return Math.min(nextInMs, LONGEST_WAKE_UP_MS);
}

/** Tells how long until a profile that was just synced is synced again, plus or minus a tenth, so that not all are due at once. */
export function pollWait(pollMs: number, random: () => number): number {
  return Math.round(pollMs * (1 + JITTER * (2 * random() - 1)));
}

interface Watched {
  pollMs: number;
  /** `ProviderTraits`. */
  watchedPollMs: number | null;
  /** Null: it is not watched. */
  watchedForMs: number | null;
}

/** Gives the same of a profile whose provider may notify us of changes: the poll is a safety net then, and comes when a watch has to be renewed. */
export function nextPollWait({ pollMs, watchedPollMs, watchedForMs }: Watched, random: () => number): number {
  if (watchedPollMs === null || watchedForMs === null) return pollWait(pollMs, random);
  return Math.max(pollWait(pollMs, random), Math.min(pollWait(watchedPollMs, random), watchedForMs));
}

/** Tells how long to wait after the n-th failure in a row (1 for the first), at least as long as the provider asked for. */
export function failedSyncWait(pollMs: number, failures: number, after: number | null): number {
  return noLess(doubled(pollMs, failures, Math.max(LONGEST_POLL_MS, pollMs)), after);
}

/** Tells how long to wait after the n-th attempt of a write (1 for the first). */
export function failedPushWait(attempts: number, after: number | null): number {
  return noLess(doubled(FIRST_PUSH_WAIT_MS, attempts, LONGEST_PUSH_WAIT_MS), after);
}

/** Tells how long to wait after the n-th look for a meeting link (1 for the first). */
export function linkWait(looks: number): number {
  return doubled(FIRST_LINK_WAIT_MS, looks, LONGEST_LINK_WAIT_MS);
}

function doubled(first: number, times: number, longest: number): number {
  return Math.min(first * 2 ** Math.min(Math.max(times - 1, 0), MOST_DOUBLINGS), longest);
}

function noLess(wait: number, after: number | null): number {
  return Math.max(wait, Math.min(after ?? 0, LONGEST_ASKED_MS));
}
