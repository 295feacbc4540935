import { Agent, request } from "node:http";
import type { Opened } from "@/tests/bench/cost/accounts";

const CONNECTIONS = 16;

export interface Sent {
  method: "GET" | "POST";
  path: string;
  body?: string;
}

export interface Load {
  port: number;
  seconds: number;
  accounts: readonly Opened[];
  /** The request in the name of an account. */
  make(account: Opened): Sent;
  /** No more than so many, where the limits on few accounts would refuse what a fast machine sends. */
  most?: number;
}

let turn = 0;

/** Keeps 16 connections busy for so long, each account in its turn; gives how many requests were responded to. A status code of an error throws. */
export async function load({ port, seconds, accounts, make, most = Number.POSITIVE_INFINITY }: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const until = performance.now() + seconds * 1_000;
  let sent = 0;
  let responses = 0;
  const connection = async () => {
    while (performance.now() < until && sent < most) {
      sent += 1;
      const account = accounts[turn++ % accounts.length];
      if (!account) throw new Error("there is no account");
      await once(agent, port, make(account), account.accessToken);
      responses += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  } finally {
    agent.destroy();
  }
  return responses;
}

function once(agent: Agent, port: number, { method, path, body }: Sent, accessToken: string): Promise<void> {
  const headers: Record<string, string | number> = { authorization: `Bearer ${accessToken}` };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = Buffer.byteLength(body);
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: "127.0.0.1", port, path, method, headers }, (response) => {
      response.resume();
      response.once("end", () => {
        if ((response.statusCode ?? 0) < 300) resolve();
        else reject(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
