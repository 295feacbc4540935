import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FrontRequest {
  method: string;
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}

export interface FrontResponse {
  status: number;
  headers: NodeJS.Dict<string | string[] | number>;
  body: Buffer;
}

export interface Front {
  port: number;
  close(): Promise<void>;
}

/** An HTTP server on the loopback that answers by `answer`; `handOn` asks the server behind it. Port 0: any that is free. */
export async function startFront(
  behind: () => number,
  answer: (asked: FrontRequest, handOn: () => Promise<FrontResponse>) => Promise<FrontResponse | null>,
  port = 0,
): Promise<Front> {
  const server = createServer(async (incoming, outgoing) => {
    const asked = await read(incoming);
    const given = await answer(asked, () => handOn(behind(), asked)).catch(() => null);
    give(outgoing, given);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A short answer of the front's own. */
export function plain(status: number, headers: FrontResponse["headers"] = {}): FrontResponse {
  return { status, headers, body: Buffer.alloc(0) };
}

async function read(incoming: IncomingMessage): Promise<FrontRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = "GET", url: path = "/", headers } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks) };
}

function handOn(port: number, { method, path, headers, body }: FrontRequest): Promise<FrontResponse> {
  return new Promise((resolve, reject) => {
    const { "transfer-encoding": _, "accept-encoding": __, ...rest } = headers;
    const sent = { ...rest, "content-length": String(body.length), connection: "close" };
    const outgoing = request({ host: "127.0.0.1", port, method, path, headers: sent }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Null: the connection breaks without an answer, as with a server that just died. */
function give(outgoing: ServerResponse, answer: FrontResponse | null): void {
  if (!answer) {
    outgoing.destroy();
    return;
  }
  const { connection: _, "transfer-encoding": __, "content-length": ___, ...headers } = answer.headers;
  outgoing.writeHead(answer.status, { ...headers, "content-length": String(answer.body.length) });
  outgoing.end(answer.body);
}
