import type { Day } from "@/server/domain/time/day";

/** The epoch of PostgreSQL's microseconds and days. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const EPOCH_MICROS = EPOCH_MS * 1_000;
const EPOCH_DAY = EPOCH_MS / 86_400_000;
const HIGH = 2 ** 32;
/** An infinite date, which stands for null. */
const NO_DAY = 0x7fffffff;

/**
 * Returns SQL for a time as a part of a record, in PostgreSQL's binary format: times and flags written as texts cost as
 * much as the walk along the index.
 */
export const timePart = (sql: string): string => `timestamptz_send(${sql})`;
/** Returns SQL for a date, which may be null. */
export const dayPart = (sql: string): string => `date_send(coalesce(${sql}, 'infinity'))`;
/** Returns SQL for a 32-bit number. */
export const wholePart = (sql: string): string => `int4send(${sql})`;
/** Returns SQL for up to 16 flags, or a number as small. */
export const smallPart = (sql: string): string => `int2send((${sql})::smallint)`;

/** Returns SQL for the records of a query's rows, one after another. Only a day may be null. */
export function recordsAsBytes(parts: readonly string[]): string {
  return `string_agg(${parts.join(" || ")}, ''::bytea)`;
}

/** A reader of one part after another. */
export interface RecordReader {
  /** Reads a time in epoch seconds. */
  time(): number;
  day(): Day | null;
  whole(): number;
  small(): number;
}

export function recordReader(bytes: Buffer | null): RecordReader {
  let at = 0;
  const next = (size: number) => {
    if (bytes === null) throw new Error("a page has a row without its record");
    at += size;
    return bytes;
  };
  const whole = () => next(4).readInt32BE(at - 4);
  return {
    time() {
      const timeBytes = next(8);
      const micros = timeBytes.readInt32BE(at - 8) * HIGH + timeBytes.readUInt32BE(at - 4);
      return (micros + EPOCH_MICROS) / 1_000_000;
    },
    day() {
      const day = whole();
      return day === NO_DAY ? null : ((day + EPOCH_DAY) as Day);
    },
    whole,
    small: () => next(2).readInt16BE(at - 2),
  };
}
