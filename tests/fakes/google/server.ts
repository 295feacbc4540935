import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { GoogleError, knownErrors, type WireResponse } from "./errors";
import { type FaultInput, type FaultQueue, faultResponse } from "./faults";
import { decodedPath, readRequest, type WireRequest } from "./request";

/** One line of the log of requests. */
export interface LoggedRequest {
  method: string;
  /** Without the query, decoded. */
  path: string;
  query: Record<string, string>;
  /** The scheme of the Authorization header, and If-Match: what tests ask about most. */
  authorized: boolean;
  ifMatch: string | undefined;
  body: string;
  /** The status of the response; null while there is none, and when the connection was broken. */
  status: number | null;
}

export interface WireServer {
  origin: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  port: number;
  faults: FaultQueue;
  requests: LoggedRequest[];
  route(request: WireRequest): WireResponse;
}

/** A server on 127.0.0.1 that logs each request, meets it with the planned faults, and sends what the route returns. */
export async function listen(options: ServerOptions): Promise<WireServer> {
  let origin = "http://127.0.0.1";
  const server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const request = await readRequest(req, origin);
      const line = logged(request);
      options.requests.push(line);
      const fault = options.faults.take(request.method, request.url);
      await delayed(fault);
      const response = respond(options.route, request, fault);
      if (!response) return void req.socket.destroy();
      line.status = response.status;
      send(res, response);
    } catch (error) {
      // The client closed the connection, or the fake has a bug: Google never shows the latter's text.
      if (!res.headersSent)
        send(res, { status: 500, body: { error: { code: 500, message: String(error), errors: [] } } });
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

/** The response to a request under a fault; undefined breaks the connection. */
function respond(route: ServerOptions["route"], request: WireRequest, fault?: FaultInput): WireResponse | undefined {
  const instead = fault && faultResponse(fault);
  const replaces = instead !== undefined || fault?.breakConnection === true;
  if (replaces && !fault?.afterWork) return instead;
  const response = routed(route, request);
  return replaces ? instead : response;
}

function routed(route: ServerOptions["route"], request: WireRequest): WireResponse {
  try {
    return route(request);
  } catch (error) {
    if (error instanceof GoogleError) return error.response;
    if (error instanceof URIError) return knownErrors.notFound().response;
    throw error;
  }
}

async function delayed(fault?: FaultInput): Promise<void> {
  if (fault?.delay) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  await fault?.until;
  fault?.run?.();
}

function logged({ method, url, query, headers, body }: WireRequest): LoggedRequest {
  return {
    method,
    path: decodedPath(url),
    query: Object.fromEntries(query),
    authorized: headers.authorization !== undefined,
    ifMatch: headers["if-match"],
    body,
    status: null,
  };
}

function send(res: ServerResponse, { status, headers, body }: WireResponse): void {
  const isText = typeof body === "string";
  const type = isText ? "text/html; charset=utf-8" : "application/json; charset=UTF-8";
  res.writeHead(status, { ...(body !== undefined && { "content-type": type }), ...headers });
  res.end(body === undefined || isText ? body : JSON.stringify(body));
}
