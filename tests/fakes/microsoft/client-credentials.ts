import { constants, verify } from "node:crypto";
import { tokenError } from "./aadsts";
import type { ApplicationRecord } from "./applications";
import type { WireResponse } from "./errors";
import { type Grants, newToken } from "./grants";
import type { World } from "./state";

const SCOPE = "https://graph.microsoft.com/.default";
const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** Seconds that a clock may be wrong [K]. */
const SKEW = 300;

interface Claims {
  aud?: string;
  iss?: string;
  sub?: string;
  nbf?: number;
  exp?: number;
}

/** The parameters of a request for a token, with the credentials of a header Authorization among them. */
export type Parameters = (name: string) => string | null;

/** grant_type=client_credentials: page "OAuth 2.0 client credentials flow", Get a token. */
export function byCredentials(world: World, grants: Grants, given: Parameters, tenant: string): WireResponse {
  const refuse = (code: number) => tokenError(code, world.now());
  const { applications } = grants;
  if (!applications.hasTenant(tenant)) throw refuse(90002);
  const application = applications.of(tenant, given("client_id") ?? "");
  if (!application) throw refuse(700016);
  const scope = given("scope");
  if (scope === null) throw refuse(900144);
  if (scope !== SCOPE) throw refuse(1002012);
  const trouble = troubleOf(world, application, given);
  if (trouble !== null) throw refuse(trouble);
  const { accessTokenLifetime } = world.knobs;
  const access_token = newToken("eyJ0eXAi");
  applications.tokens.set(access_token, {
    application,
    // Claim roles: what was consented to later is in the next token alone.
    roles: new Set(application.roles),
    expires: world.now() + accessTokenLifetime * 1000,
  });
  return {
    status: 200,
    headers: { "cache-control": "no-store, no-cache", pragma: "no-cache" },
    body: { token_type: "Bearer", expires_in: accessTokenLifetime, ext_expires_in: accessTokenLifetime, access_token },
  };
}

/** The number of what is wrong with the credentials; null for nothing. */
function troubleOf(world: World, application: ApplicationRecord, given: Parameters): number | null {
  const secret = given("client_secret");
  if (secret !== null) {
    if (secret !== application.secret) return 7000215;
    return application.isSecretExpired ? 7000222 : null;
  }
  const assertion = given("client_assertion");
  if (assertion === null || given("client_assertion_type") !== JWT_BEARER) return 7000218;
  return troubleIn(world, application, assertion);
}

/** Page "Certificate credentials": PS256 with x5t#S256; RS256 with x5t is what its older editions say. */
function troubleIn(world: World, application: ApplicationRecord, assertion: string): number | null {
  const parts = assertion.split(".");
  const { alg, ...header } = decoded(parts[0]) as { alg?: string; x5t?: string; "x5t#S256"?: string };
  const { aud, iss, sub, nbf, exp } = decoded(parts[1]) as Claims;
  const { clientId, tenant, thumbprints } = application;
  if (iss !== clientId || sub !== clientId) return 700021;
  if (!thumbprints.includes(header["x5t#S256"] ?? header.x5t ?? "")) return 700027;
  if (!isSigned(application, alg, parts)) return 700027;
  const origins = [world.origin, "https://login.microsoftonline.com"];
  if (!origins.some((origin) => aud === `${origin}/${tenant}/oauth2/v2.0/token`)) return 700023;
  const now = world.now() / 1000;
  return exp !== undefined && exp > now - SKEW && (nbf ?? now) < now + SKEW ? null : 700024;
}

function decoded(part = ""): object {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as object;
  } catch {
    return {};
  }
}

function isSigned({ publicKey }: ApplicationRecord, alg: string | undefined, parts: string[]): boolean {
  const [header, payload, signature = ""] = parts;
  const padding = { RS256: constants.RSA_PKCS1_PADDING, PS256: constants.RSA_PKCS1_PSS_PADDING }[alg ?? ""];
  if (padding === undefined) return false;
  const key = { key: publicKey, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
}
