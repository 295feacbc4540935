import { accessParameter } from "@/server/domain/access";
import { type DeniedBecause, responseUri } from "@/server/domain/response-uri";
import { providerName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { languages } from "@/server/http/connect/language";
import type { LanguageLinks } from "@/server/http/connect/screen";
import type { ShownPage } from "@/server/http/connect/shown-page";
import { APPLICATION_DISABLED } from "@/server/http/responses";
import type { Offer } from "@/server/providers/offers";
import type { EndedRequest, LinkedRequest } from "@/server/services/connect/open";
import type { AskingApplication, ConnectRequest } from "@/server/services/connect/request";

const CONNECT_PATH = "/oauth/authorize";

/** Builds the page for a request of ours that leads no further. */
export function endedPage(found: EndedRequest): ShownPage {
  switch (found.kind) {
    case "unusable":
      return unusablePage(found, null);
    case "stale":
      return stalePage(found);
    case "link_ended":
      return linkEndedPage(found);
    default:
      return found satisfies never;
  }
}

/** Names of errors as the request log keeps them: RFC 6749's where it has one. */
const unusableErrors = {
  client: "invalid_client",
  disabled: APPLICATION_DISABLED,
  redirect_uri: "redirect_uri_mismatch",
  repeated: "invalid_request",
  form: "invalid_request",
  sign_in: "invalid_request",
} as const;

interface UnusablePage {
  reason: keyof typeof unusableErrors;
  application: AskingApplication | null;
}

export function unusablePage({ reason, application }: UnusablePage, locale: string | null) {
  const screen = { kind: "unusable", reason, application: application?.name ?? null } as const;
  const { branding = null } = application ?? {};
  return { screen, status: 400, locale, branding, error: unusableErrors[reason] };
}

function stalePage({ application, request }: LinkedRequest) {
  const again = request.linkToken === null ? firstLink(request, {}) : null;
  const screen = { kind: "stale", application: application.name, again, back: backLink(request, "cancelled") } as const;
  return { screen, status: 400, locale: request.locale, branding: application.branding, error: "page_expired" };
}

export function linkEndedPage({ application, request }: LinkedRequest) {
  const screen = { kind: "link_ended", application: application.name, back: backLink(request, "link_ended") } as const;
  return { screen, status: 400, locale: request.locale, branding: application.branding, error: "invalid_link_token" };
}

/** Links back to the application without having connected anything. */
export function backLink(request: ConnectRequest, because: DeniedBecause): string {
  return responseUri(request, { error: "access_denied", because });
}

/**
 * Links to this page again, for one offer or for the choice. A link token expires soon, so a page that has one passes
 * its request on signed, and so does one that has said what else the application may change, or that nobody knows it.
 */
export function offerLink(page: LinkedRequest & { signed: string; offer: Offer | null }): string {
  return linkWith(page, page.offer === null ? {} : nameOf(page.offer));
}

/** Links to the same page in each language. */
export function languageLinks(page: LinkedRequest & { signed: string; offer: Offer | null }): LanguageLinks {
  const named = page.offer === null ? {} : nameOf(page.offer);
  const links = languages.map((locale) => [locale, linkWith(page, { ...named, locale })]);
  return Object.fromEntries(links);
}

function linkWith({ application, request, signed }: LinkedRequest & { signed: string }, more: Record<string, string>) {
  const { linkToken, foreignEdits } = request;
  if (linkToken === null && !foreignEdits && !application.selfRegistered) return firstLink(request, more);
  return link({ request: signed, ...more });
}

function nameOf({ provider, server }: Offer): Record<string, string> {
  return server ? { caldav_server: server.id } : { provider_name: providerName(env().WIRE_NAMES, provider) };
}

/** Rebuilds the link that led here, without a link token. */
function firstLink(request: ConnectRequest, more: Record<string, string>): string {
  return link({
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scope,
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallenge && "S256",
    locale: request.locale,
    ...accessParameter(request.access),
    ...more,
  });
}

function link(parameters: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value);
  return `${CONNECT_PATH}?${query}`;
}
