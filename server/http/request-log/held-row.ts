import {
  REDACTED,
  redactBody,
  redactHeaders,
  redactPath,
  redactQuery,
  STORED_BODY,
} from "@/server/http/redaction/redact";
import { keptOf, type LoggedSide } from "@/server/http/redaction/responses";
import { holdsOurs } from "@/server/http/redaction/secrets";
import type { LoggedBody, RequestLogEntry, RequestLogRow } from "@/server/http/request-log/entry";
import { eventKeys } from "@/server/http/request-log/event-keys";

/** A row whose bodies are still to be redacted, behind the response. What it holds is bounded. */
export interface HeldRow {
  row: RequestLogRow;
  requestBody: HeldBody;
  responseBody: HeldBody;
  /** Bytes that it keeps alive at most, beside a few hundred. */
  weight: number;
}

export type HeldBody = LoggedBody | { stored: unknown; bytes: number; weight: number };

const LONGEST_WALKED = 128 * 1024;
const LONGEST_PATH = 512;
/** Of a caller of whom no application is known. */
const LONGEST_STRANGERS_PATH = 128;
/** Bytes in memory for a byte of JSON once it is parsed, at the worst: `[{},{},{}]`. */
const PARSED = 20;

/**
 * Builds the row of a request before its bodies are redacted. For a request without an application it holds method,
 * path, status, address, id and times, because anybody can send any number of them. If redaction fails it holds no more
 * of any request, so that nothing is stored unredacted.
 */
export function heldRow(entry: RequestLogEntry, id: string): HeldRow {
  if (entry.applicationId === null) return withoutBodies(bareRow(entry, id, LONGEST_STRANGERS_PATH), NO_BODIES);
  try {
    const query = entry.search === "" ? null : redactQuery(new URLSearchParams(entry.search));
    const requestHeaders = redactHeaders(entry.requestHeaders);
    const responseHeaders = redactHeaders(entry.responseHeaders);
    const bare = bareRow(entry, id, LONGEST_PATH);
    const row = { ...bare, query, requestHeaders, responseHeaders, eventKeys: eventKeys(entry) };
    const requestBody = heldBody(entry.requestBody, { side: "request", path: entry.path });
    const responseBody = heldBody(entry.responseBody, { side: "response", path: entry.path });
    const texts = (query?.length ?? 0) + lengthOf(requestHeaders) + lengthOf(responseHeaders);
    return { row, requestBody, responseBody, weight: texts + weightOf(requestBody) + weightOf(responseBody) };
  } catch {
    return withoutBodies(bareRow(entry, id, LONGEST_PATH), entry);
  }
}

/** Lightens a row that there is no room for: bodies are sizes, query and headers are omitted. */
export function lightened({ row, ...bodies }: HeldRow): HeldRow {
  return withoutBodies({ ...row, query: null, requestHeaders: {}, responseHeaders: {} }, bodies);
}

export function withoutBodies(row: RequestLogRow, bodies: Pick<HeldRow, "requestBody" | "responseBody">): HeldRow {
  return { row, requestBody: sizeOnly(bodies.requestBody), responseBody: sizeOnly(bodies.responseBody), weight: 0 };
}

const NO_BODIES = { requestBody: null, responseBody: null };

function bareRow(entry: RequestLogEntry, id: string, longestPath: number): RequestLogRow {
  const { requestId, at, method, path, status, durationMs, applicationId, accountId, address, plan, errorKey } = entry;
  return {
    id,
    requestId: holdsOurs(requestId) ? REDACTED : requestId,
    at,
    method,
    path: redactPath(path, longestPath),
    query: null,
    status,
    durationMs,
    applicationId,
    accountId,
    address,
    plan,
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    responseBody: null,
    errorKeys: errorKey ? [errorKey] : [],
    eventKeys: [],
  };
}

/** Lets go of a body over 16 KB at once: the beginning of a parsed one is kept, redacted, and of text only its size. */
function heldBody(body: LoggedBody, logged: LoggedSide): HeldBody {
  if (body === null) return null;
  const bytes = bytesOf(body);
  if ("size" in body) return sizeOnly(body);
  if (bytes <= STORED_BODY) return body;
  if ("text" in body || bytes > LONGEST_WALKED) return sizeOnly(body);
  return { stored: redactBody(body.value, keptOf(body.value, logged)), bytes, weight: STORED_BODY * PARSED };
}

function sizeOnly(body: HeldBody): HeldBody {
  if (body === null) return null;
  const bytes = bytesOf(body);
  return { stored: { truncated: true, bytes }, bytes, weight: 0 };
}

function weightOf(body: HeldBody): number {
  if (body === null) return 0;
  if ("stored" in body) return body.weight;
  if ("size" in body) return 0;
  return "text" in body ? body.text.length : body.bytes * PARSED;
}

function bytesOf(body: NonNullable<HeldBody>): number {
  if ("size" in body) return body.size;
  return "text" in body ? body.text.length : body.bytes;
}

function lengthOf(headers: Record<string, string>): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0);
  return length;
}
