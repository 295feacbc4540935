const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Largest first: a distance is given in the first unit whose threshold it reaches. "47 h" says more than "1 d". */
const steps: { from: number; size: number; unit: string }[] = [
  { from: 365 * DAY, size: 365 * DAY, unit: "y" },
  { from: 30 * DAY, size: 30 * DAY, unit: "mo" },
  { from: 2 * DAY, size: DAY, unit: "d" },
  { from: HOUR, size: HOUR, unit: "h" },
  { from: MINUTE, size: MINUTE, unit: "min" },
];
const seconds = { size: SECOND, unit: "s" };

/** Formats how far one time (milliseconds since 1970) is from another, rounded: "3 min ago", "in 2 h", "just now". */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now);
  const { size, unit } = steps.find(({ from }, index) => reached(distance, index) >= from) ?? seconds;
  const count = Math.round(distance / size);
  if (unit === "s" && count < 5) return at > now ? "now" : "just now";
  return at > now ? `in ${count} ${unit}` : `${count} ${unit} ago`;
}

/** Rounds a distance up to the next smaller unit, so that it can reach a threshold: 59 min 40 s are an hour. */
function reached(distance: number, index: number): number {
  const { size } = steps[index + 1] ?? seconds;
  return Math.max(distance, Math.round(distance / size) * size);
}

/** Formats a time as logs do: 2026-11-21 17:27:42 UTC. */
export function utcTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
