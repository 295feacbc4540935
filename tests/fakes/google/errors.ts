/** What the server sends back. A body that is an object is sent as JSON. */
export interface WireResponse {
  status: number;
  headers?: Record<string, string>;
  body?: object | string;
}

/** Carries a whole error response to the edge of the server. */
export class GoogleError extends Error {
  constructor(readonly response: WireResponse) {
    super(JSON.stringify(response.body));
  }
}

interface ApiErrorInput {
  status: number;
  reason: string;
  message: string;
  domain?: string;
  location?: { type: "parameter" | "header"; name: string };
  headers?: Record<string, string>;
}

/** An error of the Calendar API in the form that the guide "Handle API errors" shows. */
export function apiError({
  status,
  reason,
  message,
  domain = "global",
  location,
  headers,
}: ApiErrorInput): GoogleError {
  const place = location && { locationType: location.type, location: location.name };
  const body = { error: { code: status, message, errors: [{ domain, reason, message, ...place }] } };
  return new GoogleError({ status, body, ...(headers && { headers }) });
}

/** An error of the OAuth endpoints (RFC 6749 section 5.2). */
export function oauthError(status: number, error: string, description: string): GoogleError {
  return new GoogleError({ status, body: { error, error_description: description } });
}

/** 400 `invalid`: a value is not allowed. */
export const invalid = (message: string) => apiError({ status: 400, reason: "invalid", message });

/** 400 `required`: a value is missing. */
export const required = (message: string) => apiError({ status: 400, reason: "required", message });

const usage = (status: number, reason: string, message: string) =>
  apiError({ status, reason, message, domain: "usageLimits" });

/** A quota that is used up, with its name, as quoted in public issue threads: the reason is the same for every quota. */
export function quotaError(status: number, quota_limit: string): GoogleError {
  const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'";
  const errors = [{ domain: "usageLimits", reason: "rateLimitExceeded", message }];
  const metadata = { service: "calendar-json.googleapis.com", quota_limit, consumer: "projects/1" };
  const type = "type.googleapis.com/google.rpc.ErrorInfo";
  const details = [{ "@type": type, reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com", metadata }];
  const error = { code: status, message, errors, status: "PERMISSION_DENIED", details };
  return new GoogleError({ status, body: { error } });
}

/** Every error that can be requested by name. Reasons and messages: guide "Handle API errors" unless marked. */
export const knownErrors = {
  timeRangeEmpty: () =>
    apiError({
      status: 400,
      domain: "calendar",
      reason: "timeRangeEmpty",
      message: "The specified time range is empty.",
      location: { type: "parameter", name: "timeMax" },
    }),
  // The header is [K]: reports in public issue threads show it.
  authError: () =>
    apiError({
      status: 401,
      reason: "authError",
      message: "Invalid Credentials",
      location: { type: "header", name: "Authorization" },
      headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
    }),
  // Message and header: mtanda/grafana-google-calendar-datasource#22, analogdotnow/Analog#296.
  insufficientPermissions: () =>
    apiError({
      status: 403,
      reason: "insufficientPermissions",
      message: "Request had insufficient authentication scopes.",
      headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"' },
    }),
  // [K]: the answer to a write by a reader.
  requiredAccessLevel: () =>
    apiError({
      status: 403,
      domain: "calendar",
      reason: "requiredAccessLevel",
      message: "You need to have writer access to this calendar.",
    }),
  forbiddenForNonOrganizer: () =>
    apiError({
      status: 403,
      domain: "calendar",
      reason: "forbiddenForNonOrganizer",
      message: "Shared properties can only be changed by the organizer of the event.",
    }),
  // As public reports quote it (compass-calendar#2111): the guide does not list it.
  pushNotSupported: () =>
    apiError({
      status: 400,
      domain: "calendar",
      reason: "pushNotSupportedForRequestedResource",
      message: "Push notifications are not supported by this resource.",
    }),
  // The whole body: webhookdb/webhookdb#624.
  notACalendarUser: () =>
    apiError({
      status: 403,
      domain: "calendar",
      reason: "notACalendarUser",
      message: "The user must be signed up for Google Calendar.",
    }),
  // The guide lists only single reasons of 403; this is what other refusals have [K].
  forbidden: () => apiError({ status: 403, reason: "forbidden", message: "Forbidden" }),
  userRateLimitExceeded: () => usage(403, "userRateLimitExceeded", "User Rate Limit Exceeded"),
  rateLimitExceeded: () => usage(403, "rateLimitExceeded", "Rate Limit Exceeded"),
  quotaExceeded: () => usage(403, "quotaExceeded", "Calendar usage limits exceeded."),
  projectQuotaExceeded: () => quotaError(403, "defaultPerMinutePerProject"),
  // [K]: the guide no longer lists it; older editions did.
  dailyLimitExceeded: () => usage(403, "dailyLimitExceeded", "Daily Limit Exceeded"),
  tooManyRequests: () => usage(429, "rateLimitExceeded", "Rate Limit Exceeded"),
  notFound: () => apiError({ status: 404, reason: "notFound", message: "Not Found" }),
  duplicate: () => apiError({ status: 409, reason: "duplicate", message: "The requested identifier already exists." }),
  fullSyncRequired: () =>
    apiError({
      status: 410,
      domain: "calendar",
      reason: "fullSyncRequired",
      message: "Sync token is no longer valid, a full sync is required.",
      location: { type: "parameter", name: "syncToken" },
    }),
  updatedMinTooLongAgo: () =>
    apiError({
      status: 410,
      domain: "calendar",
      reason: "updatedMinTooLongAgo",
      message: "The requested minimum modification time lies too far in the past.",
      location: { type: "parameter", name: "updatedMin" },
    }),
  deleted: () => apiError({ status: 410, reason: "deleted", message: "Resource has been deleted" }),
  conditionNotMet: () =>
    apiError({
      status: 412,
      reason: "conditionNotMet",
      message: "Precondition Failed",
      location: { type: "header", name: "If-Match" },
    }),
  backendError: () => apiError({ status: 500, reason: "backendError", message: "Backend Error" }),
  // [K]: proxies of Google answer 502 and 503 as well.
  badGateway: () =>
    new GoogleError({ status: 502, headers: { "content-type": "text/html" }, body: "<html>502</html>" }),
  serviceUnavailable: () => apiError({ status: 503, reason: "backendError", message: "Service Unavailable" }),
  // RFC 6749 section 5.2; the descriptions are [K].
  invalid_grant: () => oauthError(400, "invalid_grant", "Token has been expired or revoked."),
  invalid_client: () => oauthError(401, "invalid_client", "The OAuth client was not found."),
  internal_failure: () => oauthError(500, "internal_failure", "Internal Failure"),
} satisfies Record<string, () => GoogleError>;

export type KnownError = keyof typeof knownErrors;
