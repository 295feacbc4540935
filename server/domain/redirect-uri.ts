import { parsedUrl } from "@/server/domain/net/parsed-url";
/** The redirect URI of the demo application that the first start registers. */
export const DEMO_REDIRECT_URI = "http://localhost:4000/callback";

export const REDIRECT_URI_RULE = "must be an https URL, or http on loopback, without a fragment or credentials";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Checks that an application may register a redirect URI (ADR 90). Later requests must send the same string. */
export function isRedirectUri(text: string): boolean {
  // URL would drop or rewrite these, but strings are compared.
  if (!/^https?:\/\/[^\s\\/?#@\p{Cc}]+(?:[/?][^\s\\#\p{Cc}]*)?$/u.test(text)) return false;
  const url = parsedUrl(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === "https:" || loopback.has(url.hostname);
}
