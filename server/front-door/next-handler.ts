import { createServer, type Server } from "node:http";
import next from "next";
import { logNext } from "@/server/front-door/next-log";
import type { Fallback } from "@/server/front-door/server";

export interface NextOptions {
  root: string;
  isDev: boolean;
  port: number;
  /** Where Next listens for the web sockets of its reloading. */
  server: Server;
}

/** Creates the handler that serves what Next serves: pages, and in development every route. */
export async function nextHandler({ root, isDev, port, server }: NextOptions): Promise<Fallback> {
  // Outside development it gets a server that never listens: else it would take the Upgrade requests of ours.
  const app = next({ dev: isDev, dir: root, port, hostname: "localhost", httpServer: isDev ? server : createServer() });
  await (isDev ? app.prepare() : withoutNotes(() => app.prepare()));
  if (!isDev) logNext();
  return app.getRequestHandler();
}

/**
 * Runs `work` without Next's note of how long it took to read its configuration, which no option turns off. Warnings
 * and errors still appear.
 */
async function withoutNotes(work: () => Promise<void>): Promise<void> {
  const own = console;
  const { log } = own;
  own.log = () => undefined;
  try {
    await work();
  } finally {
    own.log = log;
  }
}
