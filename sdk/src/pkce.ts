/** For `authorizationUrl` (the challenge) and `exchangeCode` (the verifier). */
export interface Pkce {
  codeVerifier: string;
  codeChallenge: string;
}

/** A verifier at random with its S256 challenge (RFC 7636). */
export async function createPkce(): Promise<Pkce> {
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return { codeVerifier, codeChallenge: base64url(new Uint8Array(digest)) };
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
