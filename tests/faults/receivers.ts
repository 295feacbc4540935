import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A POST as it came in. */
export interface Post {
  /** Svc-Delivery-Id. */
  id: string;
  /** Svc-Delivery-Attempt, 1 for the first. */
  attempt: number;
  /** By the machine's clock, in milliseconds. */
  at: number;
  /** When it was answered; null: not yet. */
  answeredAt: number | null;
  /** The `t` of Svc-Signature, in milliseconds. */
  signedAt: number;
  channelId: string;
}

export interface Receivers {
  origins: string[];
  /** A callback URL at each of them. */
  urls: string[];
  posts: Post[];
  close(): Promise<void>;
}

export interface ReceiverBehaviour {
  status?: (post: Post) => number;
  answerAfterMs?: number;
  /** They accept connections and never answer. */
  isDead?: (post: Post) => boolean;
}

const PER_NET = 250;

/** So many receivers, each another host of 127.0.0.0/8. */
export async function startReceivers(count: number, behaviour: ReceiverBehaviour = {}): Promise<Receivers> {
  const posts: Post[] = [];
  const servers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      listen(`127.0.${Math.floor(i / PER_NET)}.${(i % PER_NET) + 1}`, behaviour, posts),
    ),
  );
  const origins = servers.map((server) => {
    const { address, port } = server.address() as AddressInfo;
    return `http://${address}:${port}`;
  });
  return {
    origins,
    urls: origins.map((origin) => `${origin}/hook`),
    posts,
    close: async () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function listen(
  host: string,
  { status = () => 200, answerAfterMs = 0, isDead = () => false }: ReceiverBehaviour,
  posts: Post[],
) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { headers } = request;
      const post: Post = {
        id: String(headers["svc-delivery-id"]),
        attempt: Number(headers["svc-delivery-attempt"]),
        at: Date.now(),
        answeredAt: null,
        signedAt: Number(/^t=(\d+)/.exec(String(headers["svc-signature"]))?.[1]) * 1000,
        channelId: JSON.parse(body).channel.channel_id,
      };
      posts.push(post);
      if (isDead(post)) return;
      const answer = () => {
        post.answeredAt = Date.now();
        response.statusCode = status(post);
        response.end();
      };
      if (answerAfterMs > 0) setTimeout(answer, answerAfterMs);
      else answer();
    });
  });
  server.listen(0, host);
  await once(server, "listening");
  return server;
}
