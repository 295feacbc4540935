import { verify } from "node:crypto";
import { type GoogleError, oauthError, type WireResponse } from "./errors";
import type { Grants } from "./grants";
import type { ServiceAccountRecord, ServiceAccounts } from "./service-accounts";
import { accountOf, domainOf, type World } from "./state";

export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Guide "Using OAuth 2.0 for Server to Server Applications", claim exp: "a maximum of 1 hour after the issued time". */
const LONGEST_LIFE = 3600;
/** Seconds that a clock may be wrong [K]. */
const SKEW = 300;

interface Claims {
  iss?: string;
  sub?: string;
  scope?: string;
  aud?: string;
  iat?: number;
  exp?: number;
}

const invalidGrant = (description: string) => oauthError(400, "invalid_grant", description);
const badSignature = () => invalidGrant("Invalid JWT Signature.");

/** The grant of RFC 7523 section 2.1 to a service account: the same guide, section "Making the access token request". */
export function byAssertion(
  world: World,
  grants: Grants,
  serviceAccounts: ServiceAccounts,
  form: URLSearchParams,
): WireResponse {
  const parts = (form.get("assertion") ?? "").split(".");
  const { kid, alg } = decoded<{ kid?: string; alg?: string }>(parts[0]);
  const claims = decoded<Claims>(parts[1]);
  const issuer = serviceAccounts.of(claims.iss ?? "");
  // googleapis/google-cloud-php#3622: the service account is disabled or deleted.
  if (!issuer) throw invalidGrant("Invalid grant: account not found");
  // Google's own client for Node sends no kid.
  const isOfKey = kid === undefined || kid === issuer.keyId;
  if (alg !== "RS256" || !isOfKey || !isSigned(issuer, parts)) throw badSignature();
  checkClaims(world, claims);
  const scopes = (claims.scope ?? "").split(" ").filter((scope) => scope !== "");
  // [K].
  if (scopes.length === 0) throw oauthError(400, "invalid_scope", "Empty or missing scope not allowed.");
  const access_token = issued(world, grants, issuer, claims.sub ?? "", scopes);
  // The guide's sample has no refresh token.
  return {
    status: 200,
    body: { access_token, expires_in: world.knobs.accessTokenLifetime, token_type: "Bearer" },
  };
}

function decoded<T>(part = ""): Partial<T> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as Partial<T>;
  } catch {
    // [K].
    throw badSignature();
  }
}

function isSigned({ publicKey }: ServiceAccountRecord, [header, payload, signature = ""]: string[]): boolean {
  if (!publicKey) return false;
  return verify("sha256", Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, "base64url"));
}

function checkClaims(world: World, { aud, iat = Number.NaN, exp = Number.NaN }: Claims): void {
  const now = world.now() / 1000;
  if (!(exp > now - SKEW && iat < now + SKEW && exp > iat && exp - iat <= LONGEST_LIFE)) throw outOfTime();
  // [K].
  if (aud !== `${world.origin}/token` && aud !== "https://oauth2.googleapis.com/token") {
    throw invalidGrant("Invalid JWT: Failed audience check.");
  }
}

/** The text: fastlane/fastlane#14972, googleapis/google-api-php-client#1501. */
function outOfTime(): GoogleError {
  return invalidGrant(
    "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values and use a clock with skew to account for clock differences between systems.",
  );
}

function issued(world: World, grants: Grants, issuer: ServiceAccountRecord, sub: string, scopes: string[]): string {
  const account = accountOf(world, sub);
  // The text: the errors that GAM expects of this endpoint. [K]: a suspended user and an alias get the same.
  if (!account || account.isSuspended) throw invalidGrant("Invalid email or User ID");
  const isDelegated = issuer.isDelegated && domainOf(account) === issuer.domain;
  if (!isDelegated || !scopes.every((scope) => issuer.scopes.has(scope))) throw unauthorized();
  const grant = grants.of(account, issuer.client) ?? grants.create(account, issuer.client);
  return grants.issueAccessToken(grant, scopes);
}

/**
 * Status and text: peburrows/goth#159. A user whom the administrator cannot delegate gets it too, as one of gmail.com
 * [R googleapis/google-api-dotnet-client#1304, #1561].
 */
const unauthorized = () =>
  oauthError(
    401,
    "unauthorized_client",
    "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
  );
