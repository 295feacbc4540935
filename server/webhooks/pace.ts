import { clock } from "@/server/clock";

/** The most attempts begun before the responses that have arrived are read. */
const AT_ONCE = 4;
/** An outcome that waits longer shows that this process, or its database, is overloaded. */
const LONGEST_WAIT_MS = 40;
/** Deliveries claimed together wait no longer than this, because their leases are running. */
const PATIENCE_MS = 1_000;

/** The outcomes waiting to be stored, as `pace` sees them. */
export interface Storing {
  /** How many milliseconds the first of them has waited. 0: none waits. */
  waitedMs(): number;
  /** Resolves when more have been stored. */
  progress(): Promise<void>;
}

/**
 * Starts attempts, a few at a time, and none while outcomes wait too long to be stored. If this process dies, whatever
 * was posted without its outcome being stored is sent twice, so responses come before new attempts. How long a receiver
 * takes makes no difference. A turn is requested with the time of the claim, by the monotonic clock.
 */
export function pace({ waitedMs, progress }: Storing): (claimedAt: number) => Promise<void> {
  let begun = 0;
  return async (claimedAt) => {
    begun += 1;
    if (begun % AT_ONCE === 0) await responsesRead();
    for (;;) {
      const leftMs = claimedAt + PATIENCE_MS - clock().monotonic();
      if (leftMs <= 0 || waitedMs() <= LONGEST_WAIT_MS) return;
      await within(leftMs, progress());
    }
  };
}

/** Resolves after Node.js has read what has arrived at its sockets. */
function responsesRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

async function within(ms: number, progress: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([progress, over]);
  clearTimeout(timer);
}
