import type { Connectable } from "@/server/domain/providers";
import { backLink, providerLink } from "@/server/http/connect/links";
import type { RequestSummary, ReturnTrouble, Screen, Trouble } from "@/server/http/connect/screen";
import type { ShownPage } from "@/server/http/connect/shown-page";
import { offeredProviders, standInHost } from "@/server/providers/offered";
import type { OpenedRequest } from "@/server/services/connect/resume";

export interface FormInput extends OpenedRequest {
  provider: Connectable;
  username: string;
  trouble: Trouble | null;
}

/** The form of a provider. Its way ends at the redirect URI, which the page's policy has to let through. */
export function formPage({ application, request, joins, signed, provider, username, trouble }: FormInput) {
  const others = offeredProviders().length > 1 ? providerLink({ request, signed, provider: null }) : null;
  const asking = requestSummary({ application, request, joins });
  const screen = { kind: "sign_in", ...asking, provider, signed, username, trouble, others } satisfies Screen;
  return { screen, status: 200, locale: request.locale, formEnds: request.redirectUri };
}

export interface ChoiceInput extends OpenedRequest {
  providers: readonly Connectable[];
  trouble: ReturnTrouble | null;
}

/** The choice of providers. */
export function choicePage({ application, request, joins, signed, providers, trouble }: ChoiceInput): ShownPage {
  const offered = providers.map((provider) => ({ provider, href: providerLink({ request, signed, provider }) }));
  const screen = {
    kind: "choose",
    providers: offered,
    trouble,
    ...requestSummary({ application, request, joins }),
  } as const;
  return { screen, status: 200, locale: request.locale };
}

/** What the choice and the form have in common. */
function requestSummary({ application, request, joins }: Omit<OpenedRequest, "signed">): RequestSummary {
  return { application: application.name, joins, server: standInHost(), cancel: backLink(request, "cancelled") };
}
