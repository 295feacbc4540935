import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import type { Range } from "@/server/domain/net/ranges";
import { apiRequest } from "@/server/front-door/api-request";
import { type Arrival, arrival, countHeader } from "@/server/front-door/arrival";
import { respondToBadRequests } from "@/server/front-door/bad-request";
import { compress } from "@/server/front-door/compress";
import { headersOfAll } from "@/server/front-door/headers-of-all";
import { endpointName, pageKind } from "@/server/front-door/page-kind";
import { isAmongPages, type PagePolicy } from "@/server/front-door/page-policy";
import { renderPage } from "@/server/front-door/page-status";
import {
  type Match,
  type RouteMethod,
  type RouteModule,
  type RouteTable,
  routeTable,
} from "@/server/front-door/route-table";
import { type LeadElsewhere, sendElsewhere } from "@/server/front-door/signed-out";
import { tracedRequest } from "@/server/front-door/tracing/traced-request";
import { type Running, type UnreadLimits, unreadResponses } from "@/server/front-door/unread";
import { webRequest } from "@/server/front-door/web-request";
import { nameEncoding, sendDirectly, sendResponse } from "@/server/front-door/web-response";
import { loggable } from "@/server/http/redaction/secrets";
import { CLIENT_LEFT, nothingThere } from "@/server/http/responses";
import { SLOWEST_MS } from "@/server/http/sandbox-fault";
import { log } from "@/server/log";
import { meters } from "@/server/meters";
import { tracing } from "@/server/tracing";

export type { RouteModule, RouteTable };

const READING = new Set(["GET", "HEAD"]);
const DRAIN_MS = 10_000;
const DRAIN_LOOK_MS = 20;

/** A header that drips in is cut off; a body has so long, which may have to wait while its request sleeps (ADR 86). Balancers keep connections for 60 seconds, so ours last longer. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: SLOWEST_MS + 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false, // checked in `serve`, so that this refusal too carries a request id
};

export type Fallback = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

export interface FrontDoor {
  server: Server;
  /** Takes no new connection, answers what runs for at most so many milliseconds (10 s), then cuts what is left. */
  close(graceMs?: number): Promise<void>;
}

export interface FrontDoorOptions {
  routes: RouteTable;
  fallback?: Fallback;
  /** Sets what Next's pages may do. */
  policy?: PagePolicy;
  /** Whose requests reach no page. Omitted: nobody's. */
  elsewhere?: LeadElsewhere;
  /** The proxies whose X-Forwarded-For is believed. Omitted: none. */
  proxies?: readonly Range[];
  /** Browsers are to come back with https only. */
  isHttps?: boolean;
  /** Which paths exist in this process. Omitted: all. */
  serves?: (pathname: string) => boolean;
  /** What clients may leave unread. */
  unread?: UnreadLimits;
}

/**
 * Creates the one HTTP server. Requests that a route of the table takes go straight to it, all others go to `fallback`
 * (Next) or get a 404.
 */
export function frontDoor({
  routes,
  fallback,
  policy,
  elsewhere,
  proxies = [],
  isHttps = false,
  serves = () => true,
  unread,
}: FrontDoorOptions): FrontDoor {
  const match = routeTable(routes);
  const everywhere = headersOfAll(isHttps);
  const running = new Map<ServerResponse, Running>();
  const server = createServer(limits, async (req, res) => {
    const about: Running = { req, since: clock().monotonic() };
    running.set(res, about);
    const closed = new Promise<void>((resolve) => res.on("close", resolve));
    res.on("finish", () => discardRest(req));
    if (!server.listening || context.isDraining) res.setHeader("Connection", "close");
    for (const [name, value] of Object.entries(everywhere)) res.setHeader(name, value);
    const hasRoom = (bytes: number) => waiting.hasRoom(req, bytes);
    const ways = { match, fallback, policy, elsewhere, proxies, serves, hasRoom };
    const trace = tracing();
    if (trace) await tracedRequest(trace, { about, res }, () => serve(about, res, ways).then(() => closed));
    else await serve(about, res, ways);
    await closed;
    running.delete(res);
    if (meters()) measure(about, res);
  });
  respondToBadRequests(server, everywhere);
  const waiting = unreadResponses(server, running, unread);
  return { server, close: (graceMs = DRAIN_MS) => drain(server, running, graceMs) };
}

interface Ways {
  match: (pathname: string) => Match | undefined;
  fallback?: Fallback;
  policy?: PagePolicy;
  elsewhere?: LeadElsewhere;
  proxies: readonly Range[];
  serves: (pathname: string) => boolean;
  /** Whether the client may be sent so many bytes. */
  hasRoom: (bytes: number) => boolean;
}

