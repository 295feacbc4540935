import type { Instant } from "@/server/domain/time/instant";

/** A stretch of time, without its end. */
export interface Interval {
  start: Instant;
  end: Instant;
}

/** Reports whether two intervals have time in common. */
export function overlap(one: Interval, other: Interval): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Merges intervals in any order into as few as possible, in order: those that overlap or touch become one, empty ones are left out. */
export function union(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(({ start, end }) => start < end).sort((one, other) => one.start - other.start);
  const merged: Interval[] = [];
  let last: Interval | undefined;
  for (const { start, end } of sorted) {
    if (last && start <= last.end) {
      if (end > last.end) last.end = end;
      continue;
    }
    last = { start, end };
    merged.push(last);
  }
  return merged;
}

/** Returns the time that lies in both of two merged lists (see `union`), itself merged. */
export function intersect(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  for (let i = 0, j = 0; ; ) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return both;
    const start = Math.max(a.start, b.start) as Instant;
    const end = Math.min(a.end, b.end) as Instant;
    if (start < end) both.push({ start, end });
    if (a.end <= b.end) i++;
    else j++;
  }
}

/** Returns the time of a merged list that lies outside another (see `union`), itself merged. */
export function subtract(from: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const rest: Interval[] = [];
  let next = 0;
  for (const { start, end } of from) {
    let at = start;
    for (let one = taken[next]; one && one.start < end; one = taken[++next]) {
      if (one.start > at) rest.push({ start: at, end: one.start });
      if (one.end > at) at = one.end;
      // It may reach into the next one, too.
      if (one.end > end) break;
    }
    if (at < end) rest.push({ start: at, end });
  }
  return rest;
}
