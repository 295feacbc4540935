import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a feed's address responds with. */
export interface Feed {
  body?: string | Buffer;
  status?: number;
  headers?: Record<string, string>;
  /** Takes the place of everything else. */
  respond?(response: ServerResponse): void;
}

export interface FeedServer {
  origin: string;
  url(path: string): string;
  /** From now on this is at the path. An etag follows from the body, unless there are headers. */
  put(path: string, feed: Feed | string): void;
  /** The requests that came since the last call, and what was responded. */
  requests(): { path: string; headers: IncomingHttpHeaders; status: number }[];
  close(): Promise<void>;
}

/** A publisher of feeds, as good or bad as a test wants it. It answers 304 where the etag or the time is known. */
export async function startFeedServer(): Promise<FeedServer> {
  const feeds = new Map<string, Feed>();
  const seen: ReturnType<FeedServer["requests"]> = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const { body = "", status = 200, headers = {}, respond } = feeds.get(path) ?? { status: 404 };
    response.once("close", () => seen.push({ path, headers: request.headers, status: response.statusCode }));
    if (respond) return respond(response);
    const isKnown =
      (headers.etag !== undefined && request.headers["if-none-match"] === headers.etag) ||
      (headers["last-modified"] !== undefined && request.headers["if-modified-since"] === headers["last-modified"]);
    if (isKnown && status === 200) return void response.writeHead(304, headers).end();
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let version = 0;
  return {
    origin,
    url: (path) => `${origin}${path}`,
    put: (path, feed) => {
      version += 1;
      const etag = { etag: `"${version}"`, "content-type": "text/calendar; charset=utf-8" };
      feeds.set(path, typeof feed === "string" ? { body: feed, headers: etag } : feed);
    },
    requests: () => seen.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
