import { lessAccess } from "@/server/domain/access";
import { KNOWN_SCOPES } from "@/server/domain/grants";
import type { AuthorizeError } from "@/server/domain/oauth-errors";

/** Why the user comes back without a code. All are `access_denied`. */
export type DeniedBecause = "cancelled" | "link_ended" | "elsewhere" | "other_account";

/** The parameter that makes a request invalid. */
export type InvalidParameter = "access" | "code_challenge" | "no_code_challenge";

/** Descriptions for developers (RFC 6749 §4.1.2.1: printable ASCII, neither quote nor backslash). */
const descriptions: Record<
  Exclude<AuthorizeError, "access_denied" | "invalid_request"> | InvalidParameter | DeniedBecause,
  string
> = {
  unsupported_response_type: "response_type must be code",
  invalid_scope: `scope must be one or more of ${KNOWN_SCOPES.join(" ")} separated by single spaces`,
  access: `access must be ${lessAccess.join(" or ")}, or omitted`,
  code_challenge: "code_challenge must be 43 characters of base64url with code_challenge_method=S256",
  no_code_challenge: "code_challenge with code_challenge_method=S256 is required of a public client",
  cancelled: "The user cancelled",
  link_ended: "The link token is unknown, used or expired",
  elsewhere: "The calendar account is already connected to another account of the application",
  other_account: "The user signed in with another calendar account than the one to reconnect",
};

/** Why a request leads back at once. */
export type RefusedRequest =
  | { error: Exclude<AuthorizeError, "access_denied" | "invalid_request"> }
  | { error: "invalid_request"; because: InvalidParameter };

type AuthorizationResponse = { code: string } | { error: "access_denied"; because: DeniedBecause } | RefusedRequest;

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
  return {
    error: response.error,
    error_description: descriptions["because" in response ? response.because : response.error],
  };
}
