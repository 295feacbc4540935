import type { EndpointError } from "@/server/http/openapi/error-keys";
import type { Operation } from "@/server/http/openapi/operations/operation";

const openErrors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is neither a JSON object nor a form" },
  { key: "errors.required", field: "client_id, client_secret, application_calendar_id", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "not a text" },
  { key: "errors.too_small", field: "any", when: "empty" },
  { key: "errors.too_big", field: "any", when: "over 500 characters; `application_calendar_id` over 255" },
  { key: "errors.invalid", field: "any", when: "holds a character that cannot be stored" },
];

const oauthError = {
  description: "Refused. `invalid_client` does not tell an unknown client id from a wrong secret.",
  schema: ["OAuthError"],
} as const;

export const connecting: readonly Operation[] = [
  {
    id: "authorize",
    method: "get",
    path: "/oauth/authorize",
    tag: "Connecting",
    summary: "Send a person to connect a calendar account",
    description:
      "A browser opens this page. The person picks a provider and signs in there; then the browser comes back to `redirect_uri` with `code` and `state`, or with `error` and `state`. `access_denied`: the person cancelled, or the calendar account belongs to another account of the application already, or the link token is not valid.",
    credential: "none",
    inBrowser: true,
    query: ["AuthorizeQuery"],
    answers: {
      200: { description: "The page.", type: "text/html" },
      302: {
        description:
          "To the provider, or back to `redirect_uri` with `error`: `unsupported_response_type`, `invalid_scope`, `invalid_request` (code challenge) or `access_denied`.",
        location: true,
      },
      400: {
        description: "A page that says what is wrong: the client id is unknown or the redirect URI is not registered.",
        type: "text/html",
      },
    },
  },
  {
    id: "createToken",
    method: "post",
    path: "/oauth/token",
    tag: "Connecting",
    summary: "Exchange a code, or refresh an access token",
    description:
      "A code is valid once, for 10 minutes. An access token lasts 3 hours; the refresh token gets a new one as often as needed, and does not change. When a refresh answers `invalid_grant`, the person has to connect again. Other properties of the body are ignored.",
    credential: "client",
    body: { schema: "TokenRequest", form: true },
    answers: { 200: { description: "The tokens.", schema: ["TokenResponse"] }, 400: oauthError },
  },
  {
    id: "revokeToken",
    method: "post",
    path: "/oauth/token/revoke",
    tag: "Connecting",
    summary: "End a connection",
    description:
      "Ends the whole grant: every token of the account, its channels, the provider's credentials and the events that were kept. An application calendar is deleted; opening its name again gives a new, empty one.",
    credential: "client",
    body: { schema: "RevokeRequest", form: true },
    answers: { 200: { description: "Done, whether or not the token was known." }, 400: oauthError },
  },
  {
    id: "openApplicationCalendar",
    method: "post",
    path: "/v1/application_calendars",
    tag: "Connecting",
    summary: "Open an application calendar",
    description:
      "A calendar that is hosted here, for people without one, for tests and for demonstrations. The first call creates it, and each call gives a new pair of tokens (in compatibility mode the one before while it is valid).",
    credential: "client",
    body: { schema: "ApplicationCalendarRequest", form: true },
    answers: {
      200: { description: "The calendar's tokens.", schema: ["ApplicationCalendarResponse"] },
      401: { description: "The client id is unknown or the secret is wrong." },
    },
    errors: openErrors,
  },
  {
    id: "createLinkToken",
    method: "post",
    path: "/v1/link_tokens",
    tag: "Connecting",
    summary: "Make a link token",
    description:
      "With it in `/oauth/authorize` the calendar account that a person connects joins this account. Valid once, for 5 minutes.",
    credential: "bearer",
    answers: { 200: { description: "The link token.", schema: ["LinkTokenResponse"] } },
  },
];
