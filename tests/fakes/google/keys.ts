import { createHash, createSign, generateKeyPairSync } from "node:crypto";

const KEY_ID = "fake-key-1";
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The key set at /oauth2/v3/certs. */
export function certs(): object {
  return { keys: [{ ...pair.publicKey.export({ format: "jwk" }), kid: KEY_ID, alg: "RS256", use: "sig" }] };
}

/** A JWT of these claims, signed by RS256 with the published key. */
export function signed(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${part({ alg: "RS256", kid: KEY_ID, typ: "JWT" })}.${part(claims)}`;
  return `${input}.${createSign("sha256").update(input).sign(pair.privateKey).toString("base64url")}`;
}

/** The first half of a hash of the access token: OpenID Connect Core section 3.1.3.6. */
export function atHash(accessToken: string): string {
  return createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url");
}
