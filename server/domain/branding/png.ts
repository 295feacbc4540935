import { LARGEST_LOGO_SIDE } from "@/server/domain/branding/branding";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Length, type and checksum. */
const FRAME_BYTES = 12;
const IHDR_BYTES = 13;
/** The chunks that carry pixels and colours. Texts, times, locations and animations are dropped. */
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "IEND"]);

export type PngReading =
  | { kind: "read"; bytes: Uint8Array; width: number; height: number }
  | { kind: "not_png" }
  | { kind: "too_many_pixels" };

/**
 * Reads a PNG (ISO 15948) and keeps its pixels alone, or says why it can't be shown. Nothing is decompressed, so a
 * small file can't become a large one here.
 */
export function readPng(file: Uint8Array): PngReading {
  if (!SIGNATURE.every((byte, place) => file[place] === byte)) return { kind: "not_png" };
  const chunks = chunksOf(file);
  const [header] = chunks ?? [];
  if (!chunks || header?.type !== "IHDR" || header.bytes.length !== IHDR_BYTES + FRAME_BYTES)
    return { kind: "not_png" };
  if (chunks.at(-1)?.type !== "IEND" || !chunks.some(({ type }) => type === "IDAT")) return { kind: "not_png" };
  const view = viewOf(header.bytes);
  const [width, height] = [view.getUint32(8), view.getUint32(12)];
  if (width === 0 || height === 0) return { kind: "not_png" };
  if (Math.max(width, height) > LARGEST_LOGO_SIDE) return { kind: "too_many_pixels" };
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ bytes }) => bytes);
  return { kind: "read", bytes: joined([Uint8Array.from(SIGNATURE), ...kept]), width, height };
}

interface Chunk {
  type: string;
  /** The whole chunk with its frame. */
  bytes: Uint8Array;
}

/** Splits a file into chunks. Returns null if their lengths don't add up to a whole file. */
function chunksOf(file: Uint8Array): Chunk[] | null {
  const chunks: Chunk[] = [];
  const view = viewOf(file);
  for (let at = SIGNATURE.length; at < file.length; ) {
    if (at + FRAME_BYTES > file.length) return null;
    const size = view.getUint32(at) + FRAME_BYTES;
    if (at + size > file.length) return null;
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    chunks.push({ type, bytes: file.subarray(at, at + size) });
    at += size;
  }
  return chunks;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
