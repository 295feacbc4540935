import { domainToASCII, domainToUnicode } from "node:url";
import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { channelsLike, type EndpointPatterns } from "@/server/services/staff/deliveries/names.sql";
import { beginning, literally } from "@/server/services/staff/lists/like";
import type { Within } from "@/server/services/staff/procedure/scope";

/**
 * The channels whose endpoint (host and path) begins with what was typed, or whose host lies below a domain that was typed: `acme.io`
 * finds `hooks.acme.io`. What begins with a slash is the beginning of a path, but a slash alone is every path. A scheme, a query and a
 * fragment are disregarded: what a query holds cannot be searched. A slash at the end may be absent from the callback URL.
 */
export async function channelsAt(query: Query, typed: string, within: Within): Promise<string[]> {
  const patterns = patternsOf(typed);
  if (Object.values(patterns).every((some) => some.length === 0)) return [];
  const rows = await runComposed(query, channelsLike, { ...patterns, within });
  return rows.map(({ id }) => id);
}

/** The patterns of what was typed, as `channelsAt` understands it: none of an email. */
export function patternsOf(typed: string): EndpointPatterns {
  if (isEmail(typed)) return { begins: [], liesBelow: [], paths: [] };
  const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/i.exec(typed) ?? [];
  const names = spellings(host);
  const begins = names.flatMap((name) => beginnings(name + path));
  const liesBelow = path === "" ? names.map((name) => beginning(reversed(`.${name}`))) : [];
  const paths = typed.startsWith("/") && path.length > 1 ? beginnings(path) : [];
  return { begins, liesBelow, paths };
}

function isEmail(typed: string): boolean {
  return /^[^/\s]*@/.test(typed);
}

function beginnings(text: string): string[] {
  return text.endsWith("/") ? [beginning(text), literally(text.slice(0, -1))] : [beginning(text)];
}

/** A host in lower case, as callback URLs have it that were sent in its own script or in punycode. */
export function spellings(host: string): string[] {
  const lower = host.toLowerCase().replace(/\.?(:443)?$/, "");
  return [...new Set([lower, domainToUnicode(lower), domainToASCII(lower)])].filter((name) => name !== "");
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}
