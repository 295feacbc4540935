import type { IncomingMessage } from "node:http";
import { isWithin, plainAddress, type Range } from "@/server/domain/net/ranges";

/**
 * Who a request is from: the socket's other end. Where that is a proxy of ours, the last of X-Forwarded-For that is none: what stands
 * further left was there when the request came to it, and anybody may have written it.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  proxies: readonly Range[],
): string {
  const near = socket.remoteAddress ?? "";
  const nearest = plainAddress(near) ?? near;
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

/** Without the port that some proxies add, and the brackets. */
function bare(entry: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/.exec(entry) ?? [];
  return v6 ?? v4 ?? entry;
}
