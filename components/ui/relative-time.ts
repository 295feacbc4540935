const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Largest first; a time is told in the largest that fits in it once. */
const steps: [number, string][] = [
  [365 * DAY, "y"],
  [30 * DAY, "mo"],
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "min"],
];

/** "3 min ago", "in 2 h", "just now": how far one time (milliseconds since 1970) is from another. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now);
  const [size, unit] = steps.find(([step]) => distance >= step) ?? [SECOND, "s"];
  const count = Math.floor(distance / size);
  if (unit === "s" && count < 5) return at > now ? "now" : "just now";
  return at > now ? `in ${count} ${unit}` : `${count} ${unit} ago`;
}

/** 2026-11-21 17:27:42 UTC, as logs have it. */
export function utcTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
