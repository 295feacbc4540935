import { db } from "@/server/db/client";
import type { Connectable } from "@/server/domain/wire-names";
import { providerNamed } from "@/server/domain/wire-names";
import { browserCookie } from "@/server/http/connect/browser";
import type { Shown } from "@/server/http/connect/endpoint";
import { cancelLink, openSigned, providerLink, staleScreen } from "@/server/http/connect/links";
import type { Exchange } from "@/server/http/exchange";
import { type AskingApplication, type ConnectRequest, readConnectRequest } from "@/server/services/connect/request";
import { offeredProviders } from "@/server/services/connect/sign-in";
import { signRequest } from "@/server/services/connect/signed-request";

/** GET /oauth/authorize: the choice of providers, the form of one, the way back to the application, or the page for links that lead nowhere. */
export async function askedByLink(exchange: Exchange): Promise<Shown> {
  const query = exchange.url.searchParams;
  const signed = query.get("request");
  if (signed !== null && !query.has("client_id")) return continued(exchange, signed);
  const reading = await readConnectRequest(db(), query, exchange.now);
  if (reading.kind === "unusable") {
    const screen = { kind: "unusable", reason: reading.reason } as const;
    return { screen, status: 400, locale: query.get("locale") };
  }
  noteApplication(exchange, reading.application);
  if (reading.kind === "refused") return { to: reading.uri };
  return opened(exchange, reading);
}

/** A link of our own page: it carries a request that was read before. */
async function continued(exchange: Exchange, signed: string): Promise<Shown> {
  const found = await openSigned(exchange, signed);
  if (found.kind === "unusable") {
    return { screen: { kind: "unusable", reason: found.reason }, status: 400, locale: null };
  }
  const { application, request } = found;
  noteApplication(exchange, application);
  if (found.kind === "stale") {
    return { screen: staleScreen(application.name, request), status: 400, locale: request.locale };
  }
  const provider = providerNamed(exchange.url.searchParams.get("provider_name") ?? "");
  return opened(exchange, { application, request, provider });
}

interface Asked {
  application: AskingApplication;
  request: ConnectRequest;
  provider: Connectable | null;
}

function opened(exchange: Exchange, { application, request, provider }: Asked): Shown {
  const offered = offeredProviders();
  const cookie = browserCookie(exchange.request).renew();
  const signed = signRequest(request, { browser: cookie.value, now: exchange.now });
  const shown = { status: 200, locale: request.locale, headers: { "set-cookie": cookie.header } };
  const cancel = cancelLink(request);
  const link = (named: Connectable | null) => providerLink({ request, signed, provider: named });
  if (provider && offered.includes(provider)) {
    const others = offered.length > 1 ? link(null) : null;
    const form = { application: application.name, provider, signed, username: "", trouble: null, others, cancel };
    return { ...shown, screen: { kind: "sign_in", ...form } };
  }
  const providers = offered.map((each) => ({ provider: each, href: link(each) }));
  return { ...shown, screen: { kind: "choose", application: application.name, providers, cancel } };
}

function noteApplication(exchange: Exchange, { id, plan }: AskingApplication): void {
  exchange.applicationId = id;
  exchange.plan = plan;
}
