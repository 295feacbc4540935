import { promisify } from "node:util";
import { brotliDecompress, type InputType, unzip, type ZlibOptions } from "node:zlib";
import { decodedPieces } from "@/server/providers/caldav/decoded-pieces";

type Decompress = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(unzip),
  "x-gzip": promisify<InputType, ZlibOptions, Buffer>(unzip),
  deflate: promisify<InputType, ZlibOptions, Buffer>(unzip),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
};

const REPLACEMENT = "\uFFFD";
const LINE_FEED = 0x0a;

/** Thrown for content that is larger than the limit once it is decompressed. */
export class DecompressedTooLong extends Error {
  override name = "DecompressedTooLong";
}

/**
 * Decompresses a body. Nothing compressed was asked for, but some servers send files as they have them, with or without
 * saying so. Null: it can't be decompressed. Throws `DecompressedTooLong`.
 */
export async function decompressed(body: Buffer, encoding: string | null, mostBytes: number): Promise<Buffer | null> {
  const named = encoding?.trim().toLowerCase() ?? "identity";
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  if (!isGzip && (named === "identity" || named === "")) return body;
  const decompress = decompressors[isGzip ? "gzip" : named];
  if (!decompress) return null;
  try {
    return await decompress(body, { maxOutputLength: mostBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new DecompressedTooLong();
    // Some name an encoding that a proxy has already removed.
    return isGzip || !body.includes("BEGIN:V") ? null : body;
  }
}

/**
 * Decodes the text of a feed: as its byte order mark or its charset says, else as UTF-8, which RFC 5545 §3.1.4 wants.
 * Where that is wrong, each line that isn't UTF-8 is Windows-1252, which contains Latin-1.
 */
export function decodedText(bytes: Buffer, charset: string | null): string {
  const marked = markOf(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const decoder = charset === null || /^utf-?8$/i.test(charset) ? null : decoderOf(charset);
  if (decoder) return decoder.decode(bytes);
  const pieces = decodedPieces();
  const text = pieces.take(bytes) + pieces.end();
  return text.includes(REPLACEMENT) && !bytes.includes(REPLACEMENT) ? linesOf(bytes) : text;
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

function linesOf(bytes: Buffer): string {
  const [utf8, latin] = [new TextDecoder("utf-8", { fatal: true }), new TextDecoder("windows-1252")];
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    const line = bytes.subarray(at, end < 0 ? bytes.length : end + 1);
    lines.push(lineOf(line, utf8) ?? latin.decode(line));
    at += line.length;
  }
  return lines.join("");
}

function lineOf(line: Buffer, utf8: TextDecoder): string | null {
  try {
    return utf8.decode(line);
  } catch {
    return null;
  }
}
