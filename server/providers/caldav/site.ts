import { isIP } from "node:net";
import { parsedUrl } from "@/server/domain/net/parsed-url";

/**
 * Tells whether the password may be sent to an address that the server redirected to: an origin that the operator configured, or https on
 * its default port at a host of the same site (p12-caldav.icloud.com for caldav.icloud.com), which egress checks like any other
 * address.
 */
export function mayFollow(to: URL, origins: readonly string[], sites = knownSites): boolean {
  if (to.username !== "" || to.password !== "") return false;
  if (origins.includes(to.origin)) return true;
  if (to.protocol !== "https:" || to.port !== "") return false;
  return origins.some((origin) => isOfSite(to.hostname, siteOf(new URL(origin).hostname, sites)));
}

/**
 * Gives the address that a server means by a link. It knows itself by another scheme or host where it stands behind a proxy: such a link is a path
 * of the server that was asked, so that nothing is sent to a host that is not its own. Only a site's hosts, and the origins that the
 * operator configured, are other servers. Null: it is no link.
 */
export function linkedAddress(
  href: string,
  base: string,
  { origins, sites }: { origins: readonly string[]; sites?: readonly string[] },
): URL | null {
  const to = parsedUrl(href.trim(), base);
  if (!to) return null;
  const from = new URL(base);
  const isOther = origins.includes(to.origin) || (to.hostname !== from.hostname && mayFollow(to, origins, sites));
  return to.origin === from.origin || isOther ? to : addressAt(from.origin, to);
}

/** Gives the address of a path at an origin, also of one that begins with two slashes: resolved as a link, it would be another host's. */
export function addressAt(origin: string, { pathname, search }: { pathname: string; search: string }): URL {
  return Object.assign(new URL(origin), { pathname, search });
}

/** Tells whether a host is one of a site whose owner is known to distribute accounts over several hosts. */
export function isOfKnownSite(host: string): boolean {
  return knownSites.some((site) => isOfSite(host, site));
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
