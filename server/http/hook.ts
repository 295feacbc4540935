import { db } from "@/server/db/client";
import { connectable } from "@/server/domain/providers";
import { readBytes, SMALL_BODY } from "@/server/http/read-body";
import { log } from "@/server/log";
import { connectorOf } from "@/server/providers/connectors";
import { noticeWatches } from "@/server/store/mailboxes/watches";

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
  const bytes = await readBytes(request, SMALL_BODY);
  if (bytes === "too_large") return empty(413);
  if (bytes === "cut off") return empty(400);
  const body = Buffer.from(bytes).toString();
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
