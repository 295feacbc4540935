import { parsedUrl } from "@/server/domain/net/parsed-url";
import { isPublicAddress } from "@/server/domain/net/public-address";

export type CallbackUrlFault = "errors.invalid_callback_url" | "errors.invalid_callback_url_blocked";

const LONGEST_NAME = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** The shape of every top-level domain: letters, or another script in punycode. */
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/;
const DOTTED_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** Characters that URL parsers trim, drop or replace, each in its own way. */
const TREACHEROUS = /[\s\p{Cc}\p{Surrogate}\\]/u;
/** Scheme and authority as sent. The parser would also accept `https:host` and `https:///host`. */
const WITH_AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/**
 * Says what is wrong with a callback URL when a channel is created, or null. Expects it as sent, and allowed origins as
 * `URL.origin`. `invalid_callback_url`: no https URL at all. `invalid_callback_url_blocked`: credentials, a port other
 * than 443, or a host that is not public. Names are not resolved, because addresses are checked again at each delivery.
 * Rules: POST /v1/channels; ADRs 14 and 90.
 */
export function checkCallbackUrl(raw: string, allowedOrigins: readonly string[]): CallbackUrlFault | null {
  const authority = WITH_AUTHORITY.exec(raw)?.[1];
  const url = authority === undefined || TREACHEROUS.test(raw) ? null : parsedUrl(raw);
  if (authority === undefined || !url) return "errors.invalid_callback_url";
  const { protocol, origin, hostname, port } = url;
  const isAllowed = allowedOrigins.includes(origin);
  if (protocol !== "https:" && !isAllowed) return "errors.invalid_callback_url";
  // The parser can't tell empty credentials (`https://@host/`) from none.
  if (authority.includes("@")) return "errors.invalid_callback_url_blocked";
  return isAllowed || (port === "" && isPublicHost(hostname)) ? null : "errors.invalid_callback_url_blocked";
}

/**
 * Checks a host as the parser normalized it: lower case, punycode, every spelling of an IPv4 address as four decimals.
 */
function isPublicHost(host: string): boolean {
  if (host.startsWith("[")) return isPublicAddress(host.slice(1, -1));
  return DOTTED_ADDRESS.test(host) ? isPublicAddress(host) : isPublicName(host.replace(/\.$/, ""));
}

function isPublicName(name: string): boolean {
  const labels = name.split(".");
  const top = labels.at(-1) ?? "";
  if (name.length > LONGEST_NAME || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  return TOP_LABEL.test(top) && !closedDomains.has(top) && !closedDomains.has(labels.slice(-2).join("."));
}

/**
 * Domains that no public host has: special-use names, names claimed by RFCs, ICANN or local networks, and IANA's "test"
 * in other scripts.
 */
const closedDomains = new Set(
  `localhost local internal test example invalid onion arpa home lan corp
  example.com example.net example.org
  alt domain exit gnu i2p intra intranet localdomain localdomain6 lokal mail private priv workgroup
  cluster consul docker svc
  xn--0zwm56d xn--11b5bs3a9aj6g xn--80akhbyknj4f xn--9t4b11yi5a xn--deba0ad xn--g6w251d xn--hgbk6aj7f53bba
  xn--hlcj6aya9esc7a xn--jxalpdlp xn--kgbechtv xn--zckzah`.split(/\s+/),
);
