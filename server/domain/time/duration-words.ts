const units = [
  { name: "hour", ms: 3_600_000 },
  { name: "minute", ms: 60_000 },
  { name: "second", ms: 1_000 },
] as const;

/**
 * Formats a duration in milliseconds, in the largest unit that it is a whole number of: "15 seconds", "1 minute", "48
 * hours".
 */
export function durationWords(ms: number): string {
  const { count, name } = inUnit(ms);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Formats a duration in short: "15 s", "1 min", "48 h". */
export function shortDuration(ms: number): string {
  const { count, name } = inUnit(ms);
  return `${count} ${name === "minute" ? "min" : name[0]}`;
}

/** Formats durations in ascending order, one unit after the other: ["1, 5 and 15 minutes", "1 and 2 hours"]. */
export function durationGroups(times: readonly number[]): string[] {
  const read = times.map(inUnit);
  return [...new Set(read.map(({ name }) => name))].map((unit) => {
    const counts = read.filter(({ name }) => name === unit).map(({ count }) => count);
    const list = counts.join(", ").replace(/, (\d+)$/, " and $1");
    return `${list} ${unit}${list === "1" ? "" : "s"}`;
  });
}

/** Formats a duration to its nearest day, or hour if it is far less than a day: "about a day", "about 3 hours". */
export function roughly(ms: number): string {
  const hours = Math.max(1, Math.round(ms / units[0].ms));
  const [count, name] = hours < 20 ? [hours, "hour"] : [Math.max(1, Math.round(hours / 24)), "day"];
  return count === 1 ? `about ${name === "hour" ? "an" : "a"} ${name}` : `about ${count} ${name}s`;
}

function inUnit(ms: number): { count: number; name: (typeof units)[number]["name"] } {
  const unit = units.find((one) => ms >= one.ms && ms % one.ms === 0) ?? units[2];
  return { count: ms / unit.ms, name: unit.name };
}
