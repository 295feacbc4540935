import { isIP } from "node:net";
import { EgressFailure } from "@/server/egress/failure";

export interface EgressTarget {
  /** `scheme://host[:port]` */
  origin: string;
  /** The operator allowed this exact origin: its scheme, port and addresses are not checked. */
  trusted: boolean;
  secure: boolean;
  /** The Host header: with the port unless it is the scheme's default. */
  authority: string;
  /** A name or an address, without brackets. */
  host: string;
  /** Whether the host is an address, not a name. */
  literal: boolean;
  port: number;
  /** Path and query. */
  path: string;
}

/**
 * Parses the URL of a request. Throws `blocked` for one that is not https on port 443, unless its exact origin is
 * allowed.
 */
export function targetOf(text: string, allowedOrigins: readonly string[]): EgressTarget {
  const url = parsed(text);
  const secure = url.protocol === "https:";
  const trusted = (secure || url.protocol === "http:") && allowedOrigins.includes(url.origin);
  if (!trusted && (!secure || url.port !== "")) throw new EgressFailure("blocked");
  if (url.username !== "" || url.password !== "") throw new EgressFailure("blocked");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return {
    origin: url.origin,
    trusted,
    secure,
    authority: url.host,
    host,
    literal: isIP(host) !== 0,
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
  };
}

function parsed(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new EgressFailure("blocked");
  }
}
