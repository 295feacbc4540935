/** What PostgreSQL counts microseconds from. */
const EPOCH_MICROS = Date.UTC(2000, 0, 1) * 1_000;
const HIGH = 2 ** 32;

/** The parts of a record, as PostgreSQL sends values: times and flags written as texts cost as much as the walk along the index. */
export const timePart = (sql: string): string => `timestamptz_send(${sql})`;
/** Up to 16 flags, and numbers as small. */
export const smallPart = (sql: string): string => `int2send((${sql})::smallint)`;

/** SQL of the records of the rows of a query, one after another. No part is null. */
export function recordsAsBytes(parts: readonly string[]): string {
  return `string_agg(${parts.join(" || ")}, ''::bytea)`;
}

/** Reads one part after another. */
export interface RecordReader {
  /** In epoch seconds. */
  time(): number;
  small(): number;
}

export function recordReader(bytes: Buffer | null): RecordReader {
  let at = 0;
  const given = () => {
    if (bytes === null) throw new Error("a page has a row without its record");
    return bytes;
  };
  return {
    time() {
      const micros = given().readInt32BE(at) * HIGH + given().readUInt32BE(at + 4);
      at += 8;
      return (micros + EPOCH_MICROS) / 1_000_000;
    },
    small() {
      const value = given().readInt16BE(at);
      at += 2;
      return value;
    },
  };
}
