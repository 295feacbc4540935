import type { Pieces } from "@/server/domain/pieces";

/** Thrown for JSON that is invalid or exceeds a limit. */
export class JsonFault extends Error {
  override name = "JsonFault";
  constructor(readonly reason: "not UTF-8" | "not JSON" | "nested too deeply" | "too many values") {
    super(reason);
  }
}

export interface JsonReader {
  /** Parses the next chunk. Throws JsonFault. */
  take(chunk: Uint8Array): Pieces<void>;
  /** Returns the value. Throws JsonFault if it is incomplete. */
  end(): unknown;
}

interface Limits {
  deepest: number;
  mostValues: number;
  /** The most characters kept of a text; the rest takes no memory. Default: all. */
  longestText?: number;
}

/** Bytes parsed before other work may go first. */
const PIECE = 32 * 1024;
/** The most characters of a number. */
const LONGEST_NUMBER = 1_000;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

type Open = { kind: "object"; value: Record<string, unknown>; key: string } | { kind: "array"; value: unknown[] };
/** Tokens that may come next. */
type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

/**
 * Parses JSON (RFC 8259) as it arrives, like JSON.parse, which can't be interrupted. Holds no more of the text than a
 * piece, and omits a key named `__proto__` with its value.
 */
export function jsonReader({ deepest, mostValues, longestText = Number.POSITIVE_INFINITY }: Limits): JsonReader {
  const open: Open[] = [];
  let expected: Expected = "value";
  let root: unknown;
  let values = 0;
  let isBegun = false;
  /** The incomplete rest of a chunk: a number, a word, or the end of a piece of a string. */
  let left: Uint8Array = new Uint8Array();
  let text: string[] | null = null;
  /** The characters read so far of that string. */
  let length = 0;

  const counted = () => {
    values += 1;
    if (values > mostValues) throw new JsonFault("too many values");
  };
  const put = (value: unknown) => {
    const last = open.at(-1);
    if (!last) root = value;
    else if (last.kind === "array") last.value.push(value);
    else if (last.key !== "__proto__") last.value[last.key] = value;
    expected = last ? "comma or end" : "nothing";
  };
  const begin = (opened: Open) => {
    if (expected !== "value" && expected !== "value or end") throw new JsonFault("not JSON");
    if (open.length >= deepest) throw new JsonFault("nested too deeply");
    counted();
    put(opened.value);
    open.push(opened);
    expected = opened.kind === "object" ? "key or end" : "value or end";
  };
  const close = (kind: Open["kind"]) => {
    const isEnd = expected === "comma or end" || expected === (kind === "object" ? "key or end" : "value or end");
    if (!isEnd || open.at(-1)?.kind !== kind) throw new JsonFault("not JSON");
    open.pop();
    expected = open.length > 0 ? "comma or end" : "nothing";
  };
  const comma = () => {
    const last = open.at(-1);
    if (expected !== "comma or end" || !last) throw new JsonFault("not JSON");
    counted();
    expected = last.kind === "object" ? "key" : "value";
  };
  const endString = (string: string) => {
    const last = open.at(-1);
    if (expected === "value" || expected === "value or end") return put(string);
    if ((expected !== "key" && expected !== "key or end") || last?.kind !== "object") throw new JsonFault("not JSON");
    last.key = string;
    expected = "colon";
  };
  const endWord = () => {
    if (left.length === 0) return;
    const word = decoded(left);
    left = new Uint8Array();
    if (expected !== "value" && expected !== "value or end") throw new JsonFault("not JSON");
    put(Object.hasOwn(words, word) ? words[word] : numberOf(word));
  };
  /** Continues a string and returns where it ends, or the length of the chunk. */
  const readString = (chunk: Uint8Array, from: number, parts: string[]): number => {
    const end = endOfString(chunk, from);
    const isWhole = end < chunk.length;
    const cut = isWhole ? end : wholeUntil(chunk, from);
    const part = stringOf(chunk.subarray(from, cut));
    if (length < longestText) parts.push(part);
    length += part.length;
    if (!isWhole) {
      left = chunk.slice(cut);
      return chunk.length;
    }
    text = null;
    const string = parts.join("");
    endString(length > longestText ? cutAt(string, longestText) : string);
    return end + 1;
  };
  const readSign = (chunk: Uint8Array, at: number): number => {
    const byte = chunk[at] ?? 0;
    const end = isOfWord(byte) ? endOfWord(chunk, at) : at;
    if (end > at) {
      left = joined(left, chunk.subarray(at, end));
      if (left.length > LONGEST_NUMBER) throw new JsonFault("not JSON");
      return end;
    }
    endWord();
    if (byte === QUOTE) [text, length] = [[], 0];
    else if (byte === 0x7b) begin({ kind: "object", value: {}, key: "" });
    else if (byte === 0x5b) begin({ kind: "array", value: [] });
    else if (byte === 0x7d) close("object");
    else if (byte === 0x5d) close("array");
    else if (byte === 0x2c) comma();
    else if (byte === 0x3a && expected === "colon") expected = "value";
    else if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) throw new JsonFault("not JSON");
    return at + 1;
  };
  const takePiece = (taken: Uint8Array) => {
    const piece = isBegun ? taken : withoutMark(taken);
    isBegun = true;
    const chunk = text ? joined(left, piece) : piece;
    if (text) left = new Uint8Array();
    for (let at = 0; at < chunk.length; ) at = text ? readString(chunk, at, text) : readSign(chunk, at);
  };
  return {
    *take(chunk) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        takePiece(chunk.subarray(at, at + PIECE));
        yield;
      }
    },
    end() {
      if (text) throw new JsonFault("not JSON");
      endWord();
      if (expected !== "nothing") throw new JsonFault("not JSON");
      return root;
    },
  };
}

