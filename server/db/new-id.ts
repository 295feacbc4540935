import { randomBytes } from "node:crypto";
import { orderedHex } from "@/server/db/ordered-hex";
import type { Id, IdPrefix } from "@/server/domain/ids";

const TOKEN_BYTES = 32;

/** Creates an id: its prefix and 24 hex digits ("Conventions"; the pattern of `apc_` serves all). */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return `${prefix}_${orderedHex()}` as Id<P>;
}

/** Creates a secret of 256 bits: `at_…`, `rt_…`, `lt_…` or, with no prefix, an authorization code or client secret. */
export function newToken(prefix?: "at" | "rt" | "lt"): string {
  const random = randomBytes(TOKEN_BYTES).toString("base64url");
  return prefix ? `${prefix}_${random}` : random;
}

/** Reports whether a text has the form of our access tokens. */
export function isAccessToken(text: string): boolean {
  return /^at_[\w-]{43}$/.test(text);
}

/**
 * Creates a `whsec_…` of 256 bits. Libraries for Standard Webhooks decode what follows the prefix, and only in the
 * standard alphabet of base64.
 */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(TOKEN_BYTES).toString("base64")}`;
}
