import { parsedUrl } from "@/server/domain/net/parsed-url";
import type { CaldavRequest, CaldavResponse } from "@/server/providers/caldav/ask";
import { down } from "@/server/providers/caldav/ask";
import { needMultistatus } from "@/server/providers/caldav/multistatus";
import { propfind } from "@/server/providers/caldav/requests";
import { cal, child, childrenOf, dav, type Element } from "@/server/providers/caldav/xml";
import { ProviderError } from "@/server/providers/connector";

export interface DiscoveredAccount {
  /** The path of the account's principal, which is the same whatever its host is called. */
  principal: string;
  /** An absolute address. Null: the account has no calendars. */
  home: string | null;
  /** Further ones, of the same server. */
  moreHomes: string[];
  /** Email addresses of the account, preferred ones first. */
  addresses: string[];
  displayName: string | null;
}

export interface DiscoveryWay {
  ask(request: CaldavRequest): Promise<CaldavResponse>;
  /** The address that a link in a response means. */
  link(href: string, base: string): URL | null;
}

/** Tries the entry point itself first, which is what iCloud uses, then RFC 6764's. */
const entriesOf = (entry: string) => new Set([new URL(entry).pathname, "/.well-known/caldav", "/"]);
const MOST_BYTES = 1024 * 1024;

/**
 * Follows the entry point's links to the signed-in account (RFC 5397) and on to its calendars (RFC 4791 §6.2.1, RFC 6638 §2.4.1).
 * Throws `credentials_rejected` when nobody is signed in, and `down` when the server reports no accounts.
 */
export async function discover(entry: string, way: DiscoveryWay): Promise<DiscoveredAccount> {
  const { ask } = way;
  const principal = await principalOf(entry, way);
  const props = [cal("calendar-home-set"), cal("calendar-user-address-set"), dav("displayname")];
  const answer = await ask({ ...propfind(principal, "0", props), mostBytes: MOST_BYTES });
  const found = (await needMultistatus(answer)).entries[0]?.props;
  const homes = hrefsOf(found?.get(cal("calendar-home-set"))).filter(({ text }) => text.trim() !== "");
  const [home = null, ...others] = await Promise.all(homes.map(({ text }) => addressOf(text, answer, way)));
  const { origin } = new URL(home ?? answer.url);
  return {
    principal: withOneSlash(new URL(answer.url).pathname),
    home,
    moreHomes: [...new Set(others)].filter((other) => other !== home && new URL(other).origin === origin),
    addresses: addressesOf(found?.get(cal("calendar-user-address-set"))),
    displayName: found?.get(dav("displayname"))?.text.trim() || null,
  };
}

async function principalOf(entry: string, way: DiscoveryWay): Promise<string> {
  const { ask } = way;
  for (const path of entriesOf(entry)) {
    const question = propfind(new URL(path, entry).href, "0", [dav("current-user-principal")]);
    const answer = await ask({ ...question, mostBytes: MOST_BYTES });
    if (answer.status !== 207) continue;
    const principal = (await needMultistatus(answer)).entries[0]?.props.get(dav("current-user-principal"));
    if (principal && child(principal, dav("unauthenticated"))) {
      throw new ProviderError({ kind: "credentials_rejected" }, "unauthenticated");
    }
    const href = hrefsOf(principal)[0]?.text.trim();
    if (href) return await addressOf(href, answer, way);
  }
  throw down("no_principal");
}

/**
 * Resolves the address that a link means. If the link names a host other than the server's own, the address is looked
 * up at the server itself.
 */
async function addressOf(href: string, { url }: CaldavResponse, { ask, link }: DiscoveryWay): Promise<string> {
  const found = link(href, url)?.href;
  if (found === undefined) throw down("led_nowhere");
  if (parsedUrl(href.trim(), url)?.href === found) return found;
  const { status } = await ask({ ...propfind(found, "0", [dav("resourcetype")]), mostBytes: MOST_BYTES });
  if (status !== 207) throw down("led_elsewhere");
  return found;
}

function addressesOf(set: Element | undefined): string[] {
  const preferred = (href: Element) => Number(href.attributes.preferred === "1");
  const addresses = hrefsOf(set)
    .sort((one, other) => preferred(other) - preferred(one))
    .flatMap(({ text }) => mailAddress(text.trim()) ?? []);
  return [...new Set(addresses.map((address) => address.toLowerCase()))];
}

const MAILTO = "mailto:";
/** RFC 5321 §4.5.3.1.3. */
const LONGEST_ADDRESS = 254;

function mailAddress(href: string): string | null {
  if (href.slice(0, MAILTO.length).toLowerCase() !== MAILTO) return null;
  const address = href.slice(MAILTO.length);
  return address.length <= LONGEST_ADDRESS && /^.+@.+$/.test(address) ? address : null;
}

/** Makes a path end with exactly one slash. */
function withOneSlash(path: string): string {
  let end = path.length;
  while (path.endsWith("/", end)) end -= 1;
  return `${path.slice(0, end)}/`;
}

function hrefsOf(prop: Element | undefined): Element[] {
  return prop ? childrenOf(prop, dav("href")) : [];
}
