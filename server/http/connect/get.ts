import { db } from "@/server/db/client";
import type { Connectable } from "@/server/domain/providers";
import { providerNamed } from "@/server/domain/wire-names";
import { browserCookie } from "@/server/http/connect/browser";
import { askingOf, formPage } from "@/server/http/connect/form-page";
import { endedPage, linkEndedPage, openSigned, providerLink, unusablePage } from "@/server/http/connect/links";
import type { Shown } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { type AskingApplication, type ConnectRequest, readConnectRequest } from "@/server/services/connect/request";
import { offeredProviders } from "@/server/services/connect/sign-in";
import { signRequest } from "@/server/services/connect/signed-request";

/** GET /oauth/authorize: the choice of providers, the form of one, the way back to the application, or a page for links that lead nowhere. */
export async function askedByLink(exchange: Exchange): Promise<Shown> {
  const query = exchange.url.searchParams;
  const signed = query.get("request");
  if (signed !== null && !query.has("client_id")) return continued(exchange, signed);
  const reading = await readConnectRequest(db(), query, exchange.now);
  if (reading.application) noteApplication(exchange, reading.application);
  switch (reading.kind) {
    case "unusable":
      return unusablePage(reading, query.get("locale"));
    case "refused":
      return { to: reading.uri, error: reading.error };
    case "link_ended":
      return linkEndedPage(reading);
    case "asked":
      return opened(exchange, reading);
    default:
      return reading satisfies never;
  }
}

/** A link of our own page: it carries a request that was read before. */
async function continued(exchange: Exchange, signed: string): Promise<Shown> {
  const found = await openSigned(exchange, signed);
  if (found.application) noteApplication(exchange, found.application);
  if (found.kind !== "open") return endedPage(found);
  return opened(exchange, { ...found, provider: providerNamed(exchange.url.searchParams.get("provider_name") ?? "") });
}

interface OpenedRequest {
  application: AskingApplication;
  request: ConnectRequest;
  provider: Connectable | null;
  joins: string | null;
}

function opened(exchange: Exchange, { application, request, provider, joins }: OpenedRequest): Shown {
  const offered = offeredProviders();
  const cookie = browserCookie(exchange.request).renew();
  const headers = { "set-cookie": cookie.header };
  const signed = signRequest(request, { browser: cookie.value, now: exchange.now });
  if (provider && offered.includes(provider)) {
    const form = { application, request, joins, signed, provider, username: "", trouble: null };
    return { ...formPage(form), headers };
  }
  const providers = offered.map((each) => ({
    provider: each,
    href: providerLink({ request, signed, provider: each }),
  }));
  const screen = { kind: "choose", providers, ...askingOf({ application, request, joins }) } as const;
  return { screen, status: 200, locale: request.locale, headers };
}

function noteApplication(exchange: Exchange, { id, plan }: AskingApplication): void {
  exchange.applicationId = id;
  exchange.plan = plan;
}
