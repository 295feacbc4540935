import { parsedUrl } from "@/server/domain/net/parsed-url";
import { isKept } from "@/server/http/redaction/fields";
import { holdsOurs, holdsToken } from "@/server/http/redaction/secrets";

/** What stays of a body beside what fields.ts lets through. */
export interface Kept {
  /** The text of a field as it may be stored; null: nothing is. */
  text(parent: object, field: string, text: string): string | null;
  /** Whether a key stays. */
  key(parent: object, key: string): boolean;
}

export interface LoggedSide {
  side: "request" | "response";
  /** The pathname of the request. */
  path: string;
}

const LONGEST_SENTENCE = 300;
const LONGEST_ADDRESS = 500;
const PRINTABLE = /^[\x20-\x7e]+$/;
const OAUTH = /^\/oauth\//;
const AVAILABILITY = /^\/v1\/availability$/;
const CHANNELS = /^\/v1\/channels(?:\/|$)/;
/** A field of the specification, as `fieldName` writes it: what a caller made up may be anything. */
const FIELD_NAME = /^(?:[a-z][a-z_]{0,39}(?:\[\d{0,6}\])*(?:\.|$)){1,8}$/;

/**
 * Returns what stays readable of a body beside ids and enumerated values. In responses: the sentences of our own
 * refusals, which quote no caller (a `description` in a request is event text), and which fields they are of. For
 * channels: where a callback URL leads. For OAuth: where a redirect URI leads. Both are without their queries. For
 * availability: the accounts and times of `as_of`.
 */
export function keptOf(body: unknown, { side, path }: LoggedSide): Kept {
  const refusals = side === "response" ? refusalsIn(body) : new Set();
  const issues = side === "response" && isRecord(body) ? body.errors : undefined;
  const asOf = side === "response" && isRecord(body) && AVAILABILITY.test(path) ? body.as_of : undefined;
  const isOfChannels = CHANNELS.test(path);
  return {
    text(parent, field, text) {
      if (parent === asOf) return isKept("since", text) ? text : null;
      if (isOfChannels && field === "callback_url") return addressOf(text);
      if (field === "redirect_uri" && OAUTH.test(path)) return addressOf(text);
      const isSentence = field === "description" || field === "error_description";
      return isSentence && refusals.has(parent) ? keptSentence(text) : null;
    },
    key: (parent, key) =>
      (parent === issues && FIELD_NAME.test(key) && !holdsToken(key)) || (parent === asOf && isKept("sub", key)),
  };
}

/** Collects the objects of a response that say why it is a refusal: `{ error, … }`, and each of a 422's issues. */
function refusalsIn(response: unknown): Set<unknown> {
  if (!isRecord(response)) return new Set();
  const issues = isRecord(response.errors)
    ? Object.entries(response.errors).flatMap(([field, found]) => (FIELD_NAME.test(field) ? found : []))
    : [];
  const isIssue = (one: unknown) => isRecord(one) && typeof one.key === "string" && isKept("key", one.key);
  const isWhole = typeof response.error === "string" && isKept("error", response.error);
  return new Set([...(isWhole ? [response] : []), ...issues.filter(isIssue)]);
}

/** Cuts a sentence of ours at 300 characters; null when the text cannot be one. */
export function keptSentence(text: string): string | null {
  // Its spaces are those of our words: nothing is hidden by them.
  if (!PRINTABLE.test(text) || text.split(" ").some(holdsOurs)) return null;
  return text.length > LONGEST_SENTENCE ? `${text.slice(0, LONGEST_SENTENCE - 3)}...` : text;
}

/** Strips query, fragment and credentials from an address: `https://hooks.acme.io/almanac?[redacted]`. */
export function addressOf(text: string): string | null {
  const url = parsedUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || holdsOurs(text)) return null;
  const address = `${url.origin}${url.pathname}`;
  const query = url.search === "" ? "" : "?[redacted]";
  return address.length > LONGEST_ADDRESS ? `${address.slice(0, LONGEST_ADDRESS - 3)}...${query}` : address + query;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
