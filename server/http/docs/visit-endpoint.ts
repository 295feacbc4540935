import { parsedUrl } from "@/server/domain/net/parsed-url";
import { anonymousContext } from "@/server/http/anonymous-context";
import { endpoint } from "@/server/http/endpoint";
import { openExchange } from "@/server/http/exchange";
import { logFailure } from "@/server/http/log-failure";
import { processServices } from "@/server/http/process-services";
import { empty, type HttpResponse, json, refusalOf, refused } from "@/server/http/responses";
import { apiCaller } from "@/server/services/api";
import { Refusal } from "@/server/services/refusal";

const others = endpoint([], "POST");

/**
 * Builds the exports of POST /api/docs/visit, for the documentation's own pages: a token for a calendar of the
 * visitor's own (ADR 63).
 */
export function visitEndpoint() {
  return { ...others, POST: open };
}

async function open(request: Request): Promise<Response> {
  const exchange = openExchange(request);
  const { status, headers, body } = await answered(request, exchange);
  return new Response(body, { status, headers: { ...exchange.headers, ...headers } });
}

async function answered(request: Request, exchange: ReturnType<typeof openExchange>): Promise<HttpResponse> {
  // Another site's page must not spend this address's visits. Its scripts could not read the token either.
  if (!isOwnPages(request)) return empty(403);
  try {
    const take = await processServices().limiter.visit(exchange.address ?? "");
    if (!take.allowed) throw new Refusal({ kind: "throttled", retryAfter: take.retryAfter });
    const api = apiCaller(anonymousContext(exchange.now));
    return json(200, await api.sandbox.visit());
  } catch (error) {
    const reason = refusalOf(error);
    if (reason) return refused(reason, exchange);
    logFailure(error, "a request failed", exchange.requestId);
    return empty(500);
  }
}

/** Reports whether one of our own pages sent the request: browsers say so themselves or, over plain http, name the origin. */
function isOwnPages({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return parsedUrl(headers.get("origin") ?? "")?.host === headers.get("host");
}
