import {
  ApiError,
  AuthenticationError,
  type ErrorDetails,
  NotFoundError,
  OAuthError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "./errors.js";
import type { Errors, OAuthError as OAuthErrorBody } from "./generated/openapi.js";
import { retryAfterOf } from "./retry.js";

/** The error of a response whose status is not 2xx. `now` is in milliseconds since 1970. */
export function errorOf(details: ErrorDetails, body: unknown, now: number): ApiError {
  const { status, headers } = details;
  if (status === 400 && isOAuthError(body)) return new OAuthError(details, body);
  if (status === 401) return new AuthenticationError(details);
  if (status === 403) return new PermissionError(details);
  if (status === 404) return new NotFoundError(details, descriptionOf(body));
  if (status === 422 && isErrors(body)) return new ValidationError(details, issuesOf(body));
  if (status === 429) return new RateLimitError(details, retryAfterOf(headers, now) ?? 1);
  if (status >= 500) return new ServerError(details, retryAfterOf(headers, now));
  return new ApiError(details);
}

function issuesOf({ errors }: Errors) {
  return Object.entries(errors).flatMap(([field, issues]) => issues.map((issue) => ({ field, ...issue })));
}

/** Of a channel, or of a path that the service does not have. Elsewhere the body is empty. */
function descriptionOf(body: unknown): string | undefined {
  return hasKey(body, "description") && typeof body.description === "string" ? body.description : undefined;
}

function isOAuthError(body: unknown): body is OAuthErrorBody {
  return hasKey(body, "error") && typeof body.error === "string";
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
