import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { REQUEST_ID } from "@/server/front-door/arrival";
import { codeOf } from "@/server/front-door/start-error";
import { requestId } from "@/server/http/request-id";

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Responds with a request id to what never becomes a request: bytes that are not HTTP, CONNECT, an unknown Expect. */
export function respondToBadRequests(server: Server, everywhere: Record<string, string>): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (req: IncomingMessage, res: ServerResponse) => answering.set(req.socket, res));
  server.on("clientError", (error, socket) => {
    const response = answering.get(socket);
    const isBetweenResponses = !response || response.writableFinished || !response.headersSent;
    if (codeOf(error) === "ECONNRESET" || !socket.writable || !isBetweenResponses) socket.destroy();
    else refuse(socket, reasons[codeOf(error)] ?? "400 Bad Request", requestId(undefined), everywhere);
  });
  server.on("connect", (req, socket) => {
    refuse(socket, "405 Method Not Allowed", requestId(headerOf(req)), everywhere);
  });
  server.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(417, {
      ...everywhere,
      [REQUEST_ID]: requestId(headerOf(req)),
      Connection: "close",
      "Content-Length": 0,
    });
    res.end();
  });
}

function headerOf(req: IncomingMessage): string | undefined {
  const given = req.headers["svc-request-id"];
  return typeof given === "string" ? given : undefined;
}

function refuse(socket: Duplex, status: string, id: string, everywhere: Record<string, string>): void {
  socket.on("error", () => socket.destroy());
  const allow = status.startsWith("405") ? "Allow: GET, HEAD, POST, DELETE\r\n" : "";
  const others = Object.entries(everywhere).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status}\r\n${REQUEST_ID}: ${id}\r\n${others.join("")}${allow}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}
