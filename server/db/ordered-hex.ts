import { randomBytes } from "node:crypto";
import { clock } from "@/server/clock";

const POOL_BYTES = 6 * 1024;
const TIME_DIGITS = 12;

let pool = Buffer.alloc(0);
let used = 0;
let written = { ms: Number.NaN, digits: "" };

/**
 * Creates the 24 hex digits of an id: the milliseconds since 1970 in the first twelve, then 48 random bits. Ids that
 * are made one after another stand side by side in an index, where random ones would each touch another page (ADR 75).
 * `ms` sets another time than now.
 */
export function orderedHex(ms = clock().now()): string {
  return timeDigits(ms) + randomHex(6);
}

/** Creates a UUID of version 7 (RFC 9562) of a time in milliseconds. */
export function orderedUuid(ms: number): string {
  const time = timeDigits(ms);
  const random = randomHex(10);
  const variant = "89ab"[Number.parseInt(random.charAt(3), 16) & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(8)}`;
}

/**
 * Reads the milliseconds since 1970 that an id by `orderedHex` begins with. Older ids begin with other digits, which
 * stand for any time.
 */
export function timeOfOrderedHex(hex: string): number {
  return Number.parseInt(hex.slice(0, TIME_DIGITS), 16);
}

function timeDigits(ms: number): string {
  if (written.ms !== ms) written = { ms, digits: ms.toString(16).padStart(TIME_DIGITS, "0") };
  return written.digits;
}

/** Takes random bytes from a pool: a call of the generator for each id costs more than everything else about it. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
}
