import { isKept, isKey } from "@/server/http/redaction/fields";
import { addressOf, type Kept } from "@/server/http/redaction/responses";
import { holdsOurs, holdsSecret, holdsSecretAmongIds, holdsToken } from "@/server/http/redaction/secrets";

export const REDACTED = "[redacted]";
/** Most bytes of one stored body, serialised. */
export const STORED_BODY = 16 * 1024;

const LONGEST_HEADER = 256;
const LONGEST_QUERY = 2048;
const MOST_KEYS = 128;
const MOST_HEADERS = 64;
const MOST_PARAMETERS = 256;
const DEEPEST = 32;
const WRAPPING = '{"truncated":true,"body":}'.length;

/**
 * Redacts a body for the request log (spec "Limits": tokens, credentials and event text replaced by `[redacted]`).
 * Numbers, booleans, null, the keys and strings of fields.ts and what `kept` returns stay. What does not fit into 16 KB
 * is omitted: `{ truncated: true, body }`.
 */
export function redactBody(value: unknown, kept: Kept = NOTHING_MORE): unknown {
  const budget: Budget = { left: STORED_BODY - WRAPPING, cut: false };
  const body = walk(value, { field: "", depth: 0, parent: {}, budget, kept });
  return budget.cut ? { truncated: true, body } : body;
}

const NOTHING_MORE: Kept = { text: () => null, key: () => false };

interface Budget {
  left: number;
  cut: boolean;
}

interface RedactPosition {
  field: string;
  depth: number;
  parent: object;
  budget: Budget;
  kept: Kept;
}

function walk(value: unknown, place: RedactPosition): unknown {
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    if (place.depth >= DEEPEST) return spend(place.budget, REDACTED);
    place.budget.left -= 2;
    return Array.isArray(value) ? walkArray(value, place) : walkObject(value, place);
  }
  return spend(place.budget, scalar(value, place));
}

function walkArray(items: unknown[], place: RedactPosition): unknown[] {
  const { budget } = place;
  const out: unknown[] = [];
  for (const item of items) {
    if (isSpent(budget)) break;
    budget.left -= 1;
    out.push(walk(item, { ...place, depth: place.depth + 1, parent: items }));
  }
  return out;
}

function walkObject(object: object, place: RedactPosition): Record<string, unknown> {
  const { budget } = place;
  const out: Record<string, unknown> = {};
  let keys = 0;
  for (const [field, value] of Object.entries(object)) {
    if (value === undefined) continue;
    keys += 1;
    if (keys > MOST_KEYS) budget.cut = true;
    if (keys > MOST_KEYS || isSpent(budget)) break;
    const isNamed = isKey(field) || place.kept.key(object, field);
    const key = spend(budget, isNamed ? field : REDACTED);
    budget.left -= 2;
    const kept = isNamed
      ? walk(value, { ...place, field, depth: place.depth + 1, parent: object })
      : spend(budget, REDACTED);
    put(out, key, kept);
  }
  return out;
}

/** Stops early enough that the longest scalar still fits (a cursor of 600 characters). */
function isSpent(budget: Budget): boolean {
  if (budget.left < 1200) budget.cut = true;
  return budget.cut;
}

