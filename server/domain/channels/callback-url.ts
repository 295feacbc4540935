import { parsedUrl } from "@/server/domain/net/parsed-url";
import { isPublicAddress } from "@/server/domain/net/public-address";

export type CallbackUrlFault = "errors.invalid_callback_url" | "errors.invalid_callback_url_blocked";

const LONGEST_NAME = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** All that the root zone has: letters, or another script in punycode. */
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/;
const DOTTED_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
/** What URL parsers trim, drop or turn into something else, each in its own way. */
const TREACHEROUS = /[\s\p{Cc}\p{Surrogate}\\]/u;
/** Scheme and authority as they were sent; the parser would also take `https:host` and `https:///host`. */
const WITH_AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/**
 * What is wrong with a callback URL when a channel is created; null: nothing. Takes it as it was sent, and origins that are let through
 * in the form of `URL.origin`. `invalid_callback_url`: no https URL at all. `invalid_callback_url_blocked`: one with credentials,
 * another port than 443 or a host that is not public. Names are not resolved: addresses are checked again at each delivery.
 * Rules: POST /v1/channels; ADRs 14 and 90.
 */
export function checkCallbackUrl(raw: string, allowedOrigins: readonly string[]): CallbackUrlFault | null {
  const authority = WITH_AUTHORITY.exec(raw)?.[1];
  const url = authority === undefined || TREACHEROUS.test(raw) ? null : parsedUrl(raw);
  if (authority === undefined || !url) return "errors.invalid_callback_url";
  const { protocol, origin, hostname, port } = url;
  const isAllowed = allowedOrigins.includes(origin);
  if (protocol !== "https:" && !isAllowed) return "errors.invalid_callback_url";
  // The parser does not tell empty credentials (`https://@host/`) from none.
  if (authority.includes("@")) return "errors.invalid_callback_url_blocked";
  return isAllowed || (port === "" && isPublicHost(hostname)) ? null : "errors.invalid_callback_url_blocked";
}

/** Of a host as the parser left it: lower case, punycode, every spelling of an IPv4 address as four decimal numbers. */
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

/** Domains that no public host has: special-use names, others that RFCs, ICANN or local networks took, and IANA's "test" in other scripts. */
const closedDomains = new Set(
  `localhost local internal test example invalid onion arpa home lan corp
  example.com example.net example.org
  alt domain exit gnu i2p intra intranet localdomain localdomain6 lokal mail private priv workgroup
  cluster consul docker svc
  xn--0zwm56d xn--11b5bs3a9aj6g xn--80akhbyknj4f xn--9t4b11yi5a xn--deba0ad xn--g6w251d xn--hgbk6aj7f53bba
  xn--hlcj6aya9esc7a xn--jxalpdlp xn--kgbechtv xn--zckzah`.split(/\s+/),
);
