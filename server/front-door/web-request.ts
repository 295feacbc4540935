import type { IncomingMessage, ServerResponse } from "node:http";
import type { Arrival } from "@/server/front-door/arrival";

const BUFFERED_BYTES = 64 * 1024;

/** Wraps the request the way routes take it. Its origin says nothing: absolute URLs come from BASE_URL. */
export function webRequest(req: IncomingMessage, res: ServerResponse, { method, pathname, search }: Arrival): Request {
  const body = hasBody(req, method) ? bodyOf(req) : null;
  return new Request(`http://localhost${pathname}${search}`, {
    method,
    headers: req.headers as Record<string, string>,
    body,
    signal: leftSignal(res),
    ...(body && { duplex: "half" }),
  } as RequestInit);
}

/** Returns a signal that aborts when the client leaves before its response. */
export function leftSignal(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  const look = () => {
    if (!res.writableFinished) left.abort();
  };
  if (res.closed) look();
  else res.on("close", look);
  return left.signal;
}

/** Reports whether a body comes with the request. */
export function hasBody({ headers }: IncomingMessage, method: string): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Reads no further than its reader does. */
function bodyOf(req: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        req.on("data", (chunk: Buffer) => {
          if (isOver) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) req.pause();
        });
        req.once("end", () => {
          if (!isOver) controller.close();
          isOver = true;
        });
        req.once("close", () => {
          if (!isOver) controller.error(new Error("the client went away"));
          isOver = true;
        });
        req.once("error", () => {}); // "close" follows
        req.pause();
      },
      pull: () => void req.resume(),
      cancel() {
        isOver = true;
      },
    },
    { highWaterMark: BUFFERED_BYTES, size: ({ byteLength }) => byteLength },
  );
}
