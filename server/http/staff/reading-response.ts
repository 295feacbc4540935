import { loggable } from "@/server/http/redaction/secrets";
import { empty, type HttpResponse, refusalOf, refused } from "@/server/http/responses";
import { signInLink } from "@/server/http/staff/return-path";
import { admitCalls, sameOrigin, staffOf } from "@/server/http/staff/staff-request";
import { whenBusy } from "@/server/http/when-busy";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import { type ExportedList, exportCaller } from "@/server/services/staff/lists/exporting";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";

interface Reader {
  api: StaffCaller;
  /** Milliseconds since 1970. */
  now: number;
  /** The query, as pages have it. */
  params: Record<string, string[]>;
  /** Notes in the audit trail that a list is taken away, and by which filters it was requested: of those that are given. */
  exported(list: ExportedList, filters: Filters): Promise<void>;
}

type Filters = Record<string, string | number | boolean | readonly string[] | undefined>;

const SIGNED_OUT = "You’re signed out. Sign in to the dashboard, then try again.\n";

/**
 * Builds the response of a route that staff read with, for signed-in operators and from our own pages. A refusal has
 * its status. A browser that is signed out is redirected to the sign-in page.
 */
export function readingResponse(request: Request, read: Read): Promise<Response> {
  return whenBusy(() => responseOf(request, staffOf, read));
}

/**
 * Builds the same for a list as a file, which is counted at once, however many pages it has: it is refused before it
 * begins, or is whole.
 */
export function exportResponse(request: Request, read: Read): Promise<Response> {
  return whenBusy(() => responseOf(request, exporterOf, read));
}

/** Most have few pages, and the longest 100, which come one after another. */
const EXPORT_CALLS = 20;

async function exporterOf(request: Request): Promise<StaffContext> {
  const context = await staffOf(request);
  if (context.operator) await admitCalls(context.operator.id, EXPORT_CALLS);
  return { ...context, admitCall: undefined };
}

type ContextOf = (request: Request) => Promise<StaffContext>;
type Read = (reader: Reader) => Promise<Response>;

async function responseOf(request: Request, contextOf: ContextOf, read: Read): Promise<Response> {
  if (!sameOrigin(request)) return response(empty(403));
  const { searchParams } = new URL(request.url);
  const params = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
  try {
    const context = await contextOf(request);
    return await read({
      api: staffCaller(context),
      now: context.now,
      params,
      exported: (list, filters) => exportCaller(context).note({ list, filters: noted(filters) }),
    });
  } catch (error) {
    const reason = refusalOf(error);
    if (!reason) throw error;
    const refusal = refused(reason, { compatibilityMode: false });
    return response(reason.kind === "signed_out" ? signedOut(request, refusal) : refusal);
  }
}

/** Omits filters that were not requested, and a token that somebody searched for. */
function noted(filters: Filters): Filters {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === "string" ? loggable(value) : value]));
}

/**
 * Redirects a browser that would show the response to the list, because one that is sent to a file stays on the sign-in
 * page.
 */
function signedOut({ url, headers }: Request, refusal: HttpResponse): HttpResponse {
  const { pathname, search } = new URL(url);
  const location = signInLink(pathname.replace(/\/export$/, "") + search);
  if (headers.get("sec-fetch-dest") === "document") return empty(303, { location });
  return { ...refusal, headers: { ...refusal.headers, "content-type": "text/plain; charset=utf-8" }, body: SIGNED_OUT };
}

function response({ status, headers, body }: HttpResponse): Response {
  return new Response(body, { status, headers: { ...headers, "cache-control": "no-store" } });
}
