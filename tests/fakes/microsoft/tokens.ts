import { createHash } from "node:crypto";
import { tokenError } from "./aadsts";
import { byCredentials } from "./client-credentials";
import type { MicrosoftError, WireResponse } from "./errors";
import type { Code, Family, Grants, OAuthClient, RefreshToken } from "./grants";
import { idToken } from "./id-tokens";
import type { SigningKeys } from "./keys";
import type { WireRequest } from "./request";
import { shownScopes } from "./scopes";
import type { World } from "./state";
import { admits, wrongKindCode } from "./tenants";

/** Page "Refresh tokens": 90 days without use for all but single page apps. */
const REFRESH_LIFETIME = 90 * 86_400_000;

export interface TokenServer {
  world: World;
  grants: Grants;
  keys: SigningKeys;
}

/** {tenant}/oauth2/v2.0/token: authorization_code and refresh_token (page "Authorization code flow"), and client_credentials. */
export function token(server: TokenServer, request: WireRequest, tenant: string): WireResponse {
  const { world } = server;
  const form = new URLSearchParams(request.body);
  const type = form.get("grant_type");
  if (type === null) throw tokenError(900144, world.now());
  if (type === "client_credentials") {
    const [client_id, client_secret] = basic(request.headers.authorization) ?? [];
    const given: Record<string, string | undefined> = { client_id, client_secret };
    return byCredentials(world, server.grants, (name) => given[name] ?? form.get(name), tenant);
  }
  const client = authenticated(server, request, form);
  if (type === "authorization_code") return byCode(server, client, form, tenant);
  if (type === "refresh_token") return byRefreshToken(server, client, form, tenant);
  throw tokenError(70003, world.now());
}

function authenticated({ world, grants }: TokenServer, { headers }: WireRequest, form: URLSearchParams): OAuthClient {
  const [id, secret] = basic(headers.authorization) ?? [form.get("client_id"), form.get("client_secret")];
  const client = grants.clients.find((one) => one.id === id);
  if (!client) throw tokenError(700016, world.now());
  if (client.secret !== secret) throw tokenError(7000215, world.now());
  return client;
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function basic(header: string | undefined): [string, string] | undefined {
  if (!header?.startsWith("Basic ")) return undefined;
  const [id = "", secret = ""] = Buffer.from(header.slice(6), "base64").toString().split(":");
  const decode = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
  return [decode(id), decode(secret)];
}

function byCode(server: TokenServer, client: OAuthClient, form: URLSearchParams, tenant: string): WireResponse {
  const { world, grants } = server;
  const refuse = (number: number) => tokenError(number, world.now());
  const code = grants.codes.get(form.get("code") ?? "");
  if (!code || code.grant.client !== client || code.grant.revoked) throw refuse(70000);
  if (code.redeemed) throw refuse(54005);
  if (code.expires < world.now()) throw refuse(70008);
  if (form.get("redirect_uri") !== code.redirectUri) throw refuse(50011);
  verifyPkce(code, form.get("code_verifier"), refuse);
  const { grant, scopes, nonce } = code;
  if (!admits(tenant, grant.account) && code.tenant !== tenant) throw refuse(wrongKindCode(tenant, grant.account));
  code.redeemed = true;
  return issued(server, { grant, ended: false }, scopes, nonce);
}

function verifyPkce(
  { challenge, challengeMethod }: Code,
  verifier: string | null,
  refuse: (code: number) => MicrosoftError,
) {
  if (challenge === null) return;
  if (!verifier) throw refuse(501481);
  const proof = challengeMethod === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
  if (proof !== challenge) throw refuse(501481);
}

function byRefreshToken(server: TokenServer, client: OAuthClient, form: URLSearchParams, tenant: string): WireResponse {
  const { world, grants } = server;
  const refuse = (number: number) => tokenError(number, world.now());
  const used = grants.refreshTokens.get(form.get("refresh_token") ?? "");
  if (!used || used.family.grant.client !== client) throw refuse(70000);
  const { grant } = used.family;
  const trouble = grants.trouble.get(grant.account);
  if (trouble?.code !== undefined) throw refuse(trouble.code);
  if (!grant.account.isEnabled) throw refuse(50057);
  if (grant.revoked) throw refuse(65001);
  if (used.family.ended) throw refuse(50173);
  if (!admits(tenant, grant.account)) throw refuse(wrongKindCode(tenant, grant.account));
  if (world.now() - used.issued > REFRESH_LIFETIME) throw refuse(700082);
  spend(world, used, refuse);
  return issued(server, used.family, used.scopes, null);
}

/**
 * Page "Refresh tokens": "The Microsoft identity platform doesn't revoke old refresh tokens when used to fetch new access tokens".
 * The grace is for the day when it does: then the old one is refused, and may end its family (RFC 9700 section 4.14.2).
 */
function spend(world: World, used: RefreshToken, refuse: (code: number) => MicrosoftError): void {
  const { refreshGrace, reuseEndsFamily } = world.knobs;
  if (used.used === undefined) used.used = world.now();
  else if (refreshGrace !== null && world.now() >= used.used + refreshGrace * 1000) {
    if (reuseEndsFamily) used.family.ended = true;
    throw refuse(50173);
  }
}

function issued(
  { world, grants, keys }: TokenServer,
  family: Family,
  scopes: string[],
  nonce: string | null,
): WireResponse {
  const { grant } = family;
  const { accessTokenLifetime } = world.knobs;
  const body = {
    token_type: "Bearer",
    scope: shownScopes(new Set([...scopes, ...grant.scopes]), grant.account.kind),
    expires_in: accessTokenLifetime,
    ext_expires_in: accessTokenLifetime,
    access_token: grants.issueAccessToken(grant, scopes),
    // "Only provided if offline_access scope was requested." Each use brings a new one.
    ...(scopes.includes("offline_access") && { refresh_token: grants.issueRefreshToken(family, scopes) }),
    ...(scopes.includes("openid") && { id_token: idToken(world, keys, { grant, scopes, nonce }) }),
  };
  return { status: 200, headers: { "cache-control": "no-store, no-cache", pragma: "no-cache" }, body };
}
