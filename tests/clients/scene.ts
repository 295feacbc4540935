import type { Connection } from "../api/clients/connection";

/** What a program in another language reads of a connection. */
export function sceneOf({ application, tokenUrl, revokeUrl, redirectUri, code }: Connection) {
  const { clientId: client_id, clientSecret: client_secret } = application;
  return { client_id, client_secret, token_url: tokenUrl, revoke_url: revokeUrl, redirect_uri: redirectUri, code };
}
