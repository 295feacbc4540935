import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WireResponse } from "./errors";
import { readRequest, type WireRequest } from "./request";

export interface WireServer {
  origin: string;
  close(): Promise<void>;
}

/** A server on 127.0.0.1 that sends what `respond` returns; undefined breaks the connection. */
export async function listen(
  port: number,
  respond: (request: WireRequest) => Promise<WireResponse | undefined>,
): Promise<WireServer> {
  let origin = "http://127.0.0.1";
  const server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const response = await respond(await readRequest(req, origin));
      if (response) send(res, response);
      else req.socket.destroy();
    } catch (error) {
      // The client closed the connection, or the fake has a bug: Graph never shows the latter's text.
      if (!res.headersSent)
        send(res, { status: 500, body: { error: { code: "FakeIsBroken", message: String(error) } } });
    }
  }

  return {
    origin,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(res: ServerResponse, { status, headers, body }: WireResponse): void {
  const isText = typeof body === "string";
  // Samples of "Combine multiple HTTP requests" name this type.
  const json = "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8";
  const type = isText ? "text/html; charset=utf-8" : json;
  res.writeHead(status, { ...(body !== undefined && { "content-type": type }), ...headers });
  res.end(body === undefined || isText ? body : JSON.stringify(body));
}
