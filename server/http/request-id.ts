import { randomBytes } from "node:crypto";

const CALLERS_ID = /^[A-Za-z0-9._-]{8,64}$/;
const RANDOM_BYTES = 12;
const POOL_BYTES = RANDOM_BYTES * 512;

/** The caller's own Svc-Request-Id when it is one (spec "Request ids"), else a new `req_…`. A caller's id may come twice: never a key. */
export function requestId(callerHeader: string | null | undefined): string {
  if (callerHeader && CALLERS_ID.test(callerHeader)) return callerHeader;
  return `req_${randomHex()}`;
}

let pool = Buffer.alloc(0);
let used = 0;

function randomHex(): string {
  if (used + RANDOM_BYTES > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += RANDOM_BYTES;
  return pool.toString("hex", used - RANDOM_BYTES, used);
}
