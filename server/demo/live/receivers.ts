import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** The response of each receiver, by its path. The one in the lobby hangs. */
const replies: Record<string, { status: number; body: object } | "hangs"> = {
  "/displays": { status: 200, body: { received: true } },
  "/signage": { status: 500, body: { error: "out of memory while rendering the sign" } },
  "/lobby": "hangs",
  "/retired": { status: 410, body: { error: "this display was retired" } },
};

export interface Notification {
  type: string;
  channelId: string;
  changesSince: string | null;
}

export interface Receivers {
  urlOf(receiver: string): string;
  close(): Promise<void>;
}

/**
 * Starts receivers at an origin on this machine while the demo is filled. `received` is called with what the working
 * one accepted. Returns undefined when something else listens there.
 */
export async function startReceivers(
  origin: string,
  received: (notification: Notification) => void,
): Promise<Receivers | undefined> {
  const { hostname, port } = new URL(origin);
  const server = createServer((request, response) => void respond(request, response, received));
  const listening = once(server, "listening").then(
    () => true,
    () => false,
  );
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ""));
  if (!(await listening)) return undefined;
  return {
    urlOf: (receiver) => `${origin}/${receiver}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  received: (notification: Notification) => void,
): Promise<void> {
  const reply = replies[new URL(request.url ?? "/", "http://receiver").pathname];
  const body = await text(request).catch(() => "");
  if (reply === "hangs") return;
  const { status, body: json } = reply ?? { status: 404, body: { error: "not_found" } };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  if (status !== 200) return;
  const { notification, channel } = JSON.parse(body);
  const { type, changes_since: changesSince = null } = notification;
  received({ type, channelId: channel.channel_id, changesSince });
}