async function serve(about: Running, res: ServerResponse, ways: Ways): Promise<void> {
  const { req } = about;
  const { match, fallback, policy, elsewhere, proxies, serves } = ways;
  try {
    const arrived = arrival(req, res, proxies);
    if (!hasOneHost(req)) return end(res, 400);
    if (!arrived || !serves(arrived.pathname)) return endWithNothing(res);
    const found = match(arrived.pathname);
    about.endpoint = endpointName(found?.pattern) ?? (fallback && pageKind(arrived.pathname));
    const method = found && methodOf(found.module, arrived);
    if (found && method?.direct) {
      return sendDirectly(res, await method.direct(apiRequest(req, res, arrived), found.params), ways.hasRoom);
    }
    if (found && method) {
      const response = await method(webRequest(req, res, arrived), { params: Promise.resolve(found.params) });
      return await sendResponse(res, response, ways.hasRoom);
    }
    if (!fallback || isNextsOwn(arrived.pathname)) return end(res, found ? 405 : 404);
    if (isAmongPages(arrived.pathname) && !READING.has(arrived.method)) return notAllowed(res);
    const location = await elsewhere?.(arrived.pathname, req);
    if (location) return sendElsewhere(res, location);
    hideNext(res);
    compress(arrived.pathname, req, res);
    policy?.(arrived.pathname, req, res);
    await renderPage(req, res, () => fallback(req, res));
  } catch (error) {
    if (res.headersSent) res.destroy();
    else end(res, 500);
    log({ module: "front-door" }).error(
      { requestId: loggable(String(res.getHeader("svc-request-id"))), err: error },
      "a request failed",
    );
  }
}

function measure({ req, since, endpoint = "unknown" }: Running, res: ServerResponse): void {
  const status = res.headersSent ? res.statusCode : CLIENT_LEFT;
  meters()?.request({ endpoint, method: req.method ?? "", status, ms: clock().monotonic() - since });
}

/**
 * Checks that a request names one host, as HTTP/1.1 requires (RFC 9112, 3.2). Of two hosts one could be checked and the
 * other used.
 */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = countHeader(rawHeaders, "host");
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

/** Reports whether a path is of the pages and services that Next always has, which are unknown paths here. */
function isNextsOwn(pathname: string): boolean {
  return /^\/(?:404|500|_error|_not-found|_next\/(?:data|image))(?:\/|$)/.test(pathname);
}

function methodOf(module: RouteModule, { method }: Arrival): RouteMethod | undefined {
  const found = module[method] ?? (method === "HEAD" ? module.GET : undefined);
  return typeof found === "function" ? (found as RouteMethod) : undefined;
}

/**
 * Refuses a request with 405 before Next sees it: Next would take the body for a call of a server action, and print
 * what it does not understand.
 */
function notAllowed(res: ServerResponse): void {
  res.setHeader("Allow", "GET, HEAD");
  end(res, 405);
}

function endWithNothing(res: ServerResponse): void {
  const { status, headers, body } = nothingThere();
  res.writeHead(status, headers).end(body);
}

function end(res: ServerResponse, status: number): void {
  res.statusCode = status;
  res.end();
}

/**
 * Removes what Next adds to every response: `Vary` for its own router, and its name. Restores the Content-Encoding that
 * Next takes away, and keeps what the route itself varies by.
 */
function hideNext(res: ServerResponse): void {
  const writeHead = res.writeHead;
  res.writeHead = ((...head: Parameters<typeof writeHead>) => {
    const vary = [res.getHeader("vary") ?? []].flat().join(",").split(",");
    const own = vary.map((name) => name.trim()).filter((name) => name && !/^(rsc|next-.*)$/i.test(name));
    if (own.length > 0) res.setHeader("Vary", own.join(", "));
    else res.removeHeader("vary");
    res.removeHeader("x-powered-by");
    nameEncoding(res);
    return writeHead.apply(res, head);
  }) as typeof writeHead;
}

/** Discards a body that nobody read, which would keep the connection from its next request. */
function discardRest(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed) return;
  req.removeAllListeners("data");
  req.resume();
}

async function drain(server: Server, running: Map<ServerResponse, Running>, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const res of running.keys()) if (!res.headersSent) res.setHeader("Connection", "close");
  const until = clock().monotonic() + graceMs;
  while (running.size > 0 && clock().monotonic() < until) {
    server.closeIdleConnections();
    await sleep(DRAIN_LOOK_MS);
  }
  server.closeAllConnections();
  await closed;
}
