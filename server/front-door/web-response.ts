import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { ENCODING_HEADER } from "@/server/http/exchange";
import { bytesOf, type SentResponse } from "@/server/http/responses";

const BUSY_RETRY_S = 2;

/**
 * Writes a route's response to the socket. A body that comes in one piece gets its Content-Length; where the client has left so much unread that there
 * is no room for it, it gets 503 with Retry-After instead.
 */
export async function sendResponse(
  res: ServerResponse,
  response: Response,
  hasRoom: (bytes: number) => boolean,
): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  nameEncoding(res);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  if (response.body === null) {
    res.end();
    return;
  }
  const reader = response.body.getReader();
  let piece = await reader.read();
  let next = piece.done ? piece : await reader.read();
  if (next.done && !hasRoom(piece.value?.byteLength ?? 0)) return endBusy(res, response.headers.keys());
  if (next.done) {
    res.setHeader("content-length", piece.value?.byteLength ?? 0);
    res.end(piece.value);
    return;
  }
  for (; !piece.done && !res.destroyed; piece = next, next = piece.done ? piece : await reader.read()) {
    if (!res.write(piece.value)) await Promise.race([once(res, "drain"), once(res, "close")]);
  }
  if (res.destroyed) await reader.cancel().catch(() => undefined);
  else res.end();
}

/** Says of a body that a route compressed how it is. */
export function nameEncoding(res: ServerResponse): void {
  const encoding = res.getHeader(ENCODING_HEADER);
  if (encoding === undefined) return;
  res.removeHeader(ENCODING_HEADER);
  res.setHeader("content-encoding", encoding);
}

/**
 * Writes an API endpoint's response to the socket, as `sendResponse` does for a web Response. The body is a text or was
 * written to be sent.
 */
export function sendDirectly(
  res: ServerResponse,
  { status, headers, body }: SentResponse,
  hasRoom: (bytes: number) => boolean,
): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name] ?? "");
  if (body === null) {
    res.end();
    return;
  }
  const bytes = bytesOf(body);
  if (!hasRoom(bytes)) {
    endBusy(res, Object.keys(headers));
    return;
  }
  res.setHeader("content-length", bytes);
  if (typeof body === "string") {
    res.end(body);
    return;
  }
  // Only then has all of it been given to the system.
  res.on("finish", body.release);
  res.end(body.bytes);
}

function endBusy(res: ServerResponse, names: Iterable<string>): void {
  for (const name of names) if (name.startsWith("content-")) res.removeHeader(name);
  res.statusCode = 503;
  res.setHeader("retry-after", BUSY_RETRY_S);
  res.end();
}
