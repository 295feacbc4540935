import type { RequestDetail, StoredBody } from "@/server/services/staff/requests/shapes";

/** One error of a request, as its response says. */
export interface Failure {
  /** The field with the error: `start`, `location.description`. Null: none. */
  field: string | null;
  /** An issue's key or an OAuth error. Null: the response had neither. */
  key: string | null;
  sentence: string | null;
}

/**
 * Lists why a request failed, the first reason first: the issues of a 422, an OAuth error, or the meaning of its
 * status. Empty: it did not fail.
 */
export function failuresOf({ status, responseHeaders, responseBody, errorKeys }: Answered): Failure[] {
  if (status < 400) return [];
  const body = whole(responseBody);
  const issues = isRecord(body.errors)
    ? Object.entries(body.errors).flatMap(([field, found]) => issuesOf(field, found))
    : [];
  if (issues.length > 0) return issues;
  if (typeof body.error === "string") {
    return [{ field: null, key: body.error, sentence: readable(body.error_description) }];
  }
  const [known] = errorKeys.filter((key) => Object.hasOwn(reasons, key));
  if (known !== undefined) return [{ field: null, key: known, sentence: reasons[known] ?? null }];
  const sentence = status === 429 ? throttled(responseHeaders["retry-after"]) : (meanings[status] ?? null);
  return sentence === null ? [] : [{ field: null, key: null, sentence }];
}

type Answered = Pick<RequestDetail, "status" | "responseHeaders" | "responseBody" | "errorKeys">;
type Fields = { [field: string]: StoredBody };

const meanings: Record<number, string> = {
  401: "The access token or credentials are missing, invalid or expired.",
  404: "The API doesn’t have this path, or the account doesn’t have this resource.",
  405: "This path doesn’t accept the method.",
  413: "The request body is too large.",
  499: "The client closed the connection while the request waited. Nothing was done.",
  500: "Almanac failed to handle the request. Search its log for the request ID.",
  503: "Almanac was overloaded or not ready.",
};

/** The reasons behind responses without a body, or with one written for users. */
const reasons: Record<string, string> = {
  "sandbox.rate_limited": "Simulated with Svc-Sandbox-Fault. No rate limit was reached.",
  "sandbox.unavailable": "Simulated with Svc-Sandbox-Fault. Nothing was overloaded.",
  "sandbox.too_many_slow": "Too many simulated slow responses at once. No rate limit was reached.",
  maintenance: "Refused for maintenance. Nothing was changed. The response says when to try again.",
  application_disabled: "The application is disabled. An admin can enable it on the application’s page.",
};

function issuesOf(field: string, found: StoredBody): Failure[] {
  if (!Array.isArray(found)) return [];
  return found
    .filter(isRecord)
    .map(({ key, description }) => ({ field, key: readable(key), sentence: readable(description) }));
}

/** Parses a body. One that was cut is kept as text under `body`. */
function whole(body: StoredBody): Fields {
  if (!isRecord(body)) return {};
  return body.truncated === true && isRecord(body.body) ? body.body : body;
}

function readable(value: StoredBody | undefined): string | null {
  return typeof value === "string" && value !== "[redacted]" ? value : null;
}

function throttled(retryAfter: string | undefined): string {
  const seconds = Number(retryAfter);
  return seconds > 0 ? `Rate limit reached. Retry-After was ${seconds} s.` : "Rate limit reached.";
}

function isRecord(value: StoredBody | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
