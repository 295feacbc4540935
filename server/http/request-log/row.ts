import { randomUUID } from "node:crypto";
import { type HeaderSource, REDACTED, redactBody, redactHeaders, redactQuery, STORED_BODY } from "@/server/http/redact";
import { keptSentence, keptTextOf, type Logged } from "@/server/http/redact-answers";
import { holdsToken } from "@/server/http/redact-fields";

/** A body as the request had it: already parsed (with its bytes on the wire) or as the text that was sent. */
export type LoggedBody = { value: unknown; bytes: number } | { text: string } | null;

export interface RequestLogEntry {
  requestId: string;
  at: Date;
  method: string;
  /** The pathname alone. */
  path: string;
  /** The query string as it came, with or without `?`. */
  search: string;
  status: number;
  durationMs: number;
  applicationId: string | null;
  accountId: string | null;
  address: string | null;
  requestHeaders: HeaderSource;
  requestBody: LoggedBody;
  responseHeaders: HeaderSource;
  responseBody: LoggedBody;
  plan: "developer" | "standard" | null;
  /** Why it was refused, where the response's body does not say it. */
  errorKey?: string | null;
}

export interface RequestLogRow
  extends Omit<
    RequestLogEntry,
    "errorKey" | "search" | "requestHeaders" | "requestBody" | "responseHeaders" | "responseBody"
  > {
  /** Our own; the request id may be the caller's and come twice. */
  id: string;
  query: string | null;
  requestHeaders: Record<string, string>;
  requestBody: unknown;
  responseHeaders: Record<string, string>;
  responseBody: unknown;
  /** The keys of a 422 answer (`errors.required`), the `error` of an OAuth answer, or `errorKey`. */
  errorKeys: string[];
}

/** An entry on its way to becoming a row. A body that was too long to be held is redacted already. */
export interface HeldEntry extends Omit<RequestLogEntry, "requestBody" | "responseBody"> {
  requestBody: HeldBody;
  responseBody: HeldBody;
}

type HeldBody = LoggedBody | { stored: unknown };

const LONGEST_WALKED = 128 * 1024;
const LONGEST_PATH = 512;
const MOST_ERROR_KEYS = 20;

/**
 * Lets go of a body over 16 KB at once: the beginning of a parsed one is kept, redacted, and of text only its size. Without `room` only
 * the size of any body is kept.
 */
export function held(body: LoggedBody, { room, ...logged }: Logged & { room: boolean }): HeldBody {
  if (body === null) return null;
  const bytes = bytesOf(body);
  if (room && bytes <= STORED_BODY) return body;
  if (!room || "text" in body || bytes > LONGEST_WALKED) return { stored: { truncated: true, bytes } };
  return { stored: redactBody(body.value, keptTextOf(body.value, logged)) };
}

/** Bytes that an entry keeps alive through its bodies. */
export function heldBytes(entry: HeldEntry): number {
  return bytesOf(entry.requestBody) + bytesOf(entry.responseBody);
}

function bytesOf(body: HeldBody): number {
  if (body === null) return 0;
  if ("stored" in body) return STORED_BODY;
  return "text" in body ? body.text.length : body.bytes;
}

/** The row that is stored: nothing in it is a token, a credential or event text. */
export function requestLogRow(entry: HeldEntry): RequestLogRow {
  const { search, errorKey, requestHeaders, requestBody, responseHeaders, responseBody, ...rest } = entry;
  const answer = parsed(responseBody);
  const answerHeaders = redactHeaders(responseHeaders);
  const isPlain = answerHeaders["content-type"]?.startsWith("text/plain");
  return {
    ...rest,
    id: randomUUID(),
    requestId: holdsToken(rest.requestId) ? REDACTED : rest.requestId,
    path: holdsToken(rest.path) ? REDACTED : rest.path.slice(0, LONGEST_PATH),
    query: redactQuery(new URLSearchParams(search)),
    requestHeaders: redactHeaders(requestHeaders),
    requestBody: stored(parsed(requestBody), { side: "request", path: rest.path }),
    responseHeaders: answerHeaders,
    responseBody: isPlain ? sentenceOf(responseBody) : stored(answer, { side: "answer", path: rest.path }),
    errorKeys: errorKey ? [errorKey] : entry.status === 422 || entry.status === 400 ? errorKeys(answer) : [],
  };
}

function parsed(body: HeldBody): { value: unknown } | { stored: unknown } | null {
  if (body === null || "stored" in body || "value" in body) return body;
  try {
    return { value: JSON.parse(body.text) };
  } catch {
    return null;
  }
}

function stored(body: { value: unknown } | { stored: unknown } | null, logged: Logged): unknown {
  if (body === null) return null;
  return "stored" in body ? body.stored : redactBody(body.value, keptTextOf(body.value, logged));
}

/** Of the answers in plain text, which are a sentence of ours. */
function sentenceOf(body: HeldBody): string | null {
  return body !== null && "text" in body ? keptSentence(body.text) : null;
}

function errorKeys(body: { value: unknown } | { stored: unknown } | null): string[] {
  const answer = body === null ? null : "stored" in body ? body.stored : body.value;
  if (!isRecord(answer)) return [];
  const issues = isRecord(answer.errors) ? Object.values(answer.errors).flat() : [];
  const keys = [answer.error, ...issues.map((issue) => (isRecord(issue) ? issue.key : undefined))];
  const known = keys.filter((key): key is string => typeof key === "string" && /^[a-z_.]{1,64}$/.test(key));
  return [...new Set(known)].slice(0, MOST_ERROR_KEYS);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
