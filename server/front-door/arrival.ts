import type { IncomingMessage, ServerResponse } from "node:http";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import type { Range } from "@/server/domain/net/ranges";
import { clientAddress } from "@/server/front-door/client-address";
import { requestId } from "@/server/http/request-id";

export const REQUEST_ID = "Svc-Request-Id";

const webMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** What no request may tell Next: that it went through a middleware, or calls a server action, of which there are none. */
const NEVER_NEXTS = new Set(["x-middleware-subrequest", "next-action"]);
/** These make Next return something else than the route does, or skip its checks. */
const nextHeaders = ["rsc", "next-url", "x-nextjs-data", "x-prerender-revalidate", "x-now-route-matches"];
/** What programs ask for; pages need those headers. */
const API_PATH = /^\/(?:v1|oauth|api|health)(?:\/|$)/;

export interface Arrival {
  method: string;
  /** Encoded soundly, without empty segments or dots. */
  pathname: string;
  search: string;
}

/**
 * Prepares every request before anything else sees it: sets its id on the response, sets our own headers on the request
 * and drops anybody else's copies of them, and reduces its path to one spelling. Returns undefined when the target
 * names nothing that could exist.
 */
export function arrival(req: IncomingMessage, res: ServerResponse, proxies: readonly Range[]): Arrival | undefined {
  const { headers } = req;
  const given = headers["svc-request-id"];
  const id = requestId(typeof given === "string" ? given : undefined);
  res.setHeader(REQUEST_ID, id);
  for (const name of Object.keys(headers)) {
    if (name.startsWith("x-almanac-") || NEVER_NEXTS.has(name)) delete headers[name];
  }
  // Of two credentials one could be checked and the other used: neither counts, and what needs one returns 401.
  if (headers.authorization !== undefined && countHeader(req.rawHeaders, "authorization") > 1) {
    delete headers.authorization;
  }
  headers["x-almanac-request-id"] = id;
  headers["x-almanac-address"] = clientAddress(req, proxies);
  const target = targetOf(req.url ?? "");
  if (!target) return undefined;
  if (API_PATH.test(target.pathname)) hideNextHeaders(headers);
  // TRACE and the like, which a web Request refuses: the API knows PATCH on no path, so its response is the right one.
  const method = webMethods.has(req.method ?? "") ? (req.method ?? "") : "PATCH";
  req.url = target.pathname + target.search;
  req.method = method;
  return { method, ...target };
}

/**
 * Counts how often a header was sent; `name` is in lower case. Node keeps only the first value of some headers and
 * doesn't report the others.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? "";
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

function hideNextHeaders(headers: IncomingMessage["headers"]): void {
  for (const name of nextHeaders) delete headers[name];
  for (const name of Object.keys(headers)) if (name.startsWith("next-router-")) delete headers[name];
}

function targetOf(raw: string): { pathname: string; search: string } | undefined {
  const address = raw.startsWith("/") ? `http://localhost${raw}` : raw;
  const url = /^https?:\/\//i.test(address) ? parsedUrl(address) : null;
  if (!url) return undefined;
  const { pathname, search } = url;
  return pathname.includes("//") || !isSoundlyEncoded(pathname) ? undefined : { pathname, search };
}

function isSoundlyEncoded(pathname: string): boolean {
  if (!pathname.includes("%")) return true;
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
