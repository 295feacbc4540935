/** The values of `error` in a 400 from an OAuth endpoint (RFC 6749 §5.2 and §4.1.2.1). */
export const oauthErrors = [
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "unsupported_grant_type",
  "unauthorized_client",
  "invalid_scope",
  "access_denied",
  "server_error",
] as const;

export type OAuthError = (typeof oauthErrors)[number];

/** The values of `error` when the user's browser comes back without a code. */
export const authorizeErrors = [
  "access_denied",
  "unsupported_response_type",
  "invalid_scope",
  "invalid_request",
] as const;

export type AuthorizeError = (typeof authorizeErrors)[number];

/** The values of `error` in a 400 from the registration endpoint (RFC 7591 §3.2.2). */
export const registrationErrors = ["invalid_redirect_uri", "invalid_client_metadata", "invalid_request"] as const;

export type RegistrationError = (typeof registrationErrors)[number];
