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

/** Time that is the fault itself: how long to let a load run, when to kill. */
export function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
