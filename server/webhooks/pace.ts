import { clock } from "@/server/clock";

/** So many attempts begin before the responses that have arrived are read. */
const AT_ONCE = 4;
/** An outcome that waits longer shows that this process, or its database, is overloaded. */
const LONGEST_WAIT_MS = 40;
/** Deliveries that were claimed together wait no longer than this for that: their leases run. */
const PATIENCE_MS = 1_000;

/** What `pace` is told of the outcomes that wait to be stored. */
export interface Storing {
  /** For how many milliseconds the first of them has waited. 0: none does. */
  waitedMs(): number;
  /** Resolves when more have been stored. */
  progress(): Promise<void>;
}

/**
 * Lets attempts begin, a few at a time, and none while outcomes wait too long to be stored. Whatever is posted without its outcome being
 * stored is sent twice if this process dies, so responses come before new attempts. How long a receiver takes makes no difference.
 * A turn is asked for with the time of the claim, by the monotonic clock.
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

/** Node.js reads what has arrived at its sockets before it calls this back. */
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
