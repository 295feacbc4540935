import type { BookingConflicts, ErrorKey, OAuthError as OAuthErrorBody } from "./generated/openapi.js";
import type { TaggedEvent } from "./tagged-event.js";

/** Every error that the client itself throws. An aborted signal throws the signal's own reason. */
export class AlmanacError extends Error {
  override name = "AlmanacError";
}

/** The options of the client are missing or wrong. Thrown by its constructor. */
export class ConfigurationError extends AlmanacError {
  override name = "ConfigurationError";
}

/** What is known of a response with an error status. */
export interface ErrorDetails {
  status: number;
  /** Such as `POST /v1/channels`. */
  request: string;
  /** The Svc-Request-Id of the response: what the dashboard finds the request by. */
  requestId: string | undefined;
  headers: Headers;
}

/** The service responded with an error status. */
export class ApiError extends AlmanacError {
  override name = "ApiError";
  readonly status: number;
  readonly request: string;
  readonly requestId: string | undefined;
  readonly headers: Headers;

  constructor({ status, request, requestId, headers }: ErrorDetails, what = "") {
    const id = requestId === undefined ? "" : ` (request ${requestId})`;
    super(`${request} responded ${status}${what === "" ? "" : `: ${what}`}${id}`);
    this.status = status;
    this.request = request;
    this.requestId = requestId;
    this.headers = headers;
  }
}

/** 400 of the OAuth endpoints. `invalid_grant` on a refresh: the user has to connect again. */
export class OAuthError extends ApiError {
  override name = "OAuthError";
  readonly error: OAuthErrorBody["error"];
  readonly description: string | undefined;

  constructor(details: ErrorDetails, body: OAuthErrorBody) {
    super(details, [body.error, body.error_description].filter(Boolean).join(": "));
    this.error = body.error;
    this.description = body.error_description;
  }
}

/** 401: the access token is still rejected after a refresh, or the client credentials are wrong. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
  /** Of the WWW-Authenticate header: `invalid_token` or `invalid_request`. */
  readonly error: string | undefined;

  constructor(details: ErrorDetails) {
    const challenge = details.headers.get("www-authenticate") ?? "";
    const error = /error="([^"]*)"/.exec(challenge)?.[1];
    super(details, error);
    this.error = error;
  }
}

/** 403: the calendar is read-only, or the event is one that your application may not change or reply to. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}

/** 404: there is no such calendar, channel, trigger, booking or event, or `baseUrl` is not the address of the API. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: the time of a booking is not free, or a hold can't be confirmed any more. Nothing was written. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
  /** The time that is taken. Empty if the hold has expired, its event was deleted, or another one written in its place. */
  readonly conflicts: BookingConflicts["conflicts"];
  /** Accounts whose time isn't known, regardless of their events. */
  readonly problems: BookingConflicts["problems"];

  constructor(details: ErrorDetails, { conflicts = [], problems = [] }: Partial<BookingConflicts>, what?: string) {
    super(details, what ?? `${conflicts.length} conflicts, ${problems.length} problems`);
    this.conflicts = conflicts;
    this.problems = problems;
  }
}

/** 412: the event is no longer the one that `ifMatch` names, and nothing was written. */
export class EventChangedError extends ApiError {
  override name = "EventChangedError";
  /** Private, so that a log of the error has no text of the event. */
  readonly #current: TaggedEvent;

  constructor(details: ErrorDetails, current: TaggedEvent) {
    super(details);
    this.#current = current;
  }

  /** The current event, with the `etag` for the next attempt. */
  get current(): TaggedEvent {
    return this.#current;
  }
}

/** What is wrong with one field. */
export interface FieldIssue {
  /** Such as `location.description` or `calendar_ids[0]`. `base` is the whole body. */
  field: string;
  key: ErrorKey;
  /** For developers. Match on `key`. */
  description: string;
}

/** 422: the request is invalid, and nothing was written. */
export class ValidationError extends ApiError {
  override name = "ValidationError";
  readonly issues: readonly FieldIssue[];

  constructor(details: ErrorDetails, issues: readonly FieldIssue[]) {
    super(details, issues.map(({ field, key }) => `${field} ${key}`).join(", "));
    this.issues = issues;
  }

  /** Whether the response has this key, for this field if one is given. */
  has(key: ErrorKey, field?: string): boolean {
    return this.issues.some((issue) => issue.key === key && (field === undefined || issue.field === field));
  }
}

/** 429, after the retries: the application or the account is over its rate limit. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
  /** Seconds to wait before the next request. */
  readonly retryAfter: number;

  constructor(details: ErrorDetails, retryAfter: number) {
    super(details, `retry after ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/** 5xx, after the retries. */
export class ServerError extends ApiError {
  override name = "ServerError";
  /** Seconds to wait before the next request, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(details: ErrorDetails, retryAfter: number | undefined) {
    super(details);
    this.retryAfter = retryAfter;
  }
}

/** 503 to a booking or its confirmation, after the retries: a provider can't be reached to check whether the time is free. Nothing was written. */
export class UnreachableError extends ServerError {
  override name = "UnreachableError";
  /** The account whose provider did not answer. */
  readonly sub: string;

  constructor(details: ErrorDetails, retryAfter: number | undefined, sub: string) {
    super(details, retryAfter);
    this.sub = sub;
  }
}

/** No response: the service could not be reached, the connection broke, or the timeout passed. `cause` says more. */
export class ConnectionError extends AlmanacError {
  override name = "ConnectionError";
  readonly isTimeout: boolean;

  constructor(request: string, isTimeout: boolean, cause: unknown) {
    super(`${request} got no response${isTimeout ? " in time" : ""}`, { cause });
    this.isTimeout = isTimeout;
  }
}
