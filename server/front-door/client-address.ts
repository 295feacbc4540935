import type { IncomingMessage } from "node:http";
import { isWithin, plainAddress, type Range } from "@/server/domain/net/ranges";
import { recentEntries } from "@/server/recent-entries";

/**
 * Determines who a request is from: the socket's other end or, where that is one of our proxies, the last entry of
 * X-Forwarded-For that is not one. The entries further left were there when the request reached our proxies, and
 * anybody may have written them.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  proxies: readonly Range[],
): string {
  const nearest = spelled(socket.remoteAddress ?? "");
  if (proxies.length === 0 || !isWithin(nearest, proxies)) return nearest;
  const passed = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  let farthest = nearest;
  for (const entry of passed.reverse()) {
    const address = plainAddress(bare(entry.trim()));
    if (address === null) return nearest;
    farthest = address;
    if (!isWithin(address, proxies)) return farthest;
  }
  return farthest;
}

/** Most requests come from a few other ends, and parsing an address costs as much as finding the route. */
const MOST_KNOWN = 1_000;
const known = recentEntries<string>(MOST_KNOWN);

function spelled(address: string): string {
  const found = known.get(address);
  if (found !== undefined) return found;
  const plain = plainAddress(address) ?? address;
  known.set(address, plain);
  return plain;
}

/** Strips the brackets, and the port that some proxies add. */
function bare(entry: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/.exec(entry) ?? [];
  return v6 ?? v4 ?? entry;
}
