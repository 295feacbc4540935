import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";

/** A stranger's server at the level of bytes: it does what it is told to with each connection. */
export interface Receiver {
  port: number;
  /** `http://127.0.0.1:port` */
  origin: string;
  /** Connections that came, bytes of requests that came over them, and the host name that TLS asked for. */
  seen: { connections: number; bytes: number; text: string; serverName?: string | false };
  /** The open connections. */
  sockets: Set<Socket>;
}

/** Called once for each request, when all of its bytes are here. */
export type Behaviour = (socket: Socket) => void;

export const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

export const says =
  (text: string): Behaviour =>
  (socket) =>
    void socket.write(text);

/** Listens on a free port of `host` (loopback) until the running test is over. */
export async function openReceiver(behave: Behaviour, { host = "127.0.0.1", tls = "" } = {}): Promise<Receiver> {
  const seen: Receiver["seen"] = { connections: 0, bytes: 0, text: "" };
  const sockets = new Set<Socket>();
  const server = tls === "" ? createServer() : createTlsServer({ key: pem("receiver.key"), cert: pem(tls) });
  server.on("connection", (socket: Socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on(tls === "" ? "connection" : "secureConnection", (socket: Socket) => attend(socket, seen, behave));
  server.on("tlsClientError", () => undefined);
  await listening(server, host);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, seen, sockets };
}

export function pem(name: string): string {
  return readFileSync(join(import.meta.dirname, "certificates", `${name}.pem`), "utf8");
}

/** A way to the outside in which every address is answered by a local port, as if it were that address. */
export function outsideWith(port: number, { remote }: { remote?: string } = {}) {
  const dialled: string[] = [];
  const dial = (address: string, asked: number) => {
    dialled.push(`${address} ${asked}`);
    const socket = connect(port, "127.0.0.1");
    return Object.defineProperty(socket, "remoteAddress", { get: () => remote ?? address });
  };
  return { dial, dialled };
}

function attend(socket: Socket, seen: Receiver["seen"], behave: Behaviour): void {
  let text = "";
  // What Node's own types of a server's TLS socket leave out.
  if (socket instanceof TLSSocket) seen.serverName = (socket as { servername?: string | false }).servername;
  socket.on("error", () => undefined);
  socket.on("data", (piece: Buffer) => {
    seen.bytes += piece.length;
    seen.text += piece.toString("latin1");
    text += piece.toString("latin1");
    const [head = "", body] = text.split("\r\n\r\n", 2);
    if (body === undefined || body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)) return;
    text = "";
    behave(socket);
  });
}

function listening(server: Server, host: string): Promise<void> {
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(0, host, done);
  });
}
