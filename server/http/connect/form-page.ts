import { backLink, languageLinks, offerLink } from "@/server/http/connect/links";
import type { RequestSummary, ReturnTrouble, Screen, Trouble } from "@/server/http/connect/screen";
import type { ShownPage } from "@/server/http/connect/shown-page";
import { serverName } from "@/server/providers/offered";
import { type Offer, offerOfProfile, offersOf } from "@/server/providers/offers";
import type { OpenedRequest } from "@/server/services/connect/open";

export interface FormInput extends OpenedRequest {
  offer: Offer;
  username: string;
  trouble: Trouble | null;
}

/**
 * Builds the form of a provider. Submitting it ends at the redirect URI, which the page's policy has to let through.
 */
export function formPage({ application, request, signed, offer, username, trouble, ...page }: FormInput) {
  const offers = offersFor({ application, ...page });
  const others = offers.length > 1 ? offerLink({ application, request, signed, offer: null }) : null;
  const { provider, server } = offer;
  const screen = {
    ...{
      kind: "sign_in",
      ...requestSummary({ application, request, signed, offer, ...page }),
      provider,
      signed,
      username,
      trouble,
      others,
    },
    ...{
      server: serverName(offer.provider, offer.server?.name),
      serverId: server?.id ?? null,
      help: server?.help ?? null,
    },
  } satisfies Screen;
  const { branding } = application;
  return { screen, status: 200, locale: request.locale, branding, formEnds: request.redirectUri };
}

export interface ChoiceInput extends OpenedRequest {
  offers: readonly Offer[];
  trouble: ReturnTrouble | null;
}

/** Builds the choice of providers. */
export function choicePage({ application, request, signed, offers, trouble, ...page }: ChoiceInput): ShownPage {
  const offered = offers.map((offer) => ({
    ...{
      provider: offer.provider,
      name: serverName(offer.provider, offer.server?.name),
      href: offerLink({ application, request, signed, offer }),
    },
  }));
  const screen = {
    kind: "choose",
    providers: offered,
    trouble,
    ...requestSummary({ application, request, signed, offer: null, ...page }),
  } as const;
  return { screen, status: 200, locale: request.locale, branding: application.branding };
}

/** Returns what the choice and the form have in common. */
function requestSummary(page: OpenedRequest & { offer: Offer | null }): RequestSummary {
  const { application, request, joins, reconnects } = page;
  const { access, foreignEdits } = request;
  const cancel = backLink(request, "cancelled");
  const account = { joins, reconnects: reconnects?.name ?? null };
  const returnsTo = application.selfRegistered ? new URL(request.redirectUri).host : null;
  return {
    application: application.name,
    access,
    foreignEdits,
    returnsTo,
    ...account,
    cancel,
    inLanguage: languageLinks(page),
  };
}

/** Lists what the user can choose: for a reconnect link the provider of its profile alone. */
export function offersFor({ application, reconnects }: Pick<OpenedRequest, "application" | "reconnects">): Offer[] {
  if (!reconnects) return offersOf(application);
  const offer = offerOfProfile(application, reconnects);
  return offer ? [offer] : [];
}
