import type { EndpointError } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { SMALL_BODY } from "@/server/http/read-body";
import type { Operation, Route } from "@/server/http/routes/route";

const openErrors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is neither a JSON object nor a form" },
  { key: "errors.required", field: "client_id, client_secret, application_calendar_id", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "not a string" },
  { key: "errors.too_small", field: "any", when: "empty" },
  {
    key: "errors.too_big",
    field: "any",
    when: `over ${limits.oauthField} characters; \`application_calendar_id\` over ${limits.applicationCalendarId}`,
  },
  {
    key: "errors.invalid",
    field: "any",
    when: "contains a character that cannot be stored; `client_id` or `client_secret` differs from that of HTTP Basic",
  },
];

const oauthError = {
  description:
    "The request was refused. `invalid_client` means an unknown client id or a wrong secret. `invalid_request` also means that the body and HTTP Basic have different credentials.",
  schema: ["OAuthError"],
} as const;

/** simple-oauth2 refuses a response whose type is not JSON or `…-json`, and other clients would parse the empty body of a JSON type (ADR 83). */
const EMPTY_JSON = "application/vnd.almanac.empty-json";

export const authorize: Operation = {
  id: "authorize",
  method: "get",
  path: "/oauth/authorize",
  tag: "Connecting",
  summary: "Connect a calendar account",
  description:
    "Open this page in the user's browser. The user chooses a provider and signs in, then returns to `redirect_uri` with `code` and `state`, or with `error`, `error_description` and `state`. `access_denied` means the user cancelled, the calendar account already belongs to another account of your application, or the link token is invalid. In the last two cases a page tells the user first. An account whose code is never exchanged is revoked a day after the code expires.",
  credential: "none",
  inBrowser: true,
  query: ["AuthorizeQuery"],
  responses: {
    200: { description: "The connect page.", type: "text/html" },
    302: {
      description:
        "Redirect to the provider, or back to `redirect_uri` with `state`, `error_description` and `error`: `unsupported_response_type`, `invalid_scope`, `invalid_request` (code challenge) or `access_denied`.",
      location: true,
    },
    400: {
      description:
        "An error page: the client id is unknown, the redirect URI is not registered or the link token is invalid.",
      type: "text/html",
    },
    429: { description: "Too many sign-ins from one address. Retry after `Retry-After` seconds.", type: "text/html" },
  },
};

export const createToken: Route = {
  id: "createToken",
  method: "post",
  path: "/oauth/token",
  tag: "Connecting",
  summary: "Get tokens",
  description: `Exchanges an authorization code for tokens, or refreshes an access token. A code is single use and valid for ${limits.code}. An access token is valid for ${limits.accessToken}; the refresh token never changes, and you can use it as often as you need. If a refresh fails with \`invalid_grant\`, the user must reconnect. Unknown properties are ignored.`,
  credential: "client",
  body: { schema: "TokenRequest", limit: SMALL_BODY, form: true },
  responses: { 200: { description: "The tokens.", schema: ["TokenResponse"] }, 400: oauthError },
  call: (api, { body }) => api.grants.token(body),
};

export const revokeToken: Route = {
  id: "revokeToken",
  method: "post",
  path: "/oauth/token/revoke",
  tag: "Connecting",
  summary: "Revoke a connection",
  description:
    "Revokes the whole grant and removes all tokens of the account, its channels, the provider credentials and the stored events. An application calendar is deleted; opening the same id again creates a new, empty one.",
  credential: "client",
  body: { schema: "RevokeRequest", limit: SMALL_BODY, form: true },
  responses: {
    200: { description: "Revoked. Unknown tokens get the same response.", emptyType: EMPTY_JSON },
    400: oauthError,
  },
  call: (api, { body }) => api.grants.revoke(body),
};

export const openApplicationCalendar: Route = {
  id: "openApplicationCalendar",
  method: "post",
  path: "/v1/application_calendars",
  tag: "Connecting",
  summary: "Open an application calendar",
  description:
    "Opens a calendar hosted by Almanac: for users without a calendar, for tests and for demos. The first call creates the calendar. Every call returns a new pair of tokens (in compatibility mode, the current pair while it is valid).",
  credential: "client",
  body: { schema: "ApplicationCalendarRequest", limit: SMALL_BODY, form: true },
  responses: {
    200: { description: "The calendar's tokens.", schema: ["ApplicationCalendarResponse"] },
    401: { description: "Unknown client id or wrong client secret." },
  },
  errors: openErrors,
  call: (api, { body }) => api.applicationCalendars.open(body),
};

export const createLinkToken: Route = {
  id: "createLinkToken",
  method: "post",
  path: "/v1/link_tokens",
  tag: "Connecting",
  summary: "Create a link token",
  description: `Pass the token to \`/oauth/authorize\` to add the calendar account that the user connects to this account. Single use, valid for ${limits.linkToken}.`,
  credential: "bearer",
  responses: { 200: { description: "The link token.", schema: ["LinkTokenResponse"] } },
  call: (api) => api.linkTokens.create(),
};
