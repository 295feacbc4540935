/** An attempt at a healthy receiver is over by then; an older one says that its receiver is slow, not that we are. */
const YOUNG_MS = 20;
const MOST_YOUNG = 4;

/**
 * Lets attempts begin a few at a time. How many deliveries a process has posted without having stored what became of them is
 * how many are sent twice when it dies; receivers that take their time do not count, so that they hold up no other.
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
    /** Resolves when somebody has left since. */
    left: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Gives what is to be called when the attempt is over. */
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
