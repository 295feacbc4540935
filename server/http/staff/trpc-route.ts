import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type AdmissionSlots, admissionSlots } from "@/server/http/admission/slots";
import { endpoint } from "@/server/http/endpoint";
import { processServices } from "@/server/http/process-services";
import { SMALL_BODY } from "@/server/http/read-body";
import { type Hold, readBytes } from "@/server/http/read-bytes";
import { loggable } from "@/server/http/redaction/secrets";
import { empty, json, refusalOf, refused } from "@/server/http/responses";
import { STAFF } from "@/server/http/staff/staff-database";
import { admitCalls, sameOrigin, staffOf } from "@/server/http/staff/staff-request";
import { whenBusy } from "@/server/http/when-busy";
import { log } from "@/server/log";
import { longestWait } from "@/server/services/refusal";
import { staffApi } from "@/server/services/staff/api";
import { sentenceOf } from "@/server/services/staff/procedure/error-shape";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

const PATH = "/api/trpc";
const LARGEST_BODY = 1024 * 1024;
const MOST_CALLS = 20;
/** JSON-RPC's, as tRPC gives it to every refusal of ours. */
const INTERNAL_ERROR = -32_603;
/** No form and no other site can send it without asking first. */
const CLIENT_HEADER = "x-trpc-source";

const others = endpoint([], "GET, POST");

/** The exports of app/api/trpc: the staff's procedures for the dashboard's own scripts. */
export const trpcRoute = { ...others, GET: respondWhenFree, POST: respondWhenFree };

async function respondWhenFree(request: Request): Promise<Response> {
  const held = admissionSlots();
  return await whenBusy(() => respond(request, held)).finally(held.leave);
}

async function respond(request: Request, held: AdmissionSlots): Promise<Response> {
  if (!sameOrigin(request) || !request.headers.has(CLIENT_HEADER)) {
    return plain(json(403, { error: "forbidden", description: "Only the dashboard can call this." }));
  }
  const context = await staffOf(request);
  const throttled = await admitted(request, context);
  if (throttled) return throttled;
  const hold: Hold = (giveUp) => held.keeping(processServices().admission.bodies.begin(STAFF, giveUp));
  const limit = context.operator ? LARGEST_BODY : SMALL_BODY;
  const body = request.method === "POST" ? await readBytes(request, limit, hold) : null;
  if (body === "too_large") return plain(empty(413));
  if (body === "cut off") return plain(empty(400));
  const response = await fetchRequestHandler({
    endpoint: PATH,
    router: staffApi,
    req: new Request(request.url, { method: request.method, headers: request.headers, body: body as BodyInit | null }),
    createContext: () => ({ ...context, admitCall: undefined }),
    allowMethodOverride: true,
    maxBatchSize: MOST_CALLS,
    responseMeta: ({ errors, paths }) => statusOf(errors, paths?.length),
    onError: ({ error, path }) => note(error, path, context),
  });
  response.headers.set("cache-control", "no-store");
  return response;
}

function plain({ status, headers, body }: ReturnType<typeof empty>): Response {
  return new Response(body, { status, headers: { ...headers, "cache-control": "no-store" } });
}

/** Counts the calls of a request before any of them begins: one by one, their refusals would take as much time as they save (ADR 86). */
async function admitted(request: Request, { operator, requestId }: StaffContext): Promise<Response | null> {
  if (!operator) return null;
  const { pathname, searchParams } = new URL(request.url);
  const calls = Math.min(pathname.split(",").length, MOST_CALLS);
  try {
    await admitCalls(operator.id, calls);
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const { status, headers } = refused(refusal, { compatibilityMode: false });
    const message = sentenceOf(refusal);
    const each = { error: { code: INTERNAL_ERROR, message, data: { path: null, refusal, requestId } } };
    const isBatch = searchParams.get("batch") === "1";
    const response = json(status, isBatch ? Array.from({ length: calls }, () => each) : each);
    return plain({ ...response, headers: { ...headers, ...response.headers } });
  }
}

/** Returns the status of refusals that are all of one kind, if nothing else was called, and the longest wait as a header. */
function statusOf(errors: TRPCError[], calls = 1): { status?: number; headers?: Record<string, string> } {
  const reasons = errors.flatMap((error) => refusalOf(error) ?? []);
  const wait = longestWait(reasons);
  const headers = wait === null ? {} : { headers: { "retry-after": String(wait) } };
  const [reason] = reasons;
  const isWhole = reasons.length === calls && reasons.every(({ kind }) => kind === reason?.kind);
  if (!reason || !isWhole) return headers;
  return { status: refused(reason, { compatibilityMode: false }).status, ...headers };
}

function note(error: TRPCError, path: string | undefined, { requestId }: StaffContext): void {
  if (refusalOf(error) || error.code !== "INTERNAL_SERVER_ERROR") return;
  log({ module: "http" }).error(
    { requestId: loggable(requestId), procedure: path, err: error.cause ?? error },
    "a call of the dashboard failed",
  );
}
