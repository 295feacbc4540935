type AuthorizeError = "access_denied" | "unsupported_response_type" | "invalid_scope" | "invalid_request";

/**
 * Where the person's browser takes the answer: the redirect URI with `code` or `error`, and with the state unchanged. Parameters
 * that the registered URI has stay as they are.
 */
export function answerUri(
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: { code: string } | { error: AuthorizeError },
): string {
  const uri = new URL(redirectUri);
  const pairs = Object.entries({ ...answer, ...(state !== null && { state }) });
  const added = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  uri.search = uri.search ? `${uri.search}&${added}` : added;
  return uri.href;
}
