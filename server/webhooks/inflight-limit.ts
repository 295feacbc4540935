/** An attempt at a healthy receiver is over by then. An older one means that its receiver is slow, not this process. */
const YOUNG_MS = 20;
const MOST_YOUNG = 4;

/**
 * Starts attempts a few at a time. When a process dies, every delivery that it has posted without storing the outcome is sent twice.
 * Slow receivers do not count, so that they delay no other.
 */
export function inflightLimit() {
  let young = 0;
  let waiting: (() => void)[] = [];
  const leave = () => {
    young -= 1;
    const next = waiting;
    waiting = [];
    for (const resolve of next) resolve();
  };
  return {
    isOpen: () => young < MOST_YOUNG,
    /** Resolves when a place has become free since. */
    left: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Returns the function to call when the attempt is over. */
    enter: (): (() => void) => {
      young += 1;
      let isIn = true;
      const once = () => {
        if (isIn) leave();
        isIn = false;
      };
      const timer = setTimeout(once, YOUNG_MS);
      return () => {
        clearTimeout(timer);
        once();
      };
    },
  };
}
