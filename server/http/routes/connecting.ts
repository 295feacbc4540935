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
    "The request was rejected. `invalid_client` means an unknown client id or a wrong secret. `invalid_request` also means that the body and HTTP Basic have different credentials.",
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
    "Open this page in the user's browser. The user chooses a provider and signs in, then returns to `redirect_uri` with `code` and `state`, or with `error`, `error_description` and `state`. A public client has to send a code challenge. `access_denied` means the user cancelled, the calendar account already belongs to another account of your application, or the link token is invalid. In the last two cases a page tells the user first. An account whose code is never exchanged is revoked a day after the code expires.",
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
  description: `Exchanges an authorization code for tokens, or refreshes an access token. A code is single use and valid for ${limits.code}. An access token is valid for ${limits.accessToken}; the refresh token never changes, and you can use it as often as you need. A public client sends no secret, and gets a new refresh token each time: the old one is valid until the new one is used, and ends the grant after that. If a refresh fails with \`invalid_grant\`, the user must reconnect. Unknown properties are ignored.`,
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

export const registerClient: Route = {
  id: "registerClient",
  method: "post",
  path: "/oauth/register",
  tag: "Connecting",
  summary: "Register a client",
  description: `Dynamic client registration (RFC 7591), where your Almanac administrator has turned it on. Registers a public client: it has no secret, uses PKCE, and its refresh tokens rotate. The connect page tells users that it registered itself. A client that connects no account within ${limits.unusedRegistration} is removed. Unknown properties are ignored.`,
  credential: "none",
  body: { schema: "RegistrationRequest", limit: SMALL_BODY },
  responses: {
    201: { description: "The client.", schema: ["RegisteredClient"] },
    400: {
      description: "The request was rejected. `invalid_request` means that the body is not a JSON object.",
      schema: ["RegistrationError"],
    },
    404: { description: "Client registration is off on this service." },
    429: { description: "Too many registrations from one address. Retry after `Retry-After` seconds." },
  },
  call: (api, { body }) => api.grants.registerClient(body),
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

const importErrors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  { key: "errors.required", field: "provider_name, refresh_token", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "not a string" },
  { key: "errors.too_small", field: "any", when: "empty" },
  { key: "errors.too_big", field: "refresh_token", when: `over ${limits.providerToken} characters` },
  { key: "errors.too_big", field: "sub", when: `over ${limits.id} characters` },
  {
    key: "errors.invalid_value",
    field: "provider_name",
    when: "not a provider that signs in by OAuth, or one that is not configured",
  },
  {
    key: "errors.invalid",
    field: "refresh_token",
    when: "the provider rejects it, it grants too little access, or its account has no calendars",
  },
  {
    key: "errors.invalid",
    field: "sub",
    when: "not an account of your application, or not the one that has the profile",
  },
];

export const importProfile: Route = {
  id: "importProfile",
  method: "post",
  path: "/v1/profiles/import",
  tag: "Connecting",
  summary: "Import a refresh token",
  description:
    "Connects the calendar account of a user who has already consented to the OAuth client that Almanac is configured with, without asking them again, for example when you migrate from another service. Accepts your application's credentials, as HTTP Basic. Responds as the exchange of an authorization code does. The token has to allow what the connect page asks for, and `openid` and `email`, which identify the account. The first sync starts immediately.",
  credential: "either",
  body: { schema: "ImportRequest", limit: SMALL_BODY },
  responses: {
    200: { description: "The account's tokens, and the profile.", schema: ["TokenResponse"] },
    401: { description: "Unknown client id or wrong client secret, or an access token instead of them." },
    503: {
      description:
        "The provider can't be reached right now (no body), or Almanac is in maintenance. Nothing was stored. Retry after `Retry-After` seconds.",
      schema: ["Maintenance"],
    },
  },
  errors: importErrors,
  call: (api, { body }) => api.importProfile(body),
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

const reconnectErrors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
  { key: "errors.invalid", field: "redirect_uri", when: "contains a character that cannot be stored" },
  { key: "errors.too_small", field: "any", when: "less than 1, or empty" },
  {
    key: "errors.too_big",
    field: "any",
    when: `over ${limits.reconnectLinkSeconds}; over ${limits.redirectUri} characters`,
  },
  { key: "errors.invalid_value", field: "redirect_uri", when: "not one of your application's redirect URIs" },
  { key: "errors.required", field: "redirect_uri", when: "missing, and your application has no redirect URI" },
  { key: "errors.invalid", field: "base", when: "an application calendar or a feed, which have nothing to reconnect" },
];

export const createReconnectLink: Route = {
  id: "createReconnectLink",
  method: "post",
  path: "/v1/profiles/{profile_id}/reconnect_links",
  tag: "Connecting",
  summary: "Create a reconnect link",
  description:
    "Creates a link to send to the user, for example by email. It opens the connect page for exactly this profile: the user signs in with the same calendar account, which is reconnected immediately with its calendars, and returns to `redirect_uri` with a `code` and without a `state`. You can exchange the code, but don't have to. Any other calendar account is rejected. The link works once; opening it does not use it up. The profile may be connected or disconnected.",
  credential: "bearer",
  params: { profile_id: "The id of the profile." },
  body: { schema: "ReconnectLinkRequest", limit: SMALL_BODY, fromQuery: () => ({}) },
  responses: {
    200: { description: "The link.", schema: ["ReconnectLinkResponse"] },
    404: { description: "The account has no profile with this id." },
  },
  errors: reconnectErrors,
  call: (api, { params, body }) => api.reconnectLinks.create({ body, ...params }),
};
