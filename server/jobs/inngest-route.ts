import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { env } from "@/server/env";
import { inngestServer } from "@/server/jobs/background";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
type Handler = (request: Request) => Promise<Response>;
/** Signals and the results of steps are a few bytes; verifying a body is the SDK's most expensive step. */
const MOST_BYTES = 64 * 1024;
const SIGNATURE = /^t=(\d{1,12})&s=[0-9a-f]{64}$/;
/** The SDK's limit for a signature's age. */
const OLDEST_SIGNATURE_MS = 300_000;

let lastStatus: number | null = null;

/** Returns the status that the last call of the Inngest server was answered with; null: there was none. */
export function lastInngestStatus(): number | null {
  return lastStatus;
}

/**
 * Creates the exports of /api/inngest. While the engine of this process runs the functions, or the process serves
 * requests only, the path does not exist. An Inngest server's calls go to the SDK, which verifies their signature;
 * without one nothing is read and nothing is registered.
 */
export function inngestRoute(): Record<(typeof methods)[number], Handler> {
  const answer: Handler = async (request) => {
    const response = await responseTo(request);
    if (request.method === "POST") lastStatus = response.status;
    return response;
  };
  return Object.fromEntries(methods.map((name) => [name, answer])) as Record<(typeof methods)[number], Handler>;
}

async function responseTo(request: Request): Promise<Response> {
  const isServed = request.method === "POST" || request.method === "PUT";
  const server = inngestServer();
  if (!isServed || !server || env().ALMANAC_ROLE === "web") return empty(404);
  if (!isSigned(request)) return empty(401);
  // Inngest tries again, or the work is announced again, and another process takes it: this one claims nothing more.
  if (context.isDraining) return empty(503);
  const body = await read(request);
  if (typeof body === "number") return empty(body);
  const { method, url, headers } = request;
  return await server.handler(new Request(url, { method, headers, body }));
}

/**
 * Checks that a signature has the right form and age; the SDK then verifies it, which takes the whole body. Rejects a
 * PUT that registers out of band, because the SDK requires no signature for it.
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

/** Reads a JSON body as text, or returns the status that rejects it. */
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
