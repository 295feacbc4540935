import {
  ApiError,
  AuthenticationError,
  ConflictError,
  type ErrorDetails,
  EventChangedError,
  NotFoundError,
  OAuthError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnreachableError,
  ValidationError,
} from "./errors.js";
import type { BookingConflicts, Errors, OAuthError as OAuthErrorBody, Unreachable } from "./generated/openapi.js";
import { retryAfterOf } from "./retry.js";
import { taggedEvent } from "./tagged-event.js";

/** The error of a response whose status is not 2xx. `now` is in milliseconds since 1970. */
export function errorOf(details: ErrorDetails, body: unknown, now: number): ApiError {
  const { status, headers } = details;
  if (status === 400 && isOAuthError(body)) return new OAuthError(details, body);
  if (status === 401) return new AuthenticationError(details);
  if (status === 403) return new PermissionError(details);
  if (status === 404) return new NotFoundError(details, descriptionOf(body));
  if (status === 409) return new ConflictError(details, isConflicts(body) ? body : {}, descriptionOf(body));
  if (status === 412 && hasKey(body, "event_uid")) return new EventChangedError(details, taggedEvent(body, headers));
  if (status === 422 && isErrors(body)) return new ValidationError(details, issuesOf(body));
  if (status === 429) return new RateLimitError(details, retryAfterOf(headers, now) ?? 1);
  if (status === 503 && isUnreachable(body)) {
    return new UnreachableError(details, retryAfterOf(headers, now), body.sub);
  }
  if (status >= 500) return new ServerError(details, retryAfterOf(headers, now));
  return new ApiError(details);
}

function issuesOf({ errors }: Errors) {
  return Object.entries(errors).flatMap(([field, issues]) => issues.map((issue) => ({ field, ...issue })));
}

/** Of a channel, a hold, or a path that the service does not have. Elsewhere there is none. */
function descriptionOf(body: unknown): string | undefined {
  return hasKey(body, "description") && typeof body.description === "string" ? body.description : undefined;
}

function isOAuthError(body: unknown): body is OAuthErrorBody {
  return hasKey(body, "error") && typeof body.error === "string";
}

function isConflicts(body: unknown): body is BookingConflicts {
  return ["conflicts", "problems"].every((key) => hasKey(body, key) && Array.isArray(body[key]));
}

function isUnreachable(body: unknown): body is Unreachable {
  return hasKey(body, "error") && body.error === "unreachable" && hasKey(body, "sub") && typeof body.sub === "string";
}

/** A proxy may have responded instead of the service. */
function isErrors(body: unknown): body is Errors {
  return hasKey(body, "errors") && isObject(body.errors) && Object.values(body.errors).every(Array.isArray);
}

function hasKey<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return isObject(value) && key in value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
