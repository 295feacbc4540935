import type { z } from "zod";
import type { Interval } from "@/server/domain/availability/intervals";
import type { Instant } from "@/server/domain/time/instant";
import type { buffer as bufferField } from "@/server/services/availability/fields";

const MINUTE_MS = 60_000;

/** What must also be free before and after a time, in milliseconds. */
export interface Buffers {
  before: number;
  after: number;
}

/** Returns the buffer that a request asks for. */
export function bufferOf({ buffer }: { buffer?: z.output<typeof bufferField> }): Buffers {
  return {
    before: (buffer?.before?.minutes ?? 0) * MINUTE_MS,
    after: (buffer?.after?.minutes ?? 0) * MINUTE_MS,
  };
}

/** Returns spans with buffers around them. */
export function buffered(spans: readonly Interval[], { before, after }: Buffers): Interval[] {
  return spans.map(({ start, end }) => ({ start: (start - before) as Instant, end: (end + after) as Instant }));
}

/** Returns the range from the first start to the last end. */
export function rangeOfSpans(spans: readonly Interval[], now: Instant): Interval {
  if (spans.length === 0) return { start: now, end: now };
  return {
    start: Math.min(...spans.map(({ start }) => start)) as Instant,
    end: Math.max(...spans.map(({ end }) => end)) as Instant,
  };
}
