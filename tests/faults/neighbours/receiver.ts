import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Notified {
  channelId: string;
  type: string;
  at: number;
}

/** One host that many applications post to: /hook takes notifications, /slow after 200 ms, /hang never, /down none until it is up. */
export interface SharedReceiver {
  origin: string;
  /** What came to /hook, and to /down once it was up. */
  notified: Notified[];
  /** Lets /down take notifications. */
  up(): void;
  close(): Promise<void>;
}

const SLOW_MS = 200;

export async function startSharedReceiver(): Promise<SharedReceiver> {
  const notified: Notified[] = [];
  let isUp = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url?.startsWith("/hang")) return;
      if (request.url?.startsWith("/slow")) return void setTimeout(() => response.end(), SLOW_MS);
      if (request.url?.startsWith("/down") && !isUp) return void response.writeHead(503).end();
      const { notification, channel } = JSON.parse(Buffer.concat(chunks).toString());
      notified.push({ channelId: channel.channel_id, type: notification.type, at: Date.now() });
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    notified,
    up: () => {
      isUp = true;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
