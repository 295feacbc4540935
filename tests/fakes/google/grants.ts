import { randomBytes } from "node:crypto";
import type { Account, World } from "./state";

export interface OAuthClient {
  id: string;
  secret: string;
  redirectUris: string[];
}

/** A checked request of the authorization endpoint. */
export interface Authorization {
  client: OAuthClient;
  redirectUri: string;
  scopes: string[];
  query: URLSearchParams;
}

/** What a user has consented to for a client; revoking any token of it revokes all. */
export interface Grant {
  account: Account;
  client: OAuthClient;
  scopes: Set<string>;
  /** The scopes of each refresh token. */
  refreshTokens: Map<string, string[]>;
  revoked: boolean;
}

export interface Code {
  grant: Grant;
  scopes: string[];
  redirectUri: string;
  challenge: string | null;
  challengeMethod: string;
  nonce: string | null;
  issuesRefreshToken: boolean;
  expires: number;
}

export interface AccessToken {
  grant: Grant;
  scopes: string[];
  expires: number;
}

export interface Grants {
  clients: OAuthClient[];
  codes: Map<string, Code>;
  accessTokens: Map<string, AccessToken>;
  /** The grant of a user for a client, if it is not revoked. */
  of(account: Account, client: OAuthClient): Grant | undefined;
  create(account: Account, client: OAuthClient): Grant;
  byRefreshToken(token: string): Grant | undefined;
  revoke(grant: Grant): void;
  issueAccessToken(grant: Grant, scopes: string[]): string;
}

/** A random token with one of the beginnings that Google's have. */
export const newToken = (prefix: string) => `${prefix}${randomBytes(24).toString("base64url")}`;

/** What users have consented to, and the codes and tokens that came of it. */
export function grantStore(world: World, clients: OAuthClient[]): Grants {
  const grants: Grant[] = [];
  const accessTokens = new Map<string, AccessToken>();
  return {
    clients,
    codes: new Map(),
    accessTokens,
    of: (account, client) =>
      grants.find((grant) => grant.account === account && grant.client === client && !grant.revoked),
    create(account, client) {
      const grant: Grant = { account, client, scopes: new Set(), refreshTokens: new Map(), revoked: false };
      grants.push(grant);
      return grant;
    },
    byRefreshToken: (token) => grants.find(({ refreshTokens }) => refreshTokens.has(token)),
    revoke(grant) {
      grant.revoked = true;
      for (const [token, { grant: owner }] of accessTokens) if (owner === grant) accessTokens.delete(token);
    },
    issueAccessToken(grant, scopes) {
      const token = newToken("ya29.");
      accessTokens.set(token, { grant, scopes, expires: world.now() + world.knobs.accessTokenLifetime * 1000 });
      return token;
    },
  };
}
