import { pipeline, Readable } from "node:stream";
import { createUnzip } from "node:zlib";
import type { ApiRequest, ByteStream } from "@/server/http/api-request";
import { type Body, type BodyInput, readBody, type UnreadableReason } from "@/server/http/read-body";

/** What a body may be compressed with, as a 415 lists it. Not Brotli: one such body may ask for 16 MB of memory. */
export const INFLATED = "gzip, deflate";
const inflatable = new Set(["gzip", "x-gzip", "deflate"]);
/** IANA's registry of content codings, as far as libraries have them. */
const registered = new Set([...inflatable, "br", "zstd", "compress", "x-compress"]);
/** Why a body can't be read, whatever it is encoded with. */
const plainFaults = new Set<UnreadableReason>(["empty", "unsupported content type", "cut off"]);

/**
 * Reads a body that may be compressed, as `readBody` does: the limit counts its inflated bytes. A plain body is read
 * whatever Content-Encoding says. `encoded`: the body is in an encoding that is not read.
 */
export async function readEncodedBody(request: ApiRequest, options: BodyInput): Promise<Body | { kind: "encoded" }> {
  const encoding = encodingOf(request);
  if (encoding !== "compressed" || request.body === null || request.bodyUsed) {
    const read = await readBody(request, options);
    const isOther = encoding === "other" && read.kind === "unreadable" && !plainFaults.has(read.reason);
    return isOther ? { kind: "encoded" } : read;
  }
  const { method, url, headers, signal } = request;
  const body = inflatedBody(request.body);
  const read = await readBody({ method, url, headers, signal, body, bodyUsed: false }, options);
  const isDamaged = read.kind === "unreadable" && read.reason === "cut off";
  return isDamaged ? { kind: "unreadable", reason: "damaged" } : read;
}

/**
 * Reads Content-Encoding. A value that is no coding is ignored, because some SDKs send a plain body with a charset, or
 * with a weighted list as in Accept-Encoding.
 */
function encodingOf({ headers }: ApiRequest): "none" | "compressed" | "other" {
  const header = headers.get("content-encoding");
  if (header === null) return "none";
  const codings = header.split(",").map((coding) => coding.trim().toLowerCase());
  const applied = codings.filter((coding) => coding !== "" && coding !== "identity");
  if (applied.length === 0 || !applied.every((coding) => registered.has(coding))) return "none";
  return applied.length === 1 && inflatable.has(applied[0] ?? "") ? "compressed" : "other";
}

/**
 * Inflates a compressed body piece by piece, so that its reader can count the bytes and stop. A plain body stays as it
 * is.
 */
function inflatedBody(body: ByteStream): ByteStream {
  const reader = body.getReader();
  const pieces = inflated(chunksOf(reader));
  const cancel = async () => {
    // First what a pending read waits for.
    await reader.cancel();
    await pieces.return(undefined);
  };
  const read = async () => {
    const next = await pieces.next();
    return next.done ? ({ done: true } as const) : ({ done: false, value: next.value } as const);
  };
  return { getReader: () => ({ read, cancel }), cancel };
}

type Chunks = AsyncGenerator<Uint8Array, undefined>;

async function* inflated(chunks: Chunks): Chunks {
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = after(head, chunks);
  if (!isCompressed(head)) return yield* whole;
  // What goes wrong is thrown to whoever reads.
  yield* pipeline(Readable.from(whole), createUnzip(), () => {});
}

async function* after(head: Uint8Array, rest: Chunks): Chunks {
  if (head.length > 0) yield head;
  return yield* rest;
}

async function* chunksOf(reader: ReturnType<ByteStream["getReader"]>): Chunks {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/**
 * Checks for the first bytes of gzip (RFC 1952, 2.3.1) or zlib (RFC 1950, 2.2), which no JSON and no form begins with.
 */
function isCompressed([first = 0, second = 0]: Buffer): boolean {
  const isGzip = first === 0x1f && second === 0x8b;
  return isGzip || ((first & 0x0f) === 8 && (first * 256 + second) % 31 === 0);
}
