import { lookup, Resolver } from "node:dns/promises";
import { isIPv4 } from "node:net";
import { isPublicAddress } from "@/server/domain/net/public-address";
import { EgressFailure } from "@/server/egress/failure";
import type { EgressTarget } from "@/server/egress/target";

const QUERY_MS = 1500;
const MOST_ADDRESSES = 3;

/** Resolves all addresses of a name. Rejects when there are none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Resolves the addresses that a request may connect to, IPv4 first, at most three. Throws `dns` for a name without
 * addresses, and `blocked` when any of its addresses is not public: a mixed response is no accident (ADR 14).
 */
export async function addressesOf(target: EgressTarget, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const all = target.literal ? [target.host] : await named(target, resolve, signal);
  if (all.length === 0) throw new EgressFailure("dns");
  const refused = target.trusted ? undefined : all.find((address) => !isPublicAddress(address));
  if (refused !== undefined) throw new EgressFailure("blocked", refused);
  return [...all.filter(isIPv4), ...all.filter((address) => !isIPv4(address))].slice(0, MOST_ADDRESSES);
}

/**
 * Queries the name servers, by default the machine's own (`address[:port]`): never the hosts file, and never the thread
 * pool of `dns.lookup`, which slow names would starve. One resolver per query, so that each can be cancelled alone.
 */
export async function resolveName(host: string, signal: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: 1 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.removeEventListener("abort", cancel);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

/** Lists the addresses of a name. Empty if it has none, or if the signal came first. */
function named({ host, trusted }: EgressTarget, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  return new Promise((done) => {
    const nothing = () => done([]);
    signal.addEventListener("abort", nothing, { once: true });
    (trusted ? systemAddresses(host) : resolve(host, signal)).then(done, nothing);
  });
}

async function systemAddresses(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
