import { JsonFault, jsonReader } from "@/server/domain/json-reader";
import { MAX_DESCRIPTION } from "@/server/domain/text-limits";
import { inSlices, slices } from "@/server/event-loop";
import type { ApiRequest } from "@/server/http/api-request";
import { type Hold, LARGE, type ReadBytes, readChunks, wholeOf } from "@/server/http/read-bytes";

export const SMALL_BODY = 64 * 1024;
/** Fifty mailboxes whose addresses, callback URLs and states are as long as they may be. */
export const AUTHORIZATIONS_BODY = 256 * 1024;
export const EVENT_BODY = 16 * 1024 * 1024;
const DEEPEST_NESTING = 100;
/**
 * 16 MiB can hold eight million values, which would take seconds and gigabytes to build. The largest body of the API has some two thousand;
 * one with ten times as many is still read, so that the error names the list that is too long.
 */
const MOST_VALUES = 50_000;
/** UTF-16 code units. No field takes as many: what is too long is still too long, and costs no memory. */
const LONGEST_TEXT = 4 * MAX_DESCRIPTION;
export type UnreadableReason =
  | "empty"
  | "unsupported content type"
  | "not UTF-8"
  | "not JSON"
  | "not an object"
  | "nested too deeply"
  | "too many values"
  | "cut off"
  | "damaged";

const sentences: Record<UnreadableReason, string> = {
  empty: "The body is empty",
  "unsupported content type": "The Content-Type is not supported: use application/json",
  "not UTF-8": "The body is not valid UTF-8",
  "not JSON": "The body is not valid JSON",
  "not an object": "The body must be a JSON object",
  "nested too deeply": `The body is nested more than ${DEEPEST_NESTING} levels deep`,
  "too many values": `The body has more than ${MOST_VALUES.toLocaleString("en")} values`,
  "cut off": "The body did not arrive in full",
  damaged: "The compressed body is damaged, or did not arrive in full",
};

/** Explains to the developer who sent a body why it can't be read. `form`: a form would have been accepted too. */
export function unreadableSentence(reason: UnreadableReason, form = false): string {
  const also = form && reason === "unsupported content type" ? " or application/x-www-form-urlencoded" : "";
  return sentences[reason] + also;
}

export type Body =
  | {
      kind: "read";
      value: Record<string, unknown>;
      /** Bytes on the wire. */
      length: number;
    }
  | { kind: "too_large" }
  | { kind: "unreadable"; reason: UnreadableReason };

/** Where a body has to wait. */
export interface BodyAdmission {
  hold: Hold;
  /** Runs the parsing of a large body in its turn. Throws what the queue throws. */
  inTurn<Result>(parse: () => Promise<Result>): Promise<Result>;
}

export interface BodyInput {
  /** In bytes. */
  limit: number;
  /** Also admits application/x-www-form-urlencoded. */
  form?: boolean;
  admission?: BodyAdmission;
}

/**
 * Reads a request's body as an object. A JSON content type may be omitted, and Content-Encoding is ignored (server/http/encoded-body.ts
 * reads it). Throws `overloaded` where there is no room for it.
 */
export async function readBody(request: ApiRequest, { limit, form = false, admission }: BodyInput): Promise<Body> {
  const format = formatOf(request.headers.get("content-type"));
  if (format === undefined || (format === "form" && !form)) {
    discard(request);
    return unreadable("unsupported content type");
  }
  if (Number(request.headers.get("content-length") ?? 0) > limit) {
    discard(request);
    return { kind: "too_large" };
  }
  const read = await readChunks(request, { limit, hold: admission?.hold });
  if (read === "too_large") return { kind: "too_large" };
  if (read === "cut off") return unreadable("cut off");
  if (format === "form") return readForm(wholeOf(read));
  if (read.length <= LARGE) return readJson(wholeOf(read));
  return admission ? await admission.inTurn(() => readLargeJson(read)) : await readLargeJson(read);
}

/** Reads a large body in slices: it is never held as a text, nor parsed in one go. */
async function readLargeJson({ chunks, length }: ReadBytes): Promise<Body> {
  const reader = jsonReader({ deepest: DEEPEST_NESTING, mostValues: MOST_VALUES, longestText: LONGEST_TEXT });
  const pause = slices();
  try {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) await inSlices(reader.take(chunk), pause);
    const value = reader.end();
    return isObject(value) ? { kind: "read", value, length } : unreadable("not an object");
  } catch (error) {
    return unreadable(reasonOf(error));
  }
}

function reasonOf(error: unknown): UnreadableReason {
  if (error instanceof JsonFault) return error.reason;
  throw error;
}

function unreadable(reason: UnreadableReason): Body {
  return { kind: "unreadable", reason };
}

function formatOf(contentType: string | null): "json" | "form" | undefined {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (!type || type === "application/json" || /^[^/\s]+\/[^/\s,]+\+json$/.test(type)) return "json";
  return type === "application/x-www-form-urlencoded" ? "form" : undefined;
}

function discard(request: ApiRequest): void {
  if (!request.bodyUsed) request.body?.cancel().catch(() => undefined);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function readJson(bytes: Uint8Array): Body {
  if (bytes.length === 0) return unreadable("empty");
  const excess = excessOf(bytes);
  if (excess) return unreadable(excess);
  const text = decode(bytes);
  if (text === undefined) return unreadable("not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable("not JSON");
  }
  if (!isObject(value)) return unreadable("not an object");
  // A key may be written with escapes.
  if (text.includes("\\u") || text.includes('"__proto__"')) dropProto(value);
  return { kind: "read", value, length: bytes.length };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks the bytes in one pass before anything is built. Brackets inside strings do not count. Broken JSON is left to
 * the parser.
 */
function excessOf(bytes: Uint8Array): "nested too deeply" | "too many values" | null {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > DEEPEST_NESTING) return "nested too deeply";
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === 0x2c) values += 1;
    if (values > MOST_VALUES) return "too many values";
  }
  return null;
}

/**
 * Deletes every `__proto__` key: JSON.parse makes it an own key, which an assignment further in would turn into a
 * prototype. Nothing in the API has that name.
 */
function dropProto(root: object): void {
  const open: object[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Object.hasOwn(next, "__proto__")) Reflect.deleteProperty(next, "__proto__");
    for (const child of Object.values(next)) if (typeof child === "object" && child !== null) open.push(child);
  }
}

function readForm(bytes: Uint8Array): Body {
  const text = decode(bytes);
  if (text === undefined || !decodesAsUtf8(text)) return unreadable("not UTF-8");
  const value: Record<string, unknown> = Object.create(null);
  for (const [key, field] of new URLSearchParams(text)) if (key !== "__proto__") value[key] = field;
  return { kind: "read", value, length: bytes.length };
}

/**
 * Reports whether a text decodes as UTF-8. URLSearchParams puts U+FFFD for bytes that are not UTF-8, so a secret would
 * silently become another. A lone `%` is literal.
 */
function decodesAsUtf8(text: string): boolean {
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    return true;
  } catch {
    return false;
  }
}
