import { randomBytes } from "node:crypto";
import { type Applications, applicationStore } from "./applications";
import type { Account, World } from "./state";

export interface OAuthClient {
  id: string;
  secret: string;
  redirectUris: string[];
}

/** A checked request of the authorization endpoint. */
export interface Authorization {
  client: OAuthClient;
  /** organizations, consumers, common or the id of a tenant. */
  tenant: string;
  redirectUri: string;
  scopes: string[];
  query: URLSearchParams;
}

/** What a user has consented to for a client. */
export interface Grant {
  account: Account;
  client: OAuthClient;
  scopes: Set<string>;
  revoked: boolean;
}

/** The refresh tokens that came of one sign-in. */
export interface Family {
  grant: Grant;
  ended: boolean;
}

export interface RefreshToken {
  family: Family;
  scopes: string[];
  issued: number;
  /** When it was used for the first time. */
  used?: number;
}

export interface Code {
  grant: Grant;
  tenant: string;
  scopes: string[];
  redirectUri: string;
  challenge: string | null;
  challengeMethod: string;
  nonce: string | null;
  expires: number;
  redeemed: boolean;
}

export interface AccessToken {
  grant: Grant;
  scopes: Set<string>;
  issued: number;
  expires: number;
}

/** Why the tokens of an account are refused. */
export interface Trouble {
  /** The number that refreshing gets. */
  code?: number;
  /** Access tokens of before this time get a claims challenge. */
  challengedSince?: number;
}

export interface Grants {
  clients: OAuthClient[];
  codes: Map<string, Code>;
  accessTokens: Map<string, AccessToken>;
  refreshTokens: Map<string, RefreshToken>;
  trouble: Map<Account, Trouble>;
  /** Those that administrators have consented to, and their tokens. */
  applications: Applications;
  /** The grant of a user for a client, if it is not revoked. */
  of(account: Account, client: OAuthClient): Grant | undefined;
  create(account: Account, client: OAuthClient): Grant;
  revoke(grant: Grant): void;
  issueAccessToken(grant: Grant, scopes: string[]): string;
  issueRefreshToken(family: Family, scopes: string[]): string;
}

/** A random token with one of the beginnings that Microsoft's have. */
export const newToken = (prefix: string, bytes = 48) => `${prefix}${randomBytes(bytes).toString("base64url")}`;

/** A refresh token of theirs has between one and two thousand characters. */
const REFRESH_TOKEN_BYTES = 1_000;

/** What users have consented to, and the codes and tokens that came of it. */
export function grantStore(world: World, clients: OAuthClient[]): Grants {
  const grants: Grant[] = [];
  const accessTokens = new Map<string, AccessToken>();
  const refreshTokens = new Map<string, RefreshToken>();
  return {
    clients,
    codes: new Map(),
    accessTokens,
    refreshTokens,
    trouble: new Map(),
    applications: applicationStore(world),
    of: (account, client) =>
      grants.find((grant) => grant.account === account && grant.client === client && !grant.revoked),
    create(account, client) {
      const grant: Grant = { account, client, scopes: new Set(), revoked: false };
      grants.push(grant);
      return grant;
    },
    revoke(grant) {
      grant.revoked = true;
      for (const [token, { grant: owner }] of accessTokens) if (owner === grant) accessTokens.delete(token);
    },
    issueAccessToken(grant, scopes) {
      const token = newToken(grant.account.kind === "personal" ? "EwB" : "eyJ0eXAi");
      const issued = world.now();
      const expires = issued + world.knobs.accessTokenLifetime * 1000;
      // [K]: a token for Graph holds everything that was consented to, not what was asked for alone.
      accessTokens.set(token, { grant, scopes: new Set([...scopes, ...grant.scopes]), issued, expires });
      return token;
    },
    issueRefreshToken(family, scopes) {
      const token = newToken(family.grant.account.kind === "personal" ? "M.C5_" : "0.AX8A", REFRESH_TOKEN_BYTES);
      refreshTokens.set(token, { family, scopes, issued: world.now() });
      return token;
    },
  };
}
