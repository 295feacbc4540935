import { clock } from "@/server/clock";
import type { Answer } from "@/server/http/answer";
import { processServices } from "@/server/http/process-services";
import { requestId } from "@/server/http/request-id";
import type { LoggedBody } from "@/server/http/request-log/entry";

/** The front door's own headers: it drops those of callers and sets these (server/front-door/server.ts). */
export const REQUEST_ID_HEADER = "x-almanac-request-id";
export const ADDRESS_HEADER = "x-almanac-address";
export const PATH_HEADER = "x-almanac-path";

/** One request and its answer, and what becomes known in between. */
export interface Exchange {
  request: Request;
  url: URL;
  requestId: string;
  /** The socket's address. */
  address: string | null;
  /** Milliseconds since 1970. */
  now: number;
  started: number;
  applicationId: string | null;
  accountId: string | null;
  /** A credential of the application was accepted; on the connect page anybody may name one. */
  isAuthenticated: boolean;
  plan: "developer" | "standard" | null;
  compatibilityMode: boolean;
  body: LoggedBody;
  /** Why it was refused, of a page; other responses say it in their body. */
  errorKey: string | null;
  /** Headers that the answer carries whatever it is. */
  headers: Record<string, string>;
}

export function openExchange(request: Request): Exchange {
  const id = request.headers.get(REQUEST_ID_HEADER) ?? requestId(request.headers.get("svc-request-id"));
  return {
    request,
    url: new URL(request.url),
    requestId: id,
    address: request.headers.get(ADDRESS_HEADER),
    now: clock().now(),
    started: clock().monotonic(),
    applicationId: null,
    accountId: null,
    isAuthenticated: false,
    plan: null,
    compatibilityMode: false,
    body: null,
    errorKey: null,
    headers: { "svc-request-id": id, "cache-control": "no-store" },
  };
}

/** Sends the answer, and leaves its entry to the request log if it is one of the API's. */
export function closeExchange(exchange: Exchange, answer: Answer): Response {
  const { request, url } = exchange;
  const headers = { ...exchange.headers, ...answer.headers };
  if (APIS_OWN.test(url.pathname)) logExchange(exchange, answer, headers);
  return new Response(request.method === "HEAD" ? null : answer.body, { status: answer.status, headers });
}

/** A wrong address of the dashboard or of the documentation is nobody's request to the API. */
const APIS_OWN = /^\/(?:v1|oauth)(?:\/|$)/;

function logExchange(exchange: Exchange, answer: Answer, headers: Record<string, string>): void {
  const { request, url } = exchange;
  processServices().requestLog.add({
    requestId: exchange.requestId,
    at: new Date(exchange.now),
    method: request.method,
    path: url.pathname,
    search: url.search,
    status: answer.status,
    durationMs: clock().monotonic() - exchange.started,
    applicationId: exchange.applicationId,
    accountId: exchange.accountId,
    isAuthenticated: exchange.isAuthenticated,
    address: exchange.address,
    requestHeaders: request.headers,
    requestBody: exchange.body,
    responseHeaders: headers,
    responseBody: answer.body === null ? null : { text: answer.body },
    plan: exchange.plan,
    errorKey: exchange.errorKey,
  });
}
