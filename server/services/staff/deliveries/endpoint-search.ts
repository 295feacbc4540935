import { domainToASCII, domainToUnicode } from "node:url";
import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { channelsLike, type EndpointPatterns } from "@/server/services/staff/deliveries/names.sql";
import { escapeLike, prefixPattern } from "@/server/services/staff/lists/like";
import type { Meaning } from "@/server/services/staff/lists/meaning";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";

/**
 * Finds the channels whose endpoint (host and path) begins with the typed text, or whose host is below a typed domain:
 * `acme.io` finds `hooks.acme.io`. Text that begins with a slash is the beginning of a path, but a slash alone is every
 * path. Whole segments beside a slash are found anywhere in a path: `team-7/ev` finds `/hooks/team-7/events`. Ignores a scheme, a query and a fragment: queries cannot be searched. A slash at the end may be absent from the
 * callback URL.
 */
export async function channelsAt(query: Query, typed: Meaning, within: VisibleApplications): Promise<string[]> {
  const patterns = patternsOf(typed);
  if (Object.values(patterns).every((some) => some.length === 0)) return [];
  const rows = await runComposed(query, channelsLike, { ...patterns, within });
  return rows.map(({ id }) => id);
}

/** Returns the patterns of the typed text, as `channelsAt` understands it: none for an email. */
export function patternsOf({ text: typed, email }: Meaning): EndpointPatterns {
  if (email !== null) return { begins: [], liesBelow: [], paths: [], parts: [] };
  const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/i.exec(typed) ?? [];
  const names = hostSpellings(host);
  const begins = names.flatMap((name) => beginnings(name + path));
  const liesBelow = path === "" ? names.map((name) => prefixPattern(reverse(`.${name}`))) : [];
  const paths = typed.startsWith("/") && path.length > 1 ? beginnings(path) : [];
  return { begins, liesBelow, paths, parts: typed.includes("/") ? partsOf(typed) : [] };
}

/** Returns the typed text as a part of a path, with a slash in it or not: of several segments the last may be incomplete. */
export function partsOf(typed: string): EndpointPatterns["parts"] {
  const [, path = ""] = /^\/?([\w%.~-]+(?:\/[\w%.~-]*)*)$/.exec(typed) ?? [];
  const segments = path.split("/");
  const whole = segments.length > 1 ? segments.slice(0, -1) : segments;
  if (path.length < SHORTEST_PART || whole.includes("")) return [];
  return [{ segments: whole, pattern: `%/${prefixPattern(path)}` }];
}

/** A shorter segment, such as `v1`, is in too many paths. */
const SHORTEST_PART = 3;

function beginnings(text: string): string[] {
  return text.endsWith("/") ? [prefixPattern(text), escapeLike(text.slice(0, -1))] : [prefixPattern(text)];
}

/** Returns a host's lower-case spellings: callback URLs contain it in its own script or in punycode. */
export function hostSpellings(host: string): string[] {
  const lower = host.toLowerCase().replace(/\.?(:443)?$/, "");
  return [...new Set([lower, domainToUnicode(lower), domainToASCII(lower)])].filter((name) => name !== "");
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
