import { knownErrors, type MicrosoftError } from "./errors";
import type { Grants } from "./grants";
import { userIdOf } from "./me";
import { bearer, tokenIn } from "./openid";
import type { WireRequest } from "./request";
import { type Access, allows } from "./scopes";
import { type Account, sameAddress, type World } from "./state";

/** Who calls Graph: a user through a client, or an application by itself. */
export interface Caller {
  /** The user's id, or the object id of the application's service principal. */
  id: string;
  clientId: string;
  tid: string;
  /** Undefined for an application by itself. */
  account: Account | undefined;
  /** The scopes of the user's token, or the roles of the application's. */
  permissions: ReadonlySet<string>;
}

/** Who sends a request; 401 without a valid access token. */
export function callerOf(world: World, grants: Grants, request: WireRequest): Caller {
  const token = grants.applications.tokens.get(tokenIn(request));
  if (token && token.expires > world.now()) {
    const { clientId, tenant, objectId } = token.application;
    return { id: objectId, clientId, tid: tenant, account: undefined, permissions: token.roles };
  }
  const { grant, scopes } = bearer(world, grants, request);
  const { account, client } = grant;
  return { id: userIdOf(account), clientId: client.id, tid: account.tid, account, permissions: scopes };
}

/** 403 without a permission: of the directory in its words, of everything else in those of Exchange. */
export function permit({ account, permissions }: Caller, access: Access): void {
  if (allows(permissions, access, account === undefined)) return;
  const ofDirectory = ["users", "groups", "memberships", ...(account ? [] : ["profile"])];
  throw ofDirectory.includes(access) ? knownErrors.authorizationDenied() : knownErrors.accessDenied();
}

/** Whether users/{key} is this account: by its id or its userPrincipalName. */
export const isUser = (account: Account, key: string) =>
  [account.oid, account.email, userIdOf(account)].some((one) => sameAddress(one, key));

/** The account of /me, or of users/{key}: for an application anybody of its tenant, `missing` for others. */
export function accountFor(
  world: World,
  { account, tid }: Caller,
  key: string | undefined,
  missing: (key: string) => MicrosoftError,
): Account {
  if (account) {
    // [K]: without a shared calendar it is denied.
    if (key !== undefined && !isUser(account, key)) throw knownErrors.accessDenied();
    return account;
  }
  if (key === undefined) throw knownErrors.notDelegated();
  const found = world.accounts.find((one) => one.tid === tid && isUser(one, key));
  if (!found) throw missing(key);
  return found;
}
