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
      return connected(page, outcome);
    case "link_ended":
      return linkEndedPage(page);
    case "elsewhere":
      return elsewherePage(page);
    case "other_account":
      return otherAccountPage(page);
    default:
      return outcome satisfies never;
  }
}

type Connected = Extract<ConnectResult, { code: string }>;

/** Returns to the application with the code, by a page that says so first where the application wants one. */
function connected({ application, request }: OpenedRequest, { kind, code }: Connected): PageOrRedirect {
  const back = responseUri(request, { code });
  if (!application.connectSuccessPage) return { to: back };
  const screen = { kind: "connected", application: application.name, isPending: kind === "pending", back } as const;
  return { screen, status: 200, locale: request.locale, branding: application.branding };
}

export function noteDown({ requestId }: Exchange, provider: Connectable, detail: string): void {
  const facts = { requestId: loggable(requestId), provider: providerName(env().WIRE_NAMES, provider), detail };
  log({ module: "http" }).warn(facts, "a provider could not be asked from the connect page");
}

/** Builds the page on which the user can connect another calendar account, because the link token is still good. */
function elsewherePage({ application, request, signed, joins }: OpenedRequest): ShownPage {
  const another = offerLink({ application, request, signed, offer: null });
  const back = backLink(request, "elsewhere");
  const screen = { kind: "elsewhere", application: application.name, joins: joins ?? "", another, back } as const;
  return { screen, status: 400, locale: request.locale, branding: application.branding, error: "already_connected" };
}

/** Builds the page on which the user can sign in with the account of the reconnect link, which is still good. */
function otherAccountPage({ application, request, signed, reconnects }: OpenedRequest): ShownPage {
  const another = offerLink({ application, request, signed, offer: null });
  const back = backLink(request, "other_account");
  const account = reconnects?.name ?? "";
  const screen = { kind: "other_account", application: application.name, account, another, back } as const;
  return { screen, status: 400, locale: request.locale, branding: application.branding, error: "other_account" };
}
