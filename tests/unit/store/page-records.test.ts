import { expect, test } from "vitest";
import { formatDay } from "@/server/domain/time/day";
import { recordReader } from "@/server/store/events/pages/records";

/** As timestamptz_send writes it: microseconds since 2000 as a signed number of 64 bits. */
function sent(...micros: bigint[]): Buffer {
  const bytes = Buffer.alloc(micros.length * 8);
  micros.forEach((one, i) => {
    bytes.writeBigInt64BE(one - 946_684_800_000_000n, i * 8);
  });
  return bytes;
}

const micros = (text: string) => BigInt(Date.parse(text)) * 1_000n;

test("times of a page are read in their order, in epoch seconds", () => {
  const times = ["2026-11-25T15:00:00Z", "1999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"];
  const { time: next } = recordReader(sent(...times.map(micros)));
  for (const time of times) expect(next()).toBe(Date.parse(time) / 1_000);
});

test("a microsecond before a second is not the second", () => {
  const { time: next } = recordReader(sent(micros("2026-11-25T15:00:00Z") - 1n));
  expect(Math.floor(next())).toBe(Date.parse("2026-11-25T14:59:59Z") / 1_000);
});

test("a row without its record is an error", () => {
  expect(recordReader(null).time).toThrow("without its record");
  expect(recordReader(null).small).toThrow("without its record");
  const { time: next } = recordReader(sent(0n));
  next();
  expect(next).toThrow(RangeError);
});

test("a day is a date, and an infinite one is none", () => {
  const { day } = recordReader(Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 59, 0x7f, 0xff, 0xff, 0xff]));
  const next = () => {
    const found = day();
    return found === null ? null : formatDay(found);
  };
  expect([next(), next(), next(), next()]).toEqual(["2000-01-01", "1999-12-31", "2000-02-29", null]);
});

test("flags follow times as they were written", () => {
  const record = recordReader(
    Buffer.concat([sent(0n), Buffer.from([0, 6]), sent(1_000_000n), Buffer.from([0xff, 0xfe])]),
  );
  expect([record.time(), record.small(), record.time(), record.small()]).toEqual([0, 6, 1, -2]);
});
