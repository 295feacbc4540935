import { clock } from "@/server/clock";
import { isDraining } from "@/server/draining";
import { env } from "@/server/env";
import { background } from "@/server/jobs/background";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
type Handler = (request: Request) => Promise<Response>;
/** Signals are a few bytes, and so are the results of steps; the SDK takes longer to verify a body than all else takes together. */
const MOST_BYTES = 64 * 1024;
const SIGNATURE = /^t=(\d{1,12})&s=[0-9a-f]{64}$/;
/** What the SDK allows. */
const OLDEST_SIGNATURE_MS = 300_000;

/**
 * The exports of /api/inngest. While the executor of this process drives the functions, and where only requests are served, the path does not exist for anybody; an
 * Inngest server's calls go to the SDK, which verifies their signature. Without one nothing is read, and nothing is registered.
 */
export function inngestRoute(): Record<(typeof methods)[number], Handler> {
  const answer: Handler = async (request) => {
    const response = await responseTo(request);
    if (request.method === "POST") globalThis.almanacInngestStatus = response.status;
    return response;
  };
  return Object.fromEntries(methods.map((name) => [name, answer])) as Record<(typeof methods)[number], Handler>;
}

async function responseTo(request: Request): Promise<Response> {
  const isServed = request.method === "POST" || request.method === "PUT";
  if (!isServed || background().kind === "embedded" || env().ALMANAC_ROLE === "web") return empty(404);
  if (!isSigned(request)) return empty(401);
  // Inngest tries again, and another process takes it: this one claims nothing more.
  if (isDraining()) return empty(503);
  const body = await read(request);
  if (typeof body === "number") return empty(body);
  const { method, url, headers } = request;
  return await background().handler(new Request(url, { method, headers, body }));
}

/**
 * Has a signature of the right form and age. The SDK then verifies it, which takes the whole body. It asks for none on a PUT that
 * registers out of band, so such a PUT is refused here.
 */
function isSigned({ method, headers }: Request): boolean {
  const isInBand = headers.get("x-inngest-sync-kind") === "in_band";
  const [, seconds] = SIGNATURE.exec(headers.get("x-inngest-signature") ?? "") ?? [];
  const isFresh = Math.abs(clock().now() - Number(seconds) * 1000) <= OLDEST_SIGNATURE_MS;
  return isFresh && (method === "POST" || isInBand);
}

function empty(status: number): Response {
  return new Response(null, { status });
}

/** The text of a JSON body, or the status that refuses it. */
async function read(request: Request): Promise<string | number> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) return 413;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body ?? []) {
    length += piece.length;
    if (length > MOST_BYTES) return 413;
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  try {
    JSON.parse(text);
    return text;
  } catch {
    return 400;
  }
}
