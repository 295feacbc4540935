import { once } from "node:events";
import type { ServerResponse } from "node:http";

const LARGEST_JOINED = 64 * 1024;

/** Writes a route's answer to the socket. A body that comes in one piece gets its Content-Length. */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
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
  if (next.done) {
    endWith(res, piece.value ?? new Uint8Array());
    return;
  }
  for (; !piece.done && !res.destroyed; piece = next, next = piece.done ? piece : await reader.read()) {
    if (!res.write(piece.value)) await Promise.race([once(res, "drain"), once(res, "close")]);
  }
  if (res.destroyed) await reader.cancel().catch(() => undefined);
  else res.end();
}

function endWith(res: ServerResponse, body: Uint8Array): void {
  res.setHeader("content-length", body.byteLength);
  // Node joins the head with a string but not with bytes, and one write costs half of two.
  if (body.byteLength > LARGEST_JOINED) res.end(body);
  else res.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"), "latin1");
}
