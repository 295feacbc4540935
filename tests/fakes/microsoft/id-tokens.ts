import { randomBytes } from "node:crypto";
import type { Grant } from "./grants";
import type { SigningKeys } from "./keys";
import type { World } from "./state";
import { issuerOf } from "./tenants";

export interface Subject {
  grant: Grant;
  scopes: string[];
  nonce: string | null;
}

const ID_TOKEN_LIFETIME = 3600;

/** The claims: page "ID token claims reference". */
export function idToken(world: World, keys: SigningKeys, { grant, scopes, nonce }: Subject): string {
  const { account, client } = grant;
  const issuedAt = Math.floor(world.now() / 1000);
  return keys.signed({
    aud: client.id,
    iss: issuerOf(world.origin, account.tid),
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + ID_TOKEN_LIFETIME,
    ...(scopes.includes("email") && { email: account.email }),
    ...(scopes.includes("profile") && { name: account.name, preferred_username: account.email }),
    ...(nonce !== null && { nonce }),
    // "The profile scope is required to receive this claim."
    ...(scopes.includes("profile") && { oid: account.oid }),
    rh: "0.AX8A",
    sub: account.sub,
    tid: account.tid,
    uti: randomBytes(12).toString("base64url"),
    ver: "2.0",
  });
}
