import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import type { ApiRequest } from "@/server/http/api-request";
import { closedExchange, ENCODING_HEADER, type Exchange } from "@/server/http/exchange";
import type { SentResponse } from "@/server/http/responses";

/** Below, compressing costs more than it saves. In bytes, or in characters of a text. */
const SMALLEST = 8_192;
const deflated = { level: 1 };
const packed = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipAside = promisify(gzip);
const brotliAside = promisify(brotliCompress);
/** A page of 300 events takes Brotli 0.3 ms at this quality, and gzip twice as long for more bytes. */
const OFFERED = ["br", "gzip", "identity"];

type Coding = "br" | "gzip";

/**
 * Sends the response compressed, if the caller accepts that and it is worth it. Only for bodies without secrets of ours (BREACH). The
 * request log has it as it was before.
 */
export function closedCompressed(exchange: Exchange, response: SentResponse): SentResponse | Promise<SentResponse> {
  const size = sizeOf(response.body);
  const coding = size === 0 ? null : codingOf(exchange.request, size);
  if (size >= SMALLEST || coding) response.headers.vary = "Accept-Encoding";
  if (coding) response.headers["content-encoding"] = coding;
  const closed = closedExchange(exchange, response);
  const { status, headers, body } = closed;
  if (!coding || body === null) return closed;
  return compressed(body, coding).then((made) => ({ status, headers, body: made }));
}

/** Returns the headers for a web Response, which goes through Next. */
export function headersOfWeb(headers: Record<string, string>): Record<string, string> {
  const coding = headers["content-encoding"];
  return coding === undefined ? headers : { [ENCODING_HEADER]: coding, ...headers };
}

function sizeOf(body: SentResponse["body"]): number {
  if (body === null) return 0;
  return typeof body === "string" ? body.length : body.bytes.length;
}

/**
 * Picks the offered coding that the caller likes best (RFC 9110, 12.5.3). A small body is compressed only for a caller
 * who refuses it uncompressed.
 */
function codingOf({ headers }: ApiRequest, size: number): Coding | null {
  const header = headers.get("accept-encoding");
  if (header === null || (size < SMALLEST && !header.includes("q=0"))) return null;
  const accepted = new Negotiator({ headers: { "accept-encoding": header } }).encodings(OFFERED, OFFERED);
  const [best] = accepted;
  if (size < SMALLEST && accepted.includes("identity")) return null;
  return best === "br" || best === "gzip" ? best : null;
}

/** Compresses a body in a thread of the pool, so that the event loop serves other requests meanwhile. */
async function compressed(body: NonNullable<SentResponse["body"]>, coding: Coding): Promise<SentResponse["body"]> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body.bytes;
  const made = await (coding === "br" ? brotliAside(bytes, packed) : gzipAside(bytes, deflated));
  if (typeof body !== "string") body.release();
  return { bytes: made, release: () => {} };
}
