import type { IncomingMessage } from "node:http";
import type { Arrival } from "@/server/front-door/arrival";
import { hasBody } from "@/server/front-door/web-request";
import type { ApiRequest, ByteStream } from "@/server/http/api-request";

/** The request as endpoints take it, which make nothing of a web Request that this has not. */
export function apiRequest(req: IncomingMessage, { method, pathname, search }: Arrival): ApiRequest {
  const body = hasBody(req, method) ? bodyOf(req) : null;
  return {
    method,
    url: `http://localhost${pathname}${search}`,
    headers: headersOf(req),
    body,
    get bodyUsed() {
      return body?.isUsed ?? false;
    },
  };
}

function headersOf({ headers }: IncomingMessage): ApiRequest["headers"] {
  return {
    get: (name) => textOf(headers[name]),
    *[Symbol.iterator]() {
      for (const name in headers) yield [name, textOf(headers[name]) ?? ""];
    },
  };
}

/** Names are in lower case here and there. */
function textOf(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : (value?.join(", ") ?? null);
}

/** Reads no further than its reader does. */
function bodyOf(req: IncomingMessage): ByteStream & { isUsed: boolean } {
  const chunks: Buffer[] = [];
  let state: "unused" | "open" | "over" | "broken" = "unused";
  let wake = () => {};
  const become = (next: "over" | "broken") => {
    if (state !== "over") state = next;
    wake();
  };
  req.once("close", () => become(req.readableEnded ? "over" : "broken"));
  const open = () => {
    if (state !== "unused") return;
    state = "open";
    req.on("data", (chunk: Buffer) => {
      if (state !== "open") return;
      chunks.push(chunk);
      req.pause();
      wake();
    });
    req.once("end", () => become("over"));
    req.once("error", () => {}); // "close" follows
  };
  const read = async () => {
    for (;;) {
      const value = chunks.shift();
      if (value) return { done: false, value } as const;
      if (state === "broken") throw new Error("the client went away");
      if (state === "over") return { done: true } as const;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      req.resume();
      await woken;
    }
  };
  const cancel = async () => {
    chunks.length = 0;
    become("over");
  };
  return {
    get isUsed() {
      return state !== "unused";
    },
    getReader() {
      open();
      return { read, cancel };
    },
    cancel,
  };
}
