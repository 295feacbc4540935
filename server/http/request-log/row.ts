import { isRecord } from "@/server/domain/records";
import { requestedFault } from "@/server/domain/requested-faults";
import { redactBody } from "@/server/http/redaction/redact";
import { keptOf, keptSentence, type LoggedSide } from "@/server/http/redaction/responses";
import type { RequestLogRow } from "@/server/http/request-log/entry";
import { type HeldBody, type HeldRow, withoutBodies } from "@/server/http/request-log/held-row";

const MOST_ERROR_KEYS = 20;
/** Of refusals with keys, and of batches, whose requests may have been refused. */
const refusing: ReadonlySet<number> = new Set([207, 400, 422]);

/**
 * Builds the row that is stored: nothing in it is a token, a credential or event text. A row whose bodies cannot be
 * redacted has only their sizes.
 */
export function requestLogRow(held: HeldRow): RequestLogRow {
  try {
    return withBodies(held);
  } catch {
    return withBodies(withoutBodies(held.row, held));
  }
}

function withBodies({ row, requestBody, responseBody }: HeldRow): RequestLogRow {
  const response = parsed(responseBody);
  const isPlain = row.responseHeaders["content-type"]?.startsWith("text/plain");
  return {
    ...row,
    requestBody: stored(parsed(requestBody), { side: "request", path: row.path }),
    responseBody: isPlain ? sentenceOf(responseBody) : stored(response, { side: "response", path: row.path }),
    errorKeys: errorKeysOf(row, response),
  };
}

function errorKeysOf(row: RequestLogRow, response: ReturnType<typeof parsed>): string[] {
  const isSaid = row.errorKeys.length > 0 && requestedFault(row.errorKeys) === null;
  if (isSaid || !refusing.has(row.status)) return row.errorKeys;
  return [...row.errorKeys, ...errorKeys(response)];
}

function parsed(body: HeldBody): { value: unknown } | { stored: unknown } | null {
  if (body === null || "stored" in body || "value" in body) return body;
  if ("size" in body) return null;
  try {
    return { value: JSON.parse(body.text) };
  } catch {
    return null;
  }
}

function stored(body: { value: unknown } | { stored: unknown } | null, logged: LoggedSide): unknown {
  if (body === null) return null;
  return "stored" in body ? body.stored : redactBody(body.value, keptOf(body.value, logged));
}

/** Returns the sentence of ours that a response in plain text consists of. */
function sentenceOf(body: HeldBody): string | null {
  return body !== null && "text" in body ? keptSentence(body.text) : null;
}

function errorKeys(body: { value: unknown } | { stored: unknown } | null): string[] {
  const response = body === null ? null : "stored" in body ? body.stored : body.value;
  if (!isRecord(response)) return [];
  const batch = Array.isArray(response.batch) ? response.batch : [];
  const refusals = [response, ...batch.map((one) => (isRecord(one) ? one.data : null))].filter(isRecord);
  const keys = refusals.flatMap(({ error, errors }) => [error, ...(isRecord(errors) ? keysIn(errors) : [])]);
  const known = keys.filter((key): key is string => typeof key === "string" && /^[a-z_.]{1,64}$/.test(key));
  return [...new Set(known)].slice(0, MOST_ERROR_KEYS);
}

function keysIn(errors: Record<string, unknown>): unknown[] {
  return Object.values(errors)
    .flat()
    .map((issue) => (isRecord(issue) ? issue.key : undefined));
}
