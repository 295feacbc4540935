import { newToken } from "@/server/db/new-id";

/** `rt_`, the grant's id without its prefix, and 256 bits: an old one is known by the id, without being stored. */
const ROTATING = /^rt_([0-9a-f]{24})[\w-]{43}$/;

/** Creates a refresh token for a grant of a public client. */
export function newRotatingToken(grantId: string): string {
  return newToken("rt").replace("_", `_${grantId.replace(/^gra_/, "")}`);
}

/** Reports whether a refresh token is of the kind that public clients get. */
export function isRotating(refreshToken: string): boolean {
  return ROTATING.test(refreshToken);
}

/** Returns the grant that a rotating refresh token names, whether or not it was ever issued. Null: it is of another kind. */
export function grantNamedBy(refreshToken: string): string | null {
  const [, id] = ROTATING.exec(refreshToken) ?? [];
  return id === undefined ? null : `gra_${id}`;
}
