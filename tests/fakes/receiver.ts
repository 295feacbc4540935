import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A notification as it came in: the raw bytes, so that signatures can be checked. */
export interface Got {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
  json: any;
  /** By the clock of the machine, in milliseconds. */
  at: number;
}

export interface Receiver {
  origin: string;
  /** A callback URL at this receiver; what comes to it is told apart by its path. */
  url(path?: string): string;
  got: Got[];
  /** Resolves with the first notification that fits, those that have come already included. */
  next(fits?: (got: Got) => boolean, withinMs?: number): Promise<Got>;
  /** How it answers from now on; 200 at first. */
  answer(status: number | ((got: Got) => number | Promise<number>)): void;
  close(): Promise<void>;
}

/** The value of the cookie that every answer sets, as some servers do with whoever calls. */
export const COOKIE = "a-receivers-own-session";

/** An application's own server on the loopback, that keeps what it is sent. */
export async function startReceiver(host = "127.0.0.1"): Promise<Receiver> {
  const got: Got[] = [];
  const waiting = new Set<() => void>();
  let answer: (one: Got) => number | Promise<number> = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      const body = Buffer.concat(chunks).toString();
      const one = { headers: request.headers, body, json: JSON.parse(body), at: Date.now() };
      got.push(one);
      for (const look of waiting) look();
      response.statusCode = await answer(one);
      response.setHeader("set-cookie", `session=${COOKIE}; HttpOnly`);
      response.end();
    });
  });
  await listen(server, host);
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (path = "/hook") => origin + path,
    got,
    next: (fits = () => true, withinMs = 10_000) =>
      new Promise((resolve, reject) => {
        const end = () => {
          waiting.delete(look);
          clearTimeout(timer);
        };
        const look = () => {
          const found = got.find(fits);
          if (!found) return;
          end();
          resolve(found);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`no notification that fits came within ${withinMs} ms; ${got.length} others did`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
    answer: (status) => {
      answer = typeof status === "number" ? () => status : status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string): Promise<void> {
  return new Promise((resolve) => server.listen(0, host, resolve));
}
