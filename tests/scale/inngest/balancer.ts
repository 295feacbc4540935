import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A call of the Inngest server. */
export interface Call {
  /** The function's id, with that of the application in front. */
  fnId: string;
  /** 0 for the first. */
  attempt: number;
  /** How many steps before this one are remembered. */
  steps: number;
  at: number;
  /** When it was answered; null: not yet. */
  endedAt: number | null;
  /** Which worker it went to; null: to none. */
  worker: string | null;
  status: number;
  /** The run is over. */
  isEnd: boolean;
}

/** What stands before the workers: the one address at which Inngest calls them. */
export interface Balancer {
  origin: string;
  calls: Call[];
  /** Where workers listen, and what they are called. One that does not respond is passed over. */
  workers: Map<string, string>;
  /** So many calls of a function are answered with 500 and go to no worker. */
  fail(fnId: string, times: number): void;
  close(): void;
}

export async function startBalancer(port: number): Promise<Balancer> {
  const calls: Call[] = [];
  const workers = new Map<string, string>();
  const failing = new Map<string, number>();
  let turn = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const url = new URL(request.url ?? "/", "http://balancer");
    const fnId = url.searchParams.get("fnId") ?? "";
    const call: Call = {
      fnId,
      ...told(body),
      at: Date.now(),
      endedAt: null,
      worker: null,
      status: 0,
      isEnd: false,
    };
    calls.push(call);
    const left = failing.get(fnId) ?? 0;
    failing.set(fnId, left - 1);
    if (left > 0) {
      call.status = 500;
      return void response.writeHead(500).end();
    }
    const names = [...workers.keys()];
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(turn + i) % names.length] ?? "";
      const sent = { method: request.method, headers: headersOf(request), body: body || undefined };
      const answer = await fetch((workers.get(name) ?? "") + request.url, sent).catch(() => undefined);
      if (answer === undefined || answer.status === 503) continue;
      turn += 1;
      const said = await answer.text();
      // A run whose steps were reported while they ran ends with an instruction of its own.
      const isEnd = answer.status === 200 || said.includes('"op":"RunComplete"');
      Object.assign(call, {
        endedAt: Date.now(),
        worker: name,
        status: answer.status,
        isEnd,
      });
      const {
        "content-encoding": _,
        "transfer-encoding": __,
        connection: ___,
        ...rest
      } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, rest).end(said);
      return;
    }
    call.status = 502;
    response.writeHead(502).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    workers,
    fail: (fnId, times) => void failing.set(fnId, times),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Without those that belong to one connection. The host stays: signatures do not cover it, and addresses are made of it. */
function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!["connection", "content-length", "transfer-encoding", "expect"].includes(name)) kept.set(name, String(value));
  }
  return kept;
}

function told(body: string): { attempt: number; steps: number } {
  try {
    const { ctx, steps } = JSON.parse(body);
    return { attempt: ctx?.attempt ?? 0, steps: Object.keys(steps ?? {}).length };
  } catch {
    return { attempt: 0, steps: 0 };
  }
}
