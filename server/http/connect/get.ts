import { providerTraits } from "@/server/domain/providers";
import { type ConnectCaller, connectApiFor, noteApplication } from "@/server/http/connect/caller";
import { choicePage, formPage, offersFor } from "@/server/http/connect/form-page";
import { endedPage, linkEndedPage, unusablePage } from "@/server/http/connect/links";
import type { PageOrRedirect } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { type Offer, offerNamed } from "@/server/providers/offers";
import type { OpenedRequest } from "@/server/services/connect/open";

/**
 * Serves GET /oauth/authorize: the choice of providers, the form of one, the way to a provider, the way back to the
 * application, or a page for links that lead nowhere.
 */
export async function openPage(exchange: Exchange): Promise<PageOrRedirect> {
  const query = exchange.url.searchParams;
  const signed = query.get("request");
  if (signed !== null && !query.has("client_id")) return continued(exchange, signed);
  const connect = connectApiFor(exchange);
  const reading = await connect.api.open(query);
  noteApplication(exchange, reading);
  switch (reading.kind) {
    case "unusable":
      return unusablePage(reading, query.get("locale"));
    case "refused":
      return { to: reading.uri, error: reading.error };
    case "link_ended":
      return linkEndedPage(reading);
    case "valid":
      return opened(exchange, reading, connect);
    default:
      return reading satisfies never;
  }
}

/** Continues from a link of our own page, which carries a request that was read before. */
async function continued(exchange: Exchange, signed: string): Promise<PageOrRedirect> {
  const connect = connectApiFor(exchange);
  const query = exchange.url.searchParams;
  const found = await connect.api.resume({ signed, locale: query.get("locale") });
  noteApplication(exchange, found);
  if (found.kind !== "open") return endedPage(found);
  const named = { provider: query.get("provider_name") ?? "", server: query.get("caldav_server") ?? "" };
  return opened(exchange, { ...found, offer: offerNamed(found.application, named) }, connect);
}

async function opened(
  exchange: Exchange,
  page: OpenedRequest & { offer: Offer | null },
  { api, setCookie }: ReturnType<typeof connectApiFor>,
): Promise<PageOrRedirect> {
  const { offer, ...choice } = page;
  const shown = offer
    ? await signInAt(exchange, { ...choice, offer }, api)
    : choicePage({ ...choice, offers: offersFor(choice), trouble: null });
  return { ...shown, headers: { ...shown.headers, "set-cookie": setCookie } };
}

async function signInAt(
  exchange: Exchange,
  current: OpenedRequest & { offer: Offer },
  api: ConnectCaller,
): Promise<PageOrRedirect> {
  const { offer } = current;
  const { provider } = offer;
  if (providerTraits[provider].signIn === "password")
    return formPage({ ...current, username: current.reconnects?.name ?? "", trouble: null });
  // Nobody leaves for a provider before this page has named the account that their calendar is added to, or that they have to sign in with, and
  // said what else may be changed, or that nobody knows who asks.
  const isFirst = exchange.url.searchParams.has("client_id");
  const { joins, reconnects, request, application } = current;
  const hasToSay = joins !== null || reconnects !== null || request.foreignEdits || application.selfRegistered;
  if ((isFirst && hasToSay) || exchange.request.method === "HEAD") {
    return choicePage({ ...current, offers: [offer], trouble: null });
  }
  const take = await processServices().limiter.signIn(null, exchange.address ?? "");
  if (!take.allowed) {
    const offers = offersFor(current);
    const page = choicePage({ ...current, offers, trouble: { provider, trouble: "too_many" } });
    return { ...page, status: 429, headers: { "retry-after": String(take.retryAfter) } };
  }
  const begun = await api.beginOAuth({ signed: current.signed, provider });
  return begun.kind === "begun" ? { to: begun.url } : endedPage(begun);
}
