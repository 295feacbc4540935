import { KNOWN_SCOPES } from "@/server/domain/grants";
import type { AuthorizeError } from "@/server/domain/oauth-errors";

/** Why the user comes back without a code. All are `access_denied`. */
export type DeniedBecause = "cancelled" | "link_ended" | "elsewhere";

/** Descriptions for developers (RFC 6749 §4.1.2.1: printable ASCII, neither quote nor backslash). */
const descriptions: Record<Exclude<AuthorizeError, "access_denied"> | DeniedBecause, string> = {
  unsupported_response_type: "response_type must be code",
  invalid_scope: `scope must be one or more of ${KNOWN_SCOPES.join(" ")} separated by single spaces`,
  invalid_request: "code_challenge must be 43 characters of base64url with code_challenge_method=S256",
  cancelled: "The user cancelled",
  link_ended: "The link token is unknown, used or expired",
  elsewhere: "The calendar account is already connected to another account of the application",
};

type AuthorizationResponse =
  | { code: string }
  | { error: "access_denied"; because: DeniedBecause }
  | { error: Exclude<AuthorizeError, "access_denied"> };

/**
 * Builds the URI to which the user's browser takes the response: the redirect URI with `code`, or with `error` and
 * `error_description`, and with the state unchanged. Parameters of the registered URI stay unchanged.
 */
export function responseUri(
  { redirectUri, state }: { redirectUri: string; state: string | null },
  response: AuthorizationResponse,
): string {
  const uri = new URL(redirectUri);
  const pairs = Object.entries({ ...parametersOf(response), ...(state !== null && { state }) });
  const added = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  uri.search = uri.search ? `${uri.search}&${added}` : added;
  return uri.href;
}

function parametersOf(response: AuthorizationResponse): Record<string, string> {
  if ("code" in response) return response;
  const { error } = response;
  return { error, error_description: descriptions[error === "access_denied" ? response.because : error] };
}
