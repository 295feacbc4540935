import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The website of an application that sends users to the connect page. */
export interface Application {
  /** Leads on to /welcome at another origin, as many do. */
  callback: string;
  close(): Promise<void>;
}

/** At a port of its own, at all addresses of the loopback. */
export async function startApplication(): Promise<Application> {
  const server = createServer(({ url = "/" }, response) => {
    const [path, query = ""] = url.split("?");
    if (path === "/callback") response.writeHead(302, { location: `http://localhost:${port}/welcome?${query}` }).end();
    else {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end('<!DOCTYPE html><html lang="en"><title>Acme</title><h1>Welcome back to Acme</h1>');
    }
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const { port } = server.address() as AddressInfo;
  return {
    callback: `http://127.0.0.1:${port}/callback`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
