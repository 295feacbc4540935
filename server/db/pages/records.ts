import type { Day } from "@/server/domain/time/day";

/** What PostgreSQL counts microseconds and days from. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const EPOCH_MICROS = EPOCH_MS * 1_000;
const EPOCH_DAY = EPOCH_MS / 86_400_000;
const HIGH = 2 ** 32;
/** A date that is infinite, which stands for none. */
const NO_DAY = 0x7fffffff;

/** The parts of a record, as PostgreSQL sends values: times and flags written as texts cost as much as the walk along the index. */
export const timePart = (sql: string): string => `timestamptz_send(${sql})`;
/** A date, which may be null. */
export const dayPart = (sql: string): string => `date_send(coalesce(${sql}, 'infinity'))`;
/** A number of 32 bits. */
export const wholePart = (sql: string): string => `int4send(${sql})`;
/** Up to 16 flags, and numbers as small. */
export const smallPart = (sql: string): string => `int2send((${sql})::smallint)`;

/** SQL of the records of the rows of a query, one after another. No part but a day is null. */
export function recordsAsBytes(parts: readonly string[]): string {
  return `string_agg(${parts.join(" || ")}, ''::bytea)`;
}

/** Reads one part after another. */
export interface RecordReader {
  /** In epoch seconds. */
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
      const given = next(8);
      const micros = given.readInt32BE(at - 8) * HIGH + given.readUInt32BE(at - 4);
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
