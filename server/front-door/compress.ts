import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:zlib";
import compression from "compression";

/** The dashboard's pages, its exports and, in development, what pages load: what is the same for everybody is compressed once (ADR 87). Not the sign-in page: one that holds a secret beside what its caller wrote is never to be compressed (BREACH). */
const COMPRESSED = /^\/(?:_next\/static|dashboard(?!\/sign-in(?:\/|$)))(?:\/|$)/;
/** Little work, because every response is compressed again. */
const QUALITY = 4;

const encode = compression({
  level: QUALITY,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } },
  filter: (req, res) => res.statusCode !== 206 && compression.filter(req, res),
}) as unknown as (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** Has what is answered here compressed as the caller accepts it, if it is a text of some length. Each piece that Next writes is sent at once, as before. */
export function compress(pathname: string, req: IncomingMessage, res: ServerResponse): void {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (isRead && COMPRESSED.test(pathname)) encode(req, res, () => {});
}
