import { knownErrors, type WireResponse } from "./errors";
import type { AccessToken, Grants } from "./grants";
import type { WireRequest } from "./request";
import { includesScope } from "./scopes";
import type { World } from "./state";

/** The discovery document, with the fields of accounts.google.com/.well-known/openid-configuration [K]. */
export function discovery(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/o/oauth2/v2/auth`,
    token_endpoint: `${origin}/token`,
    userinfo_endpoint: `${origin}/oauth2/v3/userinfo`,
    revocation_endpoint: `${origin}/revoke`,
    jwks_uri: `${origin}/oauth2/v3/certs`,
    response_types_supported: ["code", "token", "id_token", "code token", "code id_token", "none"],
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "email", "profile"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    claims_supported: ["aud", "email", "email_verified", "exp", "hd", "iat", "iss", "name", "sub"],
    code_challenge_methods_supported: ["plain", "S256"],
    grant_types_supported: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
  };
}

/** /oauth2/v3/userinfo. */
export function userinfo(world: World, grants: Grants, request: WireRequest): WireResponse {
  const { grant, scopes } = bearer(world, grants, request);
  const { sub, email, name, hd } = grant.account;
  const emails = includesScope(scopes, "email") && { email, email_verified: true };
  const profile = includesScope(scopes, "profile") && { name };
  return { status: 200, body: { sub, ...profile, ...emails, ...(hd && { hd }) } };
}

/** The valid access token of a request; 401 otherwise. */
export function bearer(world: World, grants: Grants, { headers }: WireRequest): AccessToken {
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  const access = grants.accessTokens.get(token ?? "");
  if (!access || access.expires <= world.now() || access.grant.account.isSuspended) throw knownErrors.authError();
  return access;
}

/** The valid access token of a request; 401 otherwise, and 403 without one of these scopes. */
export function authorized(world: World, grants: Grants, request: WireRequest, accepted: string[]): AccessToken {
  const access = bearer(world, grants, request);
  if (!access.scopes.some((scope) => accepted.includes(scope))) throw knownErrors.insufficientPermissions();
  return access;
}