/** Strips a byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonFault("not UTF-8");
  }
}

/** Decodes the inside of a string, or a part of it. */
function stringOf(bytes: Uint8Array): string {
  const text = decoded(bytes);
  if (isPlain(bytes)) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    throw new JsonFault("not JSON");
  }
}

/** Reports whether bytes contain neither an escape nor a character that must be escaped. */
function isPlain(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte === BACKSLASH || byte < 0x20) return false;
  return true;
}

/** Cuts a text without splitting a surrogate pair. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

function numberOf(word: string): number {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) throw new JsonFault("not JSON");
  return Number(word);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.length === 0 ? other : Buffer.concat([one, other]);
}

/** Finds the closing quote, skipping escaped ones. Returns the length if there is none. */
function endOfString(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    if (chunk[at] === QUOTE) return at;
    if (chunk[at] === BACKSLASH) at += 1;
  }
  return chunk.length;
}

/** Returns how much of a part of a string is whole: no half escape, no half character. */
function wholeUntil(chunk: Uint8Array, from: number): number {
  let end = chunk.length;
  while (end > from && end > chunk.length - 3 && ((chunk[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  if (end > from && (chunk[end - 1] ?? 0) >= 0xc0) end -= 1;
  else end = chunk.length;
  const begins = startOfLastEscape(chunk, from, end);
  return begins >= 0 && begins + (chunk[begins + 1] === 0x75 ? 6 : 2) > end ? begins : end;
}

/** Finds where an escape begins that may cross the end, or -1. */
function startOfLastEscape(chunk: Uint8Array, from: number, end: number): number {
  for (let at = end - 1; at >= from && at >= end - 5; at -= 1) {
    if (chunk[at] !== BACKSLASH) continue;
    let first = at;
    while (first > from && chunk[first - 1] === BACKSLASH) first -= 1;
    // In a run of backslashes every second one is escaped.
    return (at - first) % 2 === 0 ? at : -1;
  }
  return -1;
}

function isOfWord(byte: number): boolean {
  const letter = byte | 0x20;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (letter >= 0x61 && letter <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

function endOfWord(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && isOfWord(chunk[at] ?? 0)) at += 1;
  return at;
}
