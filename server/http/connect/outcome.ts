import type { Connectable } from "@/server/domain/providers";
import { responseUri } from "@/server/domain/response-uri";
import { providerName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { backLink, linkEndedPage, offerLink } from "@/server/http/connect/links";
import type { PageOrRedirect, ShownPage } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { loggable } from "@/server/http/redaction/secrets";
import { log } from "@/server/log";
import type { ConnectResult } from "@/server/services/connect/connect-account";
import type { OpenedRequest } from "@/server/services/connect/open";

/**
 * Returns what a user sees once the provider has let them in: the application again, or why their calendar cannot be
 * added.
 */
export function connectedOrNot(exchange: Exchange, page: OpenedRequest, outcome: ConnectResult): PageOrRedirect {
  switch (outcome.kind) {
    case "connected":
    case "pending":
      exchange.accountId = outcome.accountId;
      return { to: responseUri(page.request, { code: outcome.code }) };
    case "link_ended":
      return linkEndedPage(page);
    case "elsewhere":
      return elsewherePage(page);
    default:
      return outcome satisfies never;
  }
}

export function noteDown({ requestId }: Exchange, provider: Connectable, detail: string): void {
  const facts = { requestId: loggable(requestId), provider: providerName(env().WIRE_NAMES, provider), detail };
  log({ module: "http" }).warn(facts, "a provider could not be asked from the connect page");
}

/** Builds the page on which the user can connect another calendar account, because the link token is still good. */
function elsewherePage({ application, request, signed, joins }: OpenedRequest): ShownPage {
  const another = offerLink({ request, signed, offer: null });
  const back = backLink(request, "elsewhere");
  const screen = { kind: "elsewhere", application: application.name, joins: joins ?? "", another, back } as const;
  return { screen, status: 400, locale: request.locale, branding: application.branding, error: "already_connected" };
}
