import { once } from "node:events";
import type { ServerResponse } from "node:http";

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
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  if (response.body === null) {
    res.end();
    return;
  }
  const reader = response.body.getReader();
  let piece = await reader.read();
  let next = piece.done ? piece : await reader.read();
  if (next.done && !hasRoom(piece.value?.byteLength ?? 0)) {
    for (const name of response.headers.keys()) if (name.startsWith("content-")) res.removeHeader(name);
    res.statusCode = 503;
    res.setHeader("retry-after", BUSY_RETRY_S);
    res.end();
    return;
  }
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
