import { isIP } from "node:net";

/**
 * Whether the password may be sent to an address that the server redirected to: an origin that the operator configured, or https on
 * its default port at a host of the same site (p12-caldav.icloud.com for caldav.icloud.com), which egress checks like any other
 * address.
 */
export function mayFollow(to: URL, origins: readonly string[], sites = knownSites): boolean {
  if (to.username !== "" || to.password !== "") return false;
  if (origins.includes(to.origin)) return true;
  if (to.protocol !== "https:" || to.port !== "") return false;
  return origins.some((origin) => isOfSite(to.hostname, siteOf(new URL(origin).hostname, sites)));
}

/** Sites whose owner distributes accounts over several hosts. Any other host stands alone. */
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
