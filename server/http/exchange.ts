import { clock } from "@/server/clock";
import type { ApiRequest } from "@/server/http/api-request";
import { processServices } from "@/server/http/process-services";
import { STORED_BODY } from "@/server/http/redaction/redact";
import { requestId } from "@/server/http/request-id";
import type { LoggedBody } from "@/server/http/request-log/entry";
import { bodyOfWeb, bytesOf, type HttpResponse, type SentResponse } from "@/server/http/responses";

/** The front door's own headers: it drops those of callers and sets these (server/front-door/server.ts). */
export const REQUEST_ID_HEADER = "x-almanac-request-id";
export const ADDRESS_HEADER = "x-almanac-address";
export const PATH_HEADER = "x-almanac-path";
/** Of a response whose body is compressed already: the front door makes its Content-Encoding of it, which Next would take away. */
export const ENCODING_HEADER = "x-almanac-content-encoding";

/** One request and its response, and what becomes known in between. */
export interface Exchange {
  request: ApiRequest;
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
  /** The client tried HTTP Basic. */
  usesBasic: boolean;
  body: LoggedBody;
  /** The request log keeps nothing of the response's body but its size. */
  hidesResponse: boolean;
  /** Where the metadata of the protected resource is (RFC 9728), if a challenge is to say so. */
  resourceMetadata: string | null;
  /** Why it was refused, where the response does not say it, or which fault it asked for. */
  errorKey: string | null;
  /** Headers that every response carries. */
  headers: Record<string, string>;
}

export function openExchange(request: ApiRequest): Exchange {
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
    usesBasic: false,
    body: null,
    hidesResponse: false,
    resourceMetadata: null,
    errorKey: null,
    headers: { "svc-request-id": id, "cache-control": "no-store" },
  };
}

/** Sends the response, and leaves its entry to the request log if it is one of the API's. */
export function closeExchange(exchange: Exchange, response: HttpResponse): Response {
  const { status, headers, body } = closedExchange(exchange, response);
  return new Response(bodyOfWeb(body), { status, headers });
}

/** Closes an exchange as `closeExchange` does, with a response that is not yet a web Response. */
export function closedExchange(exchange: Exchange, response: SentResponse): SentResponse {
  const { request, url } = exchange;
  const headers = Object.assign(exchange.headers, response.headers);
  if (APIS_OWN.test(url.pathname)) logExchange(exchange, response, headers);
  return { status: response.status, headers, body: request.method === "HEAD" ? null : response.body };
}

/** A wrong address of the dashboard or of the documentation is nobody's request to the API. */
const APIS_OWN = /^\/(?:v1|oauth|mcp)(?:\/|$)/;

function logExchange(exchange: Exchange, response: SentResponse, headers: Record<string, string>): void {
  const { request, url } = exchange;
  processServices().requestLog.add({
    requestId: exchange.requestId,
    at: new Date(exchange.now),
    method: request.method,
    path: url.pathname,
    search: url.search,
    status: response.status,
    durationMs: clock().monotonic() - exchange.started,
    applicationId: exchange.applicationId,
    accountId: exchange.accountId,
    isAuthenticated: exchange.isAuthenticated,
    address: exchange.address,
    requestHeaders: request.headers,
    requestBody: exchange.body,
    responseHeaders: headers,
    responseBody: loggedBody(response.body, exchange),
    plan: exchange.plan,
    errorKey: exchange.errorKey,
  });
}

function loggedBody(body: SentResponse["body"], { hidesResponse }: Exchange): LoggedBody {
  if (hidesResponse) return body === null ? null : { size: bytesOf(body) };
  if (body === null || typeof body === "string") return body === null ? null : { text: body };
  const size = body.bytes.length;
  return size > STORED_BODY ? { size } : { text: body.bytes.toString() };
}