/** Characters that JSON writes as they are. */
const AS_THEY_ARE = /^[ !#-[\]-~]*$/;

function spend<T>(budget: Budget, part: T): T {
  const isPlain = typeof part === "string" && AS_THEY_ARE.test(part);
  budget.left -= isPlain ? part.length + 2 : Buffer.byteLength(JSON.stringify(part));
  return part;
}

/**
 * Sets a key of an object, `__proto__` too: an object with a prototype is written and read much faster than one
 * without, but for this one name.
 */
function put(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") out[key] = value;
  else Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
}

function scalar(value: unknown, { field, parent, kept }: RedactPosition): string | number | boolean | null {
  if (typeof value === "string") return isKept(field, value) ? value : (kept.text(parent, field, value) ?? REDACTED);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return null;
}

/** Replaces U+0000 and lone surrogates, which jsonb refuses. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "\uFFFD").replace(/\p{Surrogate}/gu, "\uFFFD");
}

const KEPT_HEADERS = new Set(
  `accept accept-encoding accept-language allow cache-control connection content-encoding content-language content-length content-type date
  expect host keep-alive origin pragma ratelimit-limit ratelimit-remaining ratelimit-reset retry-after svc-request-id svc-sandbox-fault transfer-encoding
  user-agent vary www-authenticate`.split(/\s+/),
);

/** What the front door tells the routes: no caller sent it. */
const FRONT_DOORS_OWN = "x-almanac-";

export type HeaderSource = Iterable<[string, string]> | Record<string, string | string[] | undefined>;

/** Returns headers by lower-case name. Values that may be secret, and those of unknown headers, are `[redacted]`. */
export function redactHeaders(headers: HeaderSource): Record<string, string> {
  const out: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    const key = name.toLowerCase();
    if (value === undefined || key.startsWith(FRONT_DOORS_OWN)) continue;
    count += 1;
    if (count > MOST_HEADERS) break;
    if (KEPT_HEADERS.has(key)) out[key] = keptHeader(key, String(value));
    else put(out, isKey(key) ? key : REDACTED, REDACTED);
  }
  return out;
}

/** What headers said that clients send again and again, such as `user-agent`: looking for secrets in them costs more than all else of an entry. */
const harmless = new Set<string>();
const MOST_HARMLESS = 1_000;

function keptHeader(key: string, value: string): string {
  if (harmless.has(value) || /^\d{1,20}$/.test(value)) return value;
  const kept = withoutSecret(key, value);
  if (kept !== value) return kept;
  if (key === "svc-request-id") return value;
  if (harmless.size >= MOST_HARMLESS) harmless.clear();
  harmless.add(value);
  return value;
}

function withoutSecret(key: string, value: string): string {
  const text = value.length > LONGEST_HEADER ? detached(value.slice(0, LONGEST_HEADER)) : value;
  // An id of ours looks like a secret too.
  const looked = value.slice(0, LONGEST_HEADER * 4);
  const isHidden = key === "svc-request-id" ? holdsOurs(looked) : holdsSecret(looked);
  return isHidden ? REDACTED : storable(text);
}

/** Copies a text into memory of its own, because a part of a string keeps the whole alive. */
export function detached(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

function isIterable(headers: HeaderSource): headers is Iterable<[string, string]> {
  return Symbol.iterator in headers;
}

/** A token that begins before the cut may end behind it, percent-encoded. */
const CUT_SLACK = 256;

/** Paths that hold no secret, which are asked for again and again. */
const harmlessPaths = new Set<string>();

/**
 * Redacts a pathname, cut at `longest` characters: the whole is `[redacted]` if it holds a token, and so is a segment
 * that may be another secret.
 */
export function redactPath(path: string, longest: number): string {
  if (path.length <= longest && harmlessPaths.has(path)) return path;
  const redacted = redactedPath(path, longest);
  if (redacted === path) {
    if (harmlessPaths.size >= MOST_HARMLESS) harmlessPaths.clear();
    harmlessPaths.add(redacted);
  }
  return redacted;
}

function redactedPath(path: string, longest: number): string {
  const looked = path.slice(0, longest + CUT_SLACK);
  if (holdsToken(looked)) return REDACTED;
  const parts: string[] = [];
  let start = 0;
  for (const segment of looked.split("/")) {
    if (start > longest) break;
    parts.push(holdsSecretAmongIds(segment) ? REDACTED : segment.slice(0, longest - start));
    start += segment.length + 1;
  }
  return detached(parts.join("/"));
}

/**
 * Redacts a query string, which is then to be read, not sent again: `tzid=Europe%2FParis&state=[redacted]`, at most
 * 2,048 characters; null: there is none.
 */
export function redactQuery(parameters: URLSearchParams): string | null {
  const parts: string[] = [];
  let length = 0;
  for (const [name, value] of parameters) {
    const kept = isKept(name, value) ? value : name === "redirect_uri" ? addressOf(value) : null;
    const part = isKey(name) ? `${encode(name)}=${kept === null ? REDACTED : encode(kept)}` : REDACTED;
    length += part.length + 1;
    if (parts.length === MOST_PARAMETERS || length > LONGEST_QUERY) break;
    parts.push(part);
  }
  return parts.length === 0 ? null : parts.join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%3A", ":");
}
