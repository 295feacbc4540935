import { parsedUrl } from "@/server/domain/net/parsed-url";
/** The redirect URI of the demo application that the first start registers. */
export const DEMO_REDIRECT_URI = "http://localhost:4000/callback";

export const REDIRECT_URI_RULE = "must be an https URL, or http on loopback, without a fragment or credentials";

/** An http URI of this machine: its host, its port, and all else. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?([/?].*)?$/s;
const LAST_PORT = 65_535;

/**
 * Checks whether a redirect URI differs from a registered one in the port of this machine alone: native apps listen at
 * a port that they learn when they start (RFC 8252 §7.3).
 */
export function isAtOtherPort(text: string, registered: string): boolean {
  const [, host, port, rest = ""] = LOOPBACK.exec(text) ?? [];
  const [, registeredHost, , registeredRest = ""] = LOOPBACK.exec(registered) ?? [];
  if (host === undefined || host !== registeredHost || rest !== registeredRest) return false;
  return port === undefined || (Number(port) > 0 && Number(port) <= LAST_PORT);
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Checks that an application may register a redirect URI (ADR 90). Later requests must send the same string. */
export function isRedirectUri(text: string): boolean {
  // URL would drop or rewrite these, but strings are compared.
  if (!/^https?:\/\/[^\s\\/?#@\p{Cc}]+(?:[/?][^\s\\#\p{Cc}]*)?$/u.test(text)) return false;
  const url = parsedUrl(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === "https:" || loopback.has(url.hostname);
}
