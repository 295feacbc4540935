import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** What becomes of a connection when something that a client sends says so. */
export type Cut = "before" | "after";

export interface CutLine {
  /** The address of the server, through the line. */
  url: string;
  /** From now on nobody gets through: open connections break, and new ones are refused, or accepted and closed at once. */
  cut(how?: "refused" | "accepted"): Promise<void>;
  restore(): Promise<void>;
  /** Breaks the connection that sends these words next: before they are handed on, or after, so that no response comes back. */
  cutAt(words: string, when: Cut): void;
  close(): Promise<void>;
}

/** A line to the server of an address, as a network or a proxy in between is, that can be cut. */
export async function cutLine(address: string): Promise<CutLine> {
  const there = new URL(address);
  const open = new Set<Socket>();
  let trap: { words: string; when: Cut } | undefined;
  let isClosing = false;
  const join = (client: Socket) => {
    if (isClosing) return void client.destroy();
    const server = connect({ host: there.hostname, port: Number(there.port || 5432) });
    const end = () => {
      for (const side of [client, server]) {
        side.destroy();
        open.delete(side);
      }
    };
    for (const side of [client, server]) {
      open.add(side);
      side.on("error", end).on("close", end);
    }
    server.on("data", (bytes) => client.write(bytes));
    client.on("data", (bytes) => {
      if (!trap || !bytes.includes(trap.words)) return void server.write(bytes);
      const { when } = trap;
      trap = undefined;
      if (when === "before") return end();
      client.destroy();
      server.removeAllListeners("data");
      // What is in flight arrives all the same.
      client.removeAllListeners("close");
      server.end(bytes);
    });
  };
  let listener = await listen(join, 0);
  const { port } = listener.address() as AddressInfo;
  const stop = () => {
    const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
    for (const socket of open) socket.destroy();
    return closed;
  };
  there.host = `127.0.0.1:${port}`;
  const url = there.href;
  there.href = address;
  return {
    url,
    cut: async (how = "refused") => {
      isClosing = true;
      for (const socket of open) socket.destroy();
      if (how === "refused") await stop();
    },
    restore: async () => {
      isClosing = false;
      if (!listener.listening) listener = await listen(join, port);
    },
    cutAt: (words, when) => {
      trap = { words, when };
    },
    close: async () => {
      if (listener.listening) await stop();
    },
  };
}

async function listen(join: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(join);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
