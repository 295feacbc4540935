/** What PostgreSQL counts microseconds from. */
const EPOCH_MICROS = Date.UTC(2000, 0, 1) * 1_000;
const HIGH = 2 ** 32;

/** SQL of times of the rows of a query, one after another, as PostgreSQL sends them: as texts they cost as much as the walk along the index. */
export function timesAsBytes(times: readonly string[]): string {
  return `string_agg(${times.map((time) => `timestamptz_send(${time})`).join(" || ")}, ''::bytea)`;
}

/** Gives one time after another, in epoch seconds. */
export function timesReader(bytes: Buffer | null): () => number {
  let at = 0;
  return () => {
    if (bytes === null) throw new Error("a page has a row without its times");
    const micros = bytes.readInt32BE(at) * HIGH + bytes.readUInt32BE(at + 4);
    at += 8;
    return (micros + EPOCH_MICROS) / 1_000_000;
  };
}
