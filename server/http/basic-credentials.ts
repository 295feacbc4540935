import type { Issue } from "@/server/domain/issues";
import type { Exchange } from "@/server/http/exchange";
import { invalid, oauthRefusal, type Refusal } from "@/server/services/refusal";

type Field = "client_id" | "client_secret";
type Credentials = Record<Field, string>;
const fields: readonly Field[] = ["client_id", "client_secret"];

/** What form-urlencoding can give, in whichever language. */
const FORM_ENCODED = /^(?:[\w.~*!'()+-]|%[0-9a-f]{2})*$/i;
const BASE64 = /^[\w+/-]+={0,2}$/;
const UNREADABLE = "The Authorization header is not HTTP Basic credentials: base64 of client_id:client_secret";

/**
 * Returns a request's body and adds the client id and secret of its HTTP Basic Authorization header where the body has
 * none. An empty field counts as omitted (RFC 6749 §3.2), and headers of other schemes are ignored. Throws
 * invalid_request (outside OAuth: 422) if the two differ, or if the body lacks credentials and the header can't be
 * read.
 */
export function withBasic(
  exchange: Exchange,
  body: Record<string, unknown>,
  { isOAuth }: { isOAuth: boolean },
): Record<string, unknown> {
  const basic = basicCredentials(exchange.request.headers.get("authorization"));
  if (basic === null) return body;
  exchange.usesBasic = true;
  const missing = fields.filter((field) => isOmitted(body[field]));
  if (basic === "unreadable") {
    if (missing.length === 0) return body;
    throw refusal(
      missing.map((field) => ({ path: [field], key: "errors.required", description: UNREADABLE })),
      isOAuth,
    );
  }
  const different = fields.filter(
    (field) => !missing.includes(field) && basic[field] !== "" && isText(body[field]) && body[field] !== basic[field],
  );
  if (different.length > 0) throw refusal(different.map(differs), isOAuth);
  const sent = missing.filter((field) => basic[field] !== "").map((field) => [field, basic[field]]);
  return { ...body, ...Object.fromEntries(sent) };
}

/**
 * Reads HTTP Basic (RFC 7617). The id and the secret are form-urlencoded (RFC 6749 §2.3.1); where the pair has a character that no such encoding
 * gives, the client did without it, or encoded colons alone, and all else is taken literally. Null: it is another scheme, or none.
 */
export function basicCredentials(authorization: string | null): Credentials | "unreadable" | null {
  const sent = /^basic(?:$| +)(.*)/i.exec(authorization ?? "")?.[1];
  if (sent === undefined) return null;
  const pair = BASE64.test(sent) ? utf8(Buffer.from(sent, "base64")) : null;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(pair ?? "") ?? [];
  if (id === undefined || secret === undefined) return "unreadable";
  if (!FORM_ENCODED.test(id + secret)) return { client_id: withColons(id), client_secret: withColons(secret) };
  const [client_id, client_secret] = [formDecoded(id), formDecoded(secret)];
  return client_id === null || client_secret === null ? "unreadable" : { client_id, client_secret };
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function withColons(text: string): string {
  return text.replace(/%3a/gi, ":");
}

function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function isOmitted(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function differs(field: Field): Issue {
  const description = `${field} is not the same in the body as in the Authorization header`;
  return { path: [field], key: "errors.invalid", description };
}

function refusal(issues: Issue[], isOAuth: boolean): Refusal {
  if (!isOAuth) return invalid(...issues);
  return oauthRefusal("invalid_request", [...new Set(issues.map(({ description }) => description))].join("; "));
}
