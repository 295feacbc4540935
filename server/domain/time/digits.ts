const pairs = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0"));

/** Formats an integer 0–99 with two decimal digits. */
export function twoDigits(n: number): string {
  return pairs[n] ?? String(n);
}

/** Formats an integer >= 0 with at least four decimal digits, as years are written. */
export function fourDigits(n: number): string {
  return n < 10_000 ? twoDigits(Math.floor(n / 100)) + twoDigits(n % 100) : String(n);
}
