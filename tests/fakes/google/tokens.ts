import { createHash } from "node:crypto";
import { byAssertion, JWT_BEARER } from "./assertions";
import { oauthError, type WireResponse } from "./errors";
import { type Code, type Grant, type Grants, newToken, type OAuthClient } from "./grants";
import { atHash, signed } from "./keys";
import type { WireRequest } from "./request";
import { includesScope } from "./scopes";
import type { ServiceAccounts } from "./service-accounts";
import type { World } from "./state";

const ID_TOKEN_LIFETIME = 3600;

/**
 * /token: authorization_code and refresh_token (RFC 6749 sections 4.1.3 and 6), and the assertions of service accounts, which are no clients.
 * Descriptions of errors are [K].
 */
export function token(
  world: World,
  grants: Grants,
  serviceAccounts: ServiceAccounts,
  request: WireRequest,
): WireResponse {
  const form = new URLSearchParams(request.body);
  if (form.get("grant_type") === JWT_BEARER) return byAssertion(world, grants, serviceAccounts, form);
  const client = authenticated(grants, request, form);
  const type = form.get("grant_type");
  if (type === "authorization_code") return byCode(world, grants, client, form);
  if (type === "refresh_token") return byRefreshToken(world, grants, client, form);
  throw oauthError(400, "unsupported_grant_type", `Invalid grant_type: ${type ?? ""}`);
}

/** /revoke: guide "Using OAuth 2.0 for Web Server Applications", Revoking a token. */
export function revoke(grants: Grants, request: WireRequest): WireResponse {
  const value = new URLSearchParams(request.body).get("token") ?? request.query.get("token") ?? "";
  const grant = grants.accessTokens.get(value)?.grant ?? grants.byRefreshToken(value);
  if (!grant || grant.revoked) throw oauthError(400, "invalid_token", "Token expired or revoked");
  // The guide: revoking an access token revokes its refresh token as well. [K]: the other way round too.
  grants.revoke(grant);
  return { status: 200, body: {} };
}

function authenticated(grants: Grants, { headers }: WireRequest, form: URLSearchParams): OAuthClient {
  const [id, secret] = basic(headers.authorization) ?? [form.get("client_id"), form.get("client_secret")];
  const client = grants.clients.find((one) => one.id === id);
  if (!client) throw oauthError(401, "invalid_client", "The OAuth client was not found.");
  if (client.secret !== secret) throw oauthError(401, "invalid_client", "Unauthorized");
  return client;
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function basic(header: string | undefined): [string, string] | undefined {
  if (!header?.startsWith("Basic ")) return undefined;
  const [id = "", secret = ""] = Buffer.from(header.slice(6), "base64").toString().split(":");
  const decode = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
  return [decode(id), decode(secret)];
}

function byCode(world: World, grants: Grants, client: OAuthClient, form: URLSearchParams): WireResponse {
  const value = form.get("code") ?? "";
  const code = grants.codes.get(value);
  grants.codes.delete(value);
  if (!code || code.grant.client !== client || code.grant.revoked || code.expires < world.now()) {
    throw oauthError(400, "invalid_grant", "Bad Request");
  }
  if (form.get("redirect_uri") !== code.redirectUri) throw oauthError(400, "redirect_uri_mismatch", "Bad Request");
  verifyPkce(code, form.get("code_verifier"));
  const { grant, scopes, nonce } = code;
  const issued = code.issuesRefreshToken ? { refresh_token: newToken("1//0") } : {};
  if (issued.refresh_token) grant.refreshTokens.set(issued.refresh_token, scopes);
  return { status: 200, body: { ...tokens(world, grants, { grant, scopes, nonce }), ...issued } };
}

function verifyPkce({ challenge, challengeMethod }: Code, verifier: string | null): void {
  if (challenge === null) return;
  if (!verifier) throw oauthError(400, "invalid_grant", "Missing code verifier.");
  const proof = challengeMethod === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
  if (proof !== challenge) throw oauthError(400, "invalid_grant", "Invalid code verifier.");
}

/** [K], the same guide: the response to a refresh holds no new refresh token. */
function byRefreshToken(world: World, grants: Grants, client: OAuthClient, form: URLSearchParams): WireResponse {
  const value = form.get("refresh_token") ?? "";
  const grant = grants.byRefreshToken(value);
  if (!grant || grant.client !== client || grant.revoked || grant.account.isSuspended) {
    throw oauthError(400, "invalid_grant", "Token has been expired or revoked.");
  }
  return {
    status: 200,
    body: tokens(world, grants, { grant, scopes: grant.refreshTokens.get(value) ?? [], nonce: null }),
  };
}

interface Issue {
  grant: Grant;
  scopes: string[];
  nonce: string | null;
}

function tokens(world: World, grants: Grants, { grant, scopes, nonce }: Issue): object {
  const access_token = grants.issueAccessToken(grant, scopes);
  const hasIdToken = scopes.includes("openid");
  return {
    access_token,
    expires_in: world.knobs.accessTokenLifetime,
    scope: scopes.join(" "),
    token_type: "Bearer",
    ...(hasIdToken && { id_token: idToken(world, { grant, scopes, nonce }, access_token) }),
  };
}

/** The claims: [K], OpenID Connect guide, "An ID token's payload". */
function idToken(world: World, { grant, scopes, nonce }: Issue, accessToken: string): string {
  const { account, client } = grant;
  const issuedAt = Math.floor(world.now() / 1000);
  return signed({
    iss: world.origin,
    azp: client.id,
    aud: client.id,
    sub: account.sub,
    ...(account.hd && { hd: account.hd }),
    ...(includesScope(scopes, "email") && { email: account.email, email_verified: true }),
    ...(includesScope(scopes, "profile") && { name: account.name }),
    ...(nonce !== null && { nonce }),
    at_hash: atHash(accessToken),
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_LIFETIME,
  });
}
