import { orderedHex } from "@/server/db/ordered-hex";

const CALLERS_ID = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Returns the caller's own Svc-Request-Id if it is valid (spec "Request ids"), else a new `req_…`. A caller's id may
 * come twice, so it is never a key.
 */
export function requestId(callerHeader: string | null | undefined): string {
  if (callerHeader && CALLERS_ID.test(callerHeader)) return callerHeader;
  return `req_${orderedHex()}`;
}
