import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clock } from "@/server/clock";
import { addressKey } from "@/server/domain/net/ranges";
import { ADDRESS_HEADER } from "@/server/http/exchange";

export interface UnreadLimits {
  /** A connection whose client takes no byte of a response for so long is ended, in milliseconds. */
  silentMs: number;
  /** What may wait in this process for one client to read it, over all its connections, in bytes. */
  bytesPerClient: number;
  /** A response this young is never ended for its size: the client may be about to read it. In milliseconds. */
  graceMs: number;
}

export const UNREAD_LIMITS: UnreadLimits = { silentMs: 60_000, bytesPerClient: 12_000_000, graceMs: 3_000 };

/** A request that is being responded to. */
export interface Running {
  req: IncomingMessage;
  /** By the monotonic clock, in milliseconds. */
  since: number;
  /** Its route, once it is known. */
  endpoint?: string;
}

/**
 * Ends connections of clients that ask and do not read: what they do not take waits in this process's memory. A client that reads, however
 * slowly, keeps its connection while what waits for it is little.
 */
export function unreadResponses(
  server: Server,
  running: Map<ServerResponse, Running>,
  limits = UNREAD_LIMITS,
): { hasRoom(req: IncomingMessage, bytes: number): boolean } {
  const inFlight = new WeakMap<Socket, ServerResponse>();
  server.prependListener("request", (req, res) => inFlight.set(req.socket, res));
  // Node tells of a socket without any progress, writes that wait included; without a listener it ends every one of them.
  server.setTimeout(limits.silentMs, (socket) => {
    const res = inFlight.get(socket);
    const isWorking = res && !res.writableFinished && !res.destroyed && res.writableLength === 0;
    if (!isWorking) socket.destroy();
  });
  const timer = setInterval(() => endTooMuch(running, limits), limits.graceMs / 3);
  timer.unref();
  server.once("close", () => clearInterval(timer));
  return {
    /** Whether a client may be sent so many bytes more; one that reads what it gets always may. */
    hasRoom(req, bytes) {
      if (bytes <= SMALL) return true;
      const client = clientOf(req);
      let waits = 0;
      for (const [res, one] of running) {
        if (res.writableLength > 0 && clientOf(one.req) === client) waits += res.writableLength;
      }
      return waits === 0 || waits + bytes <= limits.bytesPerClient;
    },
  };
}

/** Not worth a look at what waits: the next large response is. In bytes. */
const SMALL = 16_384;

function clientOf({ headers }: IncomingMessage): string {
  return addressKey(String(headers[ADDRESS_HEADER] ?? ""));
}

/** Ends the oldest responses of each client for which too much waits, until the rest is within the limit. */
function endTooMuch(running: Map<ServerResponse, Running>, { bytesPerClient, graceMs }: UnreadLimits): void {
  const waiting = new Map<string, { bytes: number; old: ServerResponse[] }>();
  const now = clock().monotonic();
  for (const [res, { req, since }] of running) {
    if (res.writableLength === 0) continue;
    const client = clientOf(req);
    const one = waiting.get(client) ?? { bytes: 0, old: [] };
    waiting.set(client, one);
    one.bytes += res.writableLength;
    if (now - since > graceMs) one.old.push(res);
  }
  for (const one of waiting.values()) {
    for (const res of one.old) {
      if (one.bytes <= bytesPerClient) break;
      one.bytes -= res.writableLength;
      res.destroy();
    }
  }
}
