import type { Connectable } from "@/server/domain/providers";
import { providerNamed } from "@/server/domain/wire-names";
import { connectApiFor, noteApplication } from "@/server/http/connect/caller";
import { askingOf, formPage } from "@/server/http/connect/form-page";
import { endedPage, linkEndedPage, providerLink, unusablePage } from "@/server/http/connect/links";
import type { Shown } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { offeredProviders } from "@/server/providers/offered";
import type { AskingApplication, ConnectRequest } from "@/server/services/connect/request";

/** GET /oauth/authorize: the choice of providers, the form of one, the way back to the application, or a page for links that lead nowhere. */
export async function askedByLink(exchange: Exchange): Promise<Shown> {
  const query = exchange.url.searchParams;
  const signed = query.get("request");
  if (signed !== null && !query.has("client_id")) return continued(exchange, signed);
  const { api, setCookie } = connectApiFor(exchange);
  const reading = await api.open(query);
  noteApplication(exchange, reading);
  switch (reading.kind) {
    case "unusable":
      return unusablePage(reading, query.get("locale"));
    case "refused":
      return { to: reading.uri, error: reading.error };
    case "link_ended":
      return linkEndedPage(reading);
    case "asked":
      return opened({ ...reading, setCookie });
    default:
      return reading satisfies never;
  }
}

/** A link of our own page: it carries a request that was read before. */
async function continued(exchange: Exchange, signed: string): Promise<Shown> {
  const { api, setCookie } = connectApiFor(exchange);
  const found = await api.resume(signed);
  noteApplication(exchange, found);
  if (found.kind !== "open") return endedPage(found);
  const provider = providerNamed(exchange.url.searchParams.get("provider_name") ?? "");
  return opened({ ...found, provider, setCookie });
}

interface OpenedRequest {
  application: AskingApplication;
  request: ConnectRequest;
  provider: Connectable | null;
  joins: string | null;
  /** The request as the page's form sends it back, from this browser alone. */
  signed: string;
  setCookie: string;
}

function opened({ application, request, provider, joins, signed, setCookie }: OpenedRequest): Shown {
  const offered = offeredProviders();
  const headers = { "set-cookie": setCookie };
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
