import { domainToASCII, domainToUnicode } from "node:url";
import type { Query } from "@/server/db/client";
import { binding } from "@/server/db/composed";

/** The host of a channel `c`, as the indexes of channels have it. */
export const hostOfChannel = `lower(regexp_replace(substring(c.callback_url from '^[^:]*://([^/?#]*)'), '\\.?(:443)?$', ''))`;
const pathOfChannel = `coalesce(substring(c.callback_url from '^[^:]*://[^/?#]*(/[^?#]*)'), '')`;
const endpointOfChannel = `(${hostOfChannel} || ${pathOfChannel})`;

/**
 * The channels whose endpoint (host and path) begins with what was typed, or whose host lies below a domain that was typed: `acme.io`
 * finds `hooks.acme.io`. What begins with a slash is the beginning of a path, but a slash alone is every path. A scheme, a query and a
 * fragment are disregarded: what a query holds cannot be searched.
 */
export async function channelsAt(query: Query, typed: string): Promise<string[]> {
  const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)/i.exec(typed) ?? [];
  const names = spellings(host);
  const { values, put } = binding();
  const begins = (name: string) => `${endpointOfChannel} LIKE ${put(`${escaped(name + path)}%`)}`;
  const liesBelow = (name: string) => `reverse(${hostOfChannel}) LIKE ${put(`${escaped(reversed(`.${name}`))}%`)}`;
  const isPath = typed.startsWith("/") && path.length > 1;
  const ways = [
    ...names.map(begins),
    ...(path === "" ? names.map(liesBelow) : []),
    ...(isPath ? [`${pathOfChannel} LIKE ${put(`${escaped(path)}%`)}`] : []),
  ];
  if (ways.length === 0) return [];
  const rows = await query<{ id: string }>(`SELECT c.id FROM channels c WHERE ${ways.join(" OR ")}`, values);
  return rows.map(({ id }) => id);
}

/** A host in lower case, as callback URLs have it that were sent in its own script or in punycode. */
export function spellings(host: string): string[] {
  const lower = host.toLowerCase().replace(/\.?(:443)?$/, "");
  return [...new Set([lower, domainToUnicode(lower), domainToASCII(lower)])].filter((name) => name !== "");
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}
