import { JsonFault, jsonReader } from "@/server/domain/json-reader";
import { EgressFailure } from "@/server/egress/failure";
import { AnswerTooLong, type EgressFetch, type FetchInit } from "@/server/egress/fetch";
import { inSlices, slices } from "@/server/event-loop";
import { ProviderError } from "@/server/providers/connector";

export interface JsonResponse {
  status: number;
  headers: Headers;
  /** Null: the response is no JSON. */
  body: unknown;
}

/** A page of 2,500 events with everything in them. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_VALUES = 5_000_000;
const DEEPEST = 100;

/**
 * Sends one request and parses its response as JSON, whatever the status. The response is read in slices while it
 * arrives, so that a large page blocks nobody. Throws `down` for no response, a broken one, or one that is too long.
 */
export async function askJson(
  fetch: EgressFetch,
  url: string,
  init: Pick<FetchInit, "method" | "headers" | "body">,
): Promise<JsonResponse> {
  const pause = slices();
  let reader = jsonReader({ deepest: DEEPEST, mostValues: MOST_VALUES });
  let isJson = true;
  const takerOf = () => {
    reader = jsonReader({ deepest: DEEPEST, mostValues: MOST_VALUES });
    return async (piece: Buffer) => {
      if (isJson) isJson = await isRead(() => inSlices(reader.take(piece), pause));
    };
  };
  try {
    const { status, headers } = await fetch(url, { ...init, mostBytes: MOST_BYTES, takerOf });
    return { status, headers, body: isJson ? ended(reader) : null };
  } catch (error) {
    if (error instanceof AnswerTooLong) throw down("too_long");
    if (error instanceof EgressFailure) throw down(error.errorClass);
    throw error;
  }
}

export function down(detail: string): ProviderError {
  return new ProviderError({ kind: "down" }, detail);
}

async function isRead(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
}

function ended(reader: ReturnType<typeof jsonReader>): unknown {
  try {
    return reader.end();
  } catch (error) {
    if (error instanceof JsonFault) return null;
    throw error;
  }
}
