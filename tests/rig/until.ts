const POLL_MS = 20;

/** Waits until it is true; throws after so many milliseconds, saying what did not come. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { within, what }: { within: number; what: string },
): Promise<void> {
  const end = performance.now() + within;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`${what} did not come within ${within / 1000} s`);
    await passed(POLL_MS);
  }
}

/** Time that is meant to pass: how long to let a load run, when to kill. */
export function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
