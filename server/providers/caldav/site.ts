import { isIP } from "node:net";

/**
 * Whether the password may go to an address to which the server led: an origin that the operator configured, or https on its own
 * port at a host of the same site (p12-caldav.icloud.com for caldav.icloud.com), which egress judges like a stranger's.
 */
export function mayFollow(to: URL, origins: readonly string[]): boolean {
  if (to.username !== "" || to.password !== "") return false;
  if (origins.includes(to.origin)) return true;
  if (to.protocol !== "https:" || to.port !== "") return false;
  return origins.some((origin) => isOfSite(to.hostname, siteOf(new URL(origin).hostname)));
}

/**
 * The host without its first label where what is left is somebody's own name: never com, co.uk or com.au. Narrower than the
 * public suffix list would have it for deep names, which is the safe side.
 */
function siteOf(host: string): string {
  const [, ...rest] = host.split(".");
  const [second = "", country = ""] = rest.slice(-2);
  const isSuffix = rest.length < 2 || (rest.length === 2 && country.length === 2 && second.length <= 3);
  return isAddress(host) || isSuffix ? host : rest.join(".");
}

function isOfSite(host: string, site: string): boolean {
  return host === site || (!isAddress(host) && host.endsWith(`.${site}`));
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, "")) !== 0;
}
