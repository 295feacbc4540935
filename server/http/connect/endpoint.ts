import { openPage } from "@/server/http/connect/get";
import { pickLanguage } from "@/server/http/connect/language";
import { pendingDigest } from "@/server/http/connect/pending-script";
import { submitForm } from "@/server/http/connect/post";
import { returnedFromProvider } from "@/server/http/connect/returned";
import type { ConnectView } from "@/server/http/connect/screen";
import type { PageOrRedirect } from "@/server/http/connect/shown-page";
import { countMaintenance, endpoint } from "@/server/http/endpoint";
import { closeExchange, type Exchange, openExchange } from "@/server/http/exchange";
import { logFailure } from "@/server/http/log-failure";
import { pageResponse } from "@/server/http/page";
import { empty, type HttpResponse, refusalOf } from "@/server/http/responses";
import { Refusal } from "@/server/services/refusal";
import { readOnlyFor } from "@/server/store/maintenance/maintenance";

export type Render = (view: ConnectView) => Promise<string>;

type Ask = (exchange: Exchange) => Promise<PageOrRedirect>;

/**
 * Builds the exports of the connect page's route.ts: GET opens it, and its form posts to the same path. `render`
 * returns the page's markup.
 */
export function connectEndpoint(render: Render) {
  const open = shownBy(openPage, render);
  return { ...endpoint([], "GET, HEAD, POST"), GET: open, HEAD: open, POST: shownBy(submitForm, render) };
}

/**
 * Builds the same exports for the page that providers send users back to. HEAD is left out: it would use up the
 * provider's code.
 */
export function callbackEndpoint(render: Render) {
  return { ...endpoint([], "GET"), GET: shownBy(returnedFromProvider, render) };
}

function shownBy(ask: Ask, render: Render) {
  return async (request: Request) => {
    const exchange = openExchange(request);
    const shown = await attempt(exchange, ask);
    exchange.errorKey = shown.error ?? null;
    return closeExchange(exchange, await respond(exchange, shown, render));
  };
}

async function attempt(exchange: Exchange, ask: Ask): Promise<PageOrRedirect> {
  try {
    const retryAfter = readOnlyFor(exchange.now);
    if (retryAfter !== null) throw new Refusal({ kind: "maintenance", scope: "service", retryAfter });
    return await ask(exchange);
  } catch (error) {
    const failed = { kind: "failed", requestId: exchange.requestId } as const;
    const reason = refusalOf(error);
    if (reason?.kind === "overloaded") {
      return { screen: failed, status: 503, locale: null, headers: { "retry-after": String(reason.retryAfter) } };
    }
    if (reason?.kind === "maintenance") {
      countMaintenance(exchange, reason);
      const headers = { "retry-after": String(reason.retryAfter) };
      const locale = exchange.url.searchParams.get("locale");
      return { screen: { kind: "maintenance" }, status: 503, locale, headers, error: reason.kind };
    }
    logFailure(error, "the connect page failed", exchange.requestId);
    return { screen: failed, status: 500, locale: null };
  }
}

/** A code travels in the address. */
const onTheWay = { "referrer-policy": "no-referrer", "cache-control": "no-store" };

async function respond(exchange: Exchange, shown: PageOrRedirect, render: Render): Promise<HttpResponse> {
  if ("to" in shown) return empty(302, { location: shown.to, ...onTheWay, ...shown.headers });
  const language = pickLanguage(shown.locale, exchange.request.headers.get("accept-language"));
  const markup = await render({ language, screen: shown.screen, branding: shown.branding ?? null });
  const form = shown.formEnds === undefined ? undefined : { ends: shown.formEnds, scriptDigest: pendingDigest };
  const { status, headers, body } = pageResponse(markup, shown.status, form);
  return { status, headers: { ...headers, "content-language": language, ...shown.headers }, body };
}
