import { parsedUrl } from "@/server/domain/net/parsed-url";
/** Of the demo application that the first start registers. */
export const DEMO_REDIRECT_URI = "http://localhost:4000/callback";

export const REDIRECT_URI_RULE = "must be an https URL, or http on loopback, without a fragment or credentials";

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an application may register a redirect URI (ADR 90). Later ones must be the same string. */
export function isRedirectUri(text: string): boolean {
  // What URL would drop or turn around is not the string that is compared.
  if (!/^https?:\/\/[^\s\\/?#@\p{Cc}]+(?:[/?][^\s\\#\p{Cc}]*)?$/u.test(text)) return false;
  const url = parsedUrl(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === "https:" || loopback.has(url.hostname);
}
