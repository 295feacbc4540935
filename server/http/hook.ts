import { db } from "@/server/db/client";
import { connectable } from "@/server/domain/providers";
import { log } from "@/server/log";
import { connectorOf } from "@/server/providers/connectors";
import { noticeWatches } from "@/server/store/mailboxes/watches";

const MOST_BYTES = 64 * 1024;

/**
 * POST /hooks/{provider}: notices of changes, from a provider or from anybody. They are answered alike, and only those with the secret of
 * a watch have an effect. Not in the request log: it is for the applications' requests.
 */
export async function hook(
  request: Request,
  { params }: { params: Promise<Record<string, string | string[] | undefined>> },
): Promise<Response> {
  const { provider: name } = await params;
  const provider = connectable.find((each) => each === name);
  const readHook = provider && connectorOf(provider)?.readHook;
  if (!provider || !readHook) return empty(404);
  const body = await bodyOf(request);
  if (body === null) return empty(413);
  const read = readHook({ headers: request.headers, query: new URL(request.url).searchParams, body });
  if ("challenge" in read) return new Response(read.challenge, { headers: { "content-type": "text/plain", ...safe } });
  try {
    await noticeWatches(db(), provider, read);
    return empty(202);
  } catch (error) {
    log({ module: "http" }).error({ err: error }, "notices of a provider could not be stored");
    return empty(503);
  }
}

const safe = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

function empty(status: number): Response {
  return new Response(null, { status, headers: safe });
}

/** Null: it is too large. */
async function bodyOf(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) return null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body ?? []) {
    length += piece.length;
    if (length > MOST_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
