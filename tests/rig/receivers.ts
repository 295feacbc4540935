import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** A POST as it came in. */
export interface Post {
  /** Svc-Delivery-Id. */
  id: string;
  /** Svc-Delivery-Attempt, 1 for the first. */
  attempt: number;
  path: string;
  /** Of the notification. */
  type: string;
  channelId: string;
  /** When its headers were there, by the machine's clock, in milliseconds. */
  at: number;
  /** When it was answered, and how; null: not yet. */
  answeredAt: number | null;
  status: number | null;
  /** The `t` of Svc-Signature, in milliseconds. */
  signedAt: number;
}

export interface Receivers extends Hosts {
  posts: Post[];
  close(): Promise<void>;
}

export interface ReceiverBehaviour {
  status?: (post: Post) => number;
  answerAfterMs?: number | ((post: Post) => number);
  /** They accept connections and never answer. */
  isDead?: (post: Post) => boolean;
}

/** So many receivers in this process, each another host of 127.0.0.0/8. */
export async function startReceivers(count: number, behaviour: ReceiverBehaviour = {}): Promise<Receivers> {
  const posts: Post[] = [];
  const { status = () => 200, answerAfterMs = 0, isDead = () => false } = behaviour;
  const answer = (post: Post, response: ServerResponse) => {
    if (isDead(post)) return;
    const end = () => {
      post.answeredAt = Date.now();
      post.status = status(post);
      response.statusCode = post.status;
      response.end();
    };
    const after = typeof answerAfterMs === "number" ? answerAfterMs : answerAfterMs(post);
    if (after > 0) setTimeout(end, after);
    else end();
  };
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const at = Date.now();
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const post = postOf(request, body, at);
      posts.push(post);
      answer(post, response);
    });
  };
  const servers = Array.from({ length: count }, () => createServer(receive));
  return {
    ...(await listenOnHosts(servers)),
    posts,
    close: async () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function postOf({ headers, url = "/" }: IncomingMessage, body: string, at: number): Post {
  const { notification, channel } = JSON.parse(body);
  return {
    id: String(headers["svc-delivery-id"]),
    attempt: Number(headers["svc-delivery-attempt"]),
    path: url,
    type: notification?.type ?? "",
    channelId: channel?.channel_id ?? "",
    ...{ at, answeredAt: null, status: null },
    signedAt: Number(/^t=(\d+)/.exec(String(headers["svc-signature"]))?.[1]) * 1000,
  };
}

/** The first POST of each of what `key` tells apart. */
export function firstPosts(posts: readonly Post[], key: (post: Post) => string): Map<string, Post> {
  const first = new Map<string, Post>();
  for (const post of posts) if (!first.has(key(post))) first.set(key(post), post);
  return first;
}

export interface Hosts {
  origins: string[];
  /** A callback URL at each of them. */
  urls: string[];
}

const PER_NET = 250;

/** Lets each server listen at another address of 127.0.0.0/8. */
export async function listenOnHosts(servers: readonly Server[]): Promise<Hosts> {
  const origins = await Promise.all(
    servers.map(async (server, i) => {
      server.listen(0, `127.0.${Math.floor(i / PER_NET)}.${(i % PER_NET) + 1}`);
      await once(server, "listening");
      const { address, port } = server.address() as AddressInfo;
      return `http://${address}:${port}`;
    }),
  );
  return { origins, urls: origins.map((origin) => `${origin}/hook`) };
}
