import { createHash, randomBytes } from "node:crypto";

const BYTES = 32;

/** Gives a PKCE verifier or a nonce: "32-octet sequence … base64url-encoded" (RFC 7636 §4.1). */
export function unguessable(): string {
  return randomBytes(BYTES).toString("base64url");
}

/** Gives the S256 challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
