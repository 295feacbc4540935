import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { type Hosts, listenOnHosts } from "@/tests/rig/receivers";

const DRIP_MS = 100;
const PIECE = Buffer.alloc(64 * 1024, "x");
const GIGABYTE = 1024 ** 3;
const BOMB = gzipSync(Buffer.alloc(GIGABYTE / 10));

/** What a receiver does to a connection once it has the request. */
export type Cruelty = (socket: Socket) => void;

export const cruelties: Record<string, Cruelty> = {
  silence: () => undefined,
  "a drip of headers": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    drip(socket, "x-a: b\r\n");
  },
  "a drip of body": (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${GIGABYTE}\r\n\r\n`);
    drip(socket, "x");
  },
  "a gigabyte": (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${GIGABYTE}\r\n\r\n`);
    const pour = () => {
      let isFree = true;
      while (isFree && !socket.destroyed) isFree = socket.write(PIECE);
    };
    socket.on("drain", pour);
    pour();
  },
  "a gzip bomb": (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
    socket.write(BOMB);
  },
  "a reset": (socket) => void socket.resetAndDestroy(),
};

export interface Cruel extends Hosts {
  /** How long each connection that is over lasted from its request on, in milliseconds. */
  lasted: number[];
  /** Connections with a request that are still open. */
  open(): number;
  close(): Promise<void>;
}

/** So many receivers, each another host, that treat everybody so. */
export async function startCruel(count: number, cruelty: Cruelty): Promise<Cruel> {
  const lasted: number[] = [];
  const asked = new Set<Socket>();
  const attend = (socket: Socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      const began = performance.now();
      asked.add(socket);
      socket.once("close", () => {
        asked.delete(socket);
        lasted.push(performance.now() - began);
      });
      cruelty(socket);
    });
    socket.resume();
  };
  const servers = Array.from({ length: count }, () => createServer(attend));
  return {
    ...(await listenOnHosts(servers)),
    lasted,
    open: () => asked.size,
    close: async () => {
      for (const server of servers) server.close();
      for (const socket of asked) socket.destroy();
    },
  };
}

function drip(socket: Socket, drop: string): void {
  const timer = setInterval(() => socket.write(drop), DRIP_MS);
  socket.once("close", () => clearInterval(timer));
}
