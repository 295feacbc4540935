import type { HeldBody } from "@/server/http/admission/body-memory";
import type { ApiRequest } from "@/server/http/api-request";
import { Refusal } from "@/server/services/refusal";

/** Bytes of a body that may be parsed in one go. A larger one has so long to arrive from there on. */
export const LARGE = 128 * 1024;
const LARGE_WITHIN_MS = 30_000;
/** So much of a body is not counted: nearly all have no more. */
const UNCOUNTED = 16 * 1024;
const RETRY_AFTER_S = 2;

/** Begins to count what is held of a body. `giveUp` is called when others need the room more. */
export type Hold = (giveUp: () => void) => HeldBody;

interface ReadLimits {
  /** In bytes. */
  limit: number;
  /** Omitted: it is not counted. */
  hold?: Hold | undefined;
}

export interface ReadBytes {
  chunks: Uint8Array[];
  length: number;
}

/** Reads a request's body as it came, of at most `limit` bytes. Throws `overloaded` when there is no room for it, or others need the room more. */
export async function readChunks(
  request: ApiRequest,
  { limit, hold }: ReadLimits,
): Promise<ReadBytes | "too_large" | "cut off"> {
  if (request.bodyUsed) return "cut off";
  const read: ReadBytes = { chunks: [], length: 0 };
  if (request.body === null) return read;
  const reader = request.body.getReader();
  let end: "too_large" | "cut off" | "given up" | undefined;
  const stop = (why: typeof end) => {
    end ??= why;
    void reader.cancel().catch(() => undefined);
  };
  let held: HeldBody | undefined;
  let late: NodeJS.Timeout | undefined;
  while (end === undefined) {
    const next = await reader.read().catch(() => null);
    if (next?.done || end !== undefined) break;
    if (next === null) {
      end = "cut off";
      break;
    }
    read.length += next.value.byteLength;
    read.chunks.push(next.value);
    if (read.length > limit) stop("too_large");
    else if (read.length > UNCOUNTED) {
      const isFirst = held === undefined;
      held ??= hold?.(() => stop("given up"));
      if (held?.add(isFirst ? read.length : next.value.byteLength) === false) stop("given up");
    }
    if (read.length > LARGE) late ??= setTimeout(() => stop("cut off"), LARGE_WITHIN_MS);
  }
  clearTimeout(late);
  held?.arrived();
  if (end === "given up") throw new Refusal({ kind: "overloaded", retryAfter: RETRY_AFTER_S });
  return end ?? read;
}

/** Reads the same in one piece. */
export async function readBytes(
  request: ApiRequest,
  limit: number,
  hold?: Hold,
): Promise<Uint8Array | "too_large" | "cut off"> {
  const read = await readChunks(request, { limit, hold });
  return typeof read === "string" ? read : wholeOf(read);
}

export function wholeOf({ chunks, length }: ReadBytes): Uint8Array {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks, length);
}
