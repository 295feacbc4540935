import { isIP } from "node:net";

/**
 * Whether the password may go to an address to which the server led: an origin that the operator configured, or https on its own
 * port at a host of the same site (p12-caldav.icloud.com for caldav.icloud.com), which egress judges like a stranger's.
 */
export function mayFollow(to: URL, origins: readonly string[], sites = knownSites): boolean {
  if (to.username !== "" || to.password !== "") return false;
  if (origins.includes(to.origin)) return true;
  if (to.protocol !== "https:" || to.port !== "") return false;
  return origins.some((origin) => isOfSite(to.hostname, siteOf(new URL(origin).hostname, sites)));
}

/** Hosts whose owner spreads accounts over others of the same site; any other host is alone. */
const knownSites: readonly string[] = ["icloud.com"];

function siteOf(host: string, sites: readonly string[]): string {
  return sites.find((site) => isOfSite(host, site)) ?? host;
}

function isOfSite(host: string, site: string): boolean {
  return host === site || (!isAddress(host) && host.endsWith(`.${site}`));
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, "")) !== 0;
}
