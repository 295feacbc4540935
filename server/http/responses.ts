import { TRPCError } from "@trpc/server";
import { compatIssue, differs } from "@/server/domain/compat";
import { isKnownTag } from "@/server/domain/entity-tags";
import { issuesBody } from "@/server/domain/issues";
import { JsonText } from "@/server/domain/json-text";
import { maintenanceBody } from "@/server/domain/maintenance";
import { Reply } from "@/server/domain/reply";
import { type WrittenBody, writtenBody } from "@/server/http/written-body";
import { type Reason, reasonOf } from "@/server/services/refusal";

/** A response before it is one: what is sent, and what the request log keeps. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** The same, or one whose body was written to be sent. */
export interface SentResponse extends Omit<HttpResponse, "body"> {
  body: string | WrittenBody | null;
}

export function bytesOf(body: SentResponse["body"]): number {
  if (body === null) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.bytes.length;
}

/** Copies a body's bytes for a web Response, which may keep them for as long as it likes. */
export function bodyOfWeb(body: SentResponse["body"]): string | Uint8Array<ArrayBuffer> | null {
  return body === null || typeof body === "string" ? body : Uint8Array.from(body.bytes);
}

/** In the request log and in metrics, for a client that left before its response. Nobody receives it. */
export const CLIENT_LEFT = 499;

export function empty(status: number, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, body: null };
}

/** What the request log says of requests that were refused for it. */
export const APPLICATION_DISABLED = "application_disabled";

const JSON_TYPE = "application/json; charset=utf-8";

export function json(status: number, value: unknown): HttpResponse {
  return { status, headers: { "content-type": JSON_TYPE }, body: JSON.stringify(value) };
}

/**
 * Builds the 404 for a path that does not exist, so that a client with a wrong address sees what is wrong. For what an
 * account doesn't have, the 404 is empty.
 */
export function nothingThere(): HttpResponse {
  const description = "There is nothing at this path. The API's paths begin with /v1 and /oauth: see /openapi.json";
  return json(404, { error: "not_found", description });
}

/** What a route says of a response to a request that succeeds. */
export interface Success {
  status: number;
  /** Whether the procedure's result is its body. */
  isJson: boolean;
  headers: Record<string, string>;
}

/** A result that is a whole response: its route speaks a protocol of its own. */
export class WholeResponse {
  constructor(readonly response: HttpResponse) {}
}

/** Builds the response to a request that succeeds from the procedure's result. */
export function responseOf({ status, isJson, headers }: Success, result: unknown): SentResponse {
  if (result instanceof WholeResponse) return result.response;
  const { body, headers: own } = result instanceof Reply ? result : { body: result, headers: {} };
  const response = isJson ? jsonOf(status, body) : empty(status, headers);
  return { ...response, headers: { ...response.headers, ...own } };
}

/** Builds the 304 for a caller who has the response already, or returns the response. */
export function unlessKnown(response: SentResponse, ifNoneMatch: string | null): SentResponse {
  const { etag } = response.headers;
  return etag !== undefined && isKnownTag(ifNoneMatch, etag) ? empty(304, { etag }) : response;
}

/** Writes the result of a procedure as the body of its response. */
export function jsonOf(status: number, result: unknown): SentResponse {
  if (!(result instanceof JsonText)) return json(status, result);
  return { status, headers: { "content-type": JSON_TYPE }, body: writtenBody(result.take()) };
}

/** Returns the refusal behind an error, or null for an error that nobody foresaw. */
export function refusalOf(error: unknown): Reason | null {
  return reasonOf(error instanceof TRPCError ? error.cause : error);
}

/** Returns what a procedure threw, without the error that its caller makes of it. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

interface RefusalMode {
  compatibilityMode: boolean;
  usesBasic?: boolean;
  /** Where the metadata of the protected resource is (RFC 9728), if the challenge is to say so. */
  resourceMetadata?: string | null;
}

/** Builds the status and body of every refusal ("Errors"). No other place knows them. */
export function refused(reason: Reason, mode: RefusalMode): HttpResponse {
  switch (reason.kind) {
    case "invalid":
      return json(422, issuesBody(differs("errors", mode) ? reason.issues.map(compatIssue) : reason.issues));
    case "signed_out":
      return empty(401, { "www-authenticate": challenge(reason, mode.resourceMetadata) });
    case "wrong_credentials":
      return empty(401, {
        "www-authenticate": mode.usesBasic
          ? BASIC_CHALLENGE
          : challenge({
              error: "invalid_token",
              description: reason.isDisabled
                ? "The application is disabled"
                : "The client id is unknown or the secret is wrong",
            }),
      });
    case "read_only":
      return empty(403);
    case "forbidden":
    case "conflict":
      return json(reason.kind === "forbidden" ? 403 : 409, { error: reason.kind, description: reason.text });
    case "taken":
      return json(409, { conflicts: reason.conflicts, problems: reason.problems });
    case "unreachable":
      return withHeaders(json(503, { error: reason.kind, sub: reason.sub }), { "retry-after": UNREACHABLE_SECONDS });
    case "not_found":
      return empty(404);
    case "changed":
      return { status: 412, headers: { "content-type": JSON_TYPE, etag: reason.etag }, body: reason.event };
    case "unknown_channel":
      return json(404, { error: "not_found", description: reason.description });
    case "not_offered":
      return { status: 403, headers: { "content-type": "text/plain; charset=utf-8" }, body: reason.text };
    case "oauth":
      return oauthError(reason, reason.error === "invalid_client" && mode.usesBasic === true);
    case "throttled":
      return empty(429, { "retry-after": String(reason.retryAfter) });
    case "overloaded":
      return empty(503, { "retry-after": String(reason.retryAfter) });
    case "maintenance":
      return withHeaders(json(503, maintenanceBody(reason.scope, reason.retryAfter)), {
        "retry-after": String(reason.retryAfter),
      });
    case "client_left":
      return empty(CLIENT_LEFT);
    default:
      return reason satisfies never;
  }
}

/** A provider that is away for a moment may be back after so many seconds. */
const UNREACHABLE_SECONDS = "5";

function withHeaders(response: HttpResponse, headers: Record<string, string>): HttpResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** Names a refusal without a response body for the request log; null: its status says all. */
export function loggedErrorOf(reason: Reason): string | null {
  if (reason.kind === "maintenance") return reason.kind;
  return "isDisabled" in reason && reason.isDisabled ? APPLICATION_DISABLED : null;
}

/**
 * Builds an OAuth error: a client that tried HTTP Basic gets its challenge (RFC 6749 §5.2), with the contract's status.
 */
function oauthError({ error, description }: { error: string; description: string }, isChallenged: boolean) {
  const { status, headers, body } = json(400, { error, error_description: description });
  return { status, headers: { ...headers, ...(isChallenged && { "www-authenticate": BASIC_CHALLENGE }) }, body };
}

const BASIC_CHALLENGE = 'Basic realm="svc"';

/** Writes the Bearer challenge of RFC 6750 §3, with the realm of the specification ("Authentication", 3). */
function challenge(
  { error, description }: { error: string; description: string },
  resourceMetadata: string | null = null,
): string {
  const more = resourceMetadata === null ? "" : `, resource_metadata="${resourceMetadata}"`;
  return `Bearer realm="svc", error="${error}", error_description="${description}"${more}`;
}
