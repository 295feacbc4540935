import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Receivers {
  origins: string[];
  close(): void;
}

/** Told of every POST once its body is there; `at` is when its headers were, by the machine's clock. */
export type OnPost = (body: string, at: number) => void;

/** How long receivers take for a response. Infinity: they accept connections and never respond. */
export interface Slowness {
  answerAfterMs: number;
}

const PER_NET = 250;

/** Receivers in this process that answer 200, at once unless they are slow, each another host of 127.0.0.0/8. */
export async function startReceivers(
  count: number,
  onPost: OnPost,
  { answerAfterMs }: Slowness = { answerAfterMs: 0 },
): Promise<Receivers> {
  const servers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      listen(`127.0.${Math.floor(i / PER_NET)}.${(i % PER_NET) + 1}`, onPost, answerAfterMs),
    ),
  );
  const origins = servers.map((server) => {
    const { address, port } = server.address() as AddressInfo;
    return `http://${address}:${port}`;
  });
  const close = () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  return { origins, close };
}

async function listen(host: string, onPost: OnPost, answerAfterMs: number) {
  const server = createServer((request, response) => {
    const at = Date.now();
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (answerAfterMs === 0) response.end();
      else if (Number.isFinite(answerAfterMs)) setTimeout(() => response.end(), answerAfterMs);
      onPost(body, at);
    });
  });
  server.listen(0, host);
  await once(server, "listening");
  return server;
}
