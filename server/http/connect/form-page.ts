import { backLink, offerLink } from "@/server/http/connect/links";
import type { RequestSummary, ReturnTrouble, Screen, Trouble } from "@/server/http/connect/screen";
import type { ShownPage } from "@/server/http/connect/shown-page";
import { standInHost } from "@/server/providers/offered";
import { type Offer, offersOf } from "@/server/providers/offers";
import type { OpenedRequest } from "@/server/services/connect/open";

export interface FormInput extends OpenedRequest {
  offer: Offer;
  username: string;
  trouble: Trouble | null;
}

/**
 * Builds the form of a provider. Submitting it ends at the redirect URI, which the page's policy has to let through.
 */
export function formPage({ application, request, joins, signed, offer, username, trouble }: FormInput) {
  const others = offersOf(application).length > 1 ? offerLink({ request, signed, offer: null }) : null;
  const { provider, server } = offer;
  const screen = {
    ...{
      kind: "sign_in",
      ...requestSummary({ application, request, joins }),
      provider,
      signed,
      username,
      trouble,
      others,
    },
    ...{ server: serverName(offer), serverId: server?.id ?? null, help: server?.help ?? null },
  } satisfies Screen;
  const { branding } = application;
  return { screen, status: 200, locale: request.locale, branding, formEnds: request.redirectUri };
}

export interface ChoiceInput extends OpenedRequest {
  offers: readonly Offer[];
  trouble: ReturnTrouble | null;
}

/** Builds the choice of providers. */
export function choicePage({ application, request, joins, signed, offers, trouble }: ChoiceInput): ShownPage {
  const offered = offers.map((offer) => ({
    ...{ provider: offer.provider, name: serverName(offer), href: offerLink({ request, signed, offer }) },
  }));
  const screen = {
    kind: "choose",
    providers: offered,
    trouble,
    ...requestSummary({ application, request, joins }),
  } as const;
  return { screen, status: 200, locale: request.locale, branding: application.branding };
}

/** Returns what the choice and the form have in common. */
function requestSummary({ application, request, joins }: Omit<OpenedRequest, "signed">): RequestSummary {
  return { application: application.name, joins, cancel: backLink(request, "cancelled") };
}

/**
 * Names a server that is not known by its provider's name: the application's name for it, or the host that stands in
 * for iCloud's.
 */
function serverName({ provider, server }: Offer): string | null {
  return server?.name ?? (provider === "icloud" ? standInHost() : null);
}
