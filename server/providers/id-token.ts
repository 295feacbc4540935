import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { clock } from "@/server/clock";
import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down } from "@/server/providers/ask-json";
import { objectOf } from "@/server/providers/json-values";

export interface IdTokenInput {
  clientId: string;
  /** Where the provider's metadata is (OpenID Connect Discovery §4). */
  discovery: string;
  fetch: EgressFetch;
  /** The issuer of a token with these claims, which are not verified yet. Omitted: the metadata's. */
  issuerOf?(issuer: string, claims: JWTPayload): string;
}

interface Metadata {
  issuer: string;
  keys: JSONWebKeySet;
  at: number;
}

/** Of whom a token is (OpenID Connect Core §2): one that is empty, or no text, would be everybody's. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/** How long metadata and keys are kept. Keys are rotated after days, and an unknown one is asked for at once. */
const METADATA_MS = 3_600_000;

/**
 * Creates a reader for the claims of an id_token. It verifies signature, issuer, audience, time and the nonce (OpenID
 * Connect Core §3.1.3.7), but no nonce of one that came with a renewed token (§12.2): its `nonce` is null.
 * Throws `down` for one that is not the provider's own or not for this sign-in.
 */
export function idTokenReader({ clientId, discovery, fetch, issuerOf = (issuer) => issuer }: IdTokenInput) {
  let known: Metadata | null = null;
  const get = async (url: string) => {
    const { status, body } = await askJson(fetch, url, { method: "GET", headers: { "user-agent": "Almanac" } });
    if (status !== 200) throw down(`http_${status}`);
    return objectOf(body);
  };
  const metadata = async (): Promise<Metadata> => {
    if (known && clock().now() - known.at < METADATA_MS) return known;
    const { issuer, jwks_uri } = await get(discovery);
    if (typeof issuer !== "string" || typeof jwks_uri !== "string") throw down("no_metadata");
    known = { issuer, keys: (await get(jwks_uri)) as unknown as JSONWebKeySet, at: clock().now() };
    return known;
  };
  const verified = async (token: string, nonce: string | null) => {
    const { issuer: template, keys } = await metadata();
    const claims = decodeJwt(token);
    const issuer = issuerOf(template, claims);
    const own = keysOf(keys, (name) => issuerOf(name, claims) === issuer);
    const currentDate = new Date(clock().now());
    return await jwtVerify(token, createLocalJWKSet(own), {
      ...{ issuer, audience: clientId, algorithms: ["RS256"], currentDate, clockTolerance: "1 minute" },
      requiredClaims: ["sub", "exp", "iat", ...(nonce === null ? [] : ["nonce"])],
    });
  };
  return async (token: unknown, nonce: string | null): Promise<JWTPayload & { sub: string }> => {
    if (typeof token !== "string") throw down("no_id_token");
    const { payload } = await verified(token, nonce)
      .catch((error) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        known = null;
        return verified(token, nonce);
      })
      .catch((error) => {
        throw error instanceof errors.JOSEError ? down("id_token") : error;
      });
    if (nonce !== null && payload.nonce !== nonce) throw down("id_token_nonce");
    const { sub } = payload;
    if (typeof sub !== "string" || !SUBJECT.test(sub)) throw down("id_token_subject");
    return { ...payload, sub };
  };
}

/**
 * Selects the keys that may sign for an issuer. A key that names an issuer signs for that one alone ("Signing key
 * issuer validation" of the Microsoft identity platform).
 */
function keysOf({ keys }: JSONWebKeySet, isOwn: (issuer: string) => boolean): JSONWebKeySet {
  const all = Array.isArray(keys) ? keys : [];
  return { keys: all.filter(({ issuer }) => typeof issuer !== "string" || isOwn(issuer)) };
}
