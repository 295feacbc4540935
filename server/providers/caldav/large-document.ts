/** How long others wait for one that arrives slowly. */
const LONGEST_MS = 5_000;

let last: Promise<void> = Promise.resolve();

/**
 * Waits until no other large document is being read, or the one that is has been for so long that others go ahead (ADR 86): whoever sends
 * slowly holds nobody up. Call the returned function at the end of this one.
 */
export async function largeDocument(): Promise<() => void> {
  const before = last;
  let leave = () => {};
  last = new Promise((resolve) => {
    leave = resolve;
  });
  await before;
  const timer = setTimeout(leave, LONGEST_MS).unref();
  return () => {
    clearTimeout(timer);
    leave();
  };
}
