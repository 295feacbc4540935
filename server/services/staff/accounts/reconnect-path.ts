import { type Access, accessParameter } from "@/server/domain/access";

interface Reconnecting {
  clientId: string;
  /** One of the application's registered URIs. */
  redirectUri: string;
  /** The provider's name on the wire. */
  provider: string;
  access: Access;
}

/**
 * Returns the path at which a user reconnects a calendar account: an authorization request like the application's own,
 * with the same provider_name and access, so that the same profile comes back (spec, "States": "Profile, disconnected"). It has no
 * `state`: only the application could check one.
 */
export function reconnectPath({ clientId, redirectUri, provider, access }: Reconnecting): string {
  const named = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, provider_name: provider };
  const query = { ...named, ...accessParameter(access) };
  return `/oauth/authorize?${new URLSearchParams(query)}`;
}
