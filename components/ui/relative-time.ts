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

/** "3 min ago", "in 2 h", "just now": how far one time (milliseconds since 1970) is from another. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now);
  const { size, unit } = steps.find(({ from }) => distance >= from) ?? { size: SECOND, unit: "s" };
  const count = Math.floor(distance / size);
  if (unit === "s" && count < 5) return at > now ? "now" : "just now";
  return at > now ? `in ${count} ${unit}` : `${count} ${unit} ago`;
}

/** 2026-11-21 17:27:42 UTC, as logs have it. */
export function utcTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
