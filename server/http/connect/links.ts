import { db } from "@/server/db/client";
import type { Connectable } from "@/server/domain/providers";
import { providerName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { browserCookie } from "@/server/http/connect/browser";
import type { ShownPage } from "@/server/http/connect/shown-page";
import type { Exchange } from "@/server/http/exchange";
import { answerUri, type DeniedBecause } from "@/server/services/connect/answer-uri";
import { type AskingApplication, askingApplication, type ConnectRequest } from "@/server/services/connect/request";
import { openRequest } from "@/server/services/connect/signed-request";
import { linkedAccount } from "@/server/store/link-tokens/link-tokens";

export const CONNECT_PATH = "/oauth/authorize";

interface LinkedRequest {
  application: AskingApplication;
  request: ConnectRequest;
}

export type OpenedPage =
  /** `joins`: the account of the link token, where there is one. */
  | ({ kind: "open"; joins: string | null } & LinkedRequest)
  | ({ kind: "stale" | "link_ended" } & LinkedRequest)
  | { kind: "unusable"; reason: "form" | "client" | "redirect_uri"; application: AskingApplication | null };

/** The request that one of our pages carried, when its application, redirect URI and link token still stand. */
export async function openSigned(exchange: Exchange, signed: string): Promise<OpenedPage> {
  const browser = browserCookie(exchange.request).known;
  const read = openRequest(signed, { browser, now: exchange.now });
  if (read.kind === "broken") return { kind: "unusable", reason: "form", application: null };
  const found = await askingApplication(db(), read.request);
  if (found.kind === "unusable") return found;
  const { application } = found;
  const { request } = read;
  if (read.kind === "stale") return { kind: "stale", application, request };
  if (request.linkToken === null) return { kind: "open", application, request, joins: null };
  const hash = Buffer.from(request.linkToken, "base64url");
  const linked = await linkedAccount(db().query, { hash, applicationId: application.id, now: exchange.now });
  return linked
    ? { kind: "open", application, request, joins: linked.name }
    : { kind: "link_ended", application, request };
}

/** The page for a request of ours that leads no further. */
export function endedPage(found: Exclude<OpenedPage, { kind: "open" }>): ShownPage {
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
  redirect_uri: "redirect_uri_mismatch",
  repeated: "invalid_request",
  form: "invalid_request",
} as const;

interface UnusablePage {
  reason: keyof typeof unusableErrors;
  application: AskingApplication | null;
}

export function unusablePage({ reason, application }: UnusablePage, locale: string | null) {
  const screen = { kind: "unusable", reason, application: application?.name ?? null } as const;
  return { screen, status: 400, locale, error: unusableErrors[reason] };
}

function stalePage({ application, request }: LinkedRequest) {
  const again = request.linkToken === null ? firstLink(request, {}) : null;
  const screen = { kind: "stale", application: application.name, again, back: backLink(request, "cancelled") } as const;
  return { screen, status: 400, locale: request.locale, error: "page_expired" };
}

export function linkEndedPage({ application, request }: LinkedRequest) {
  const screen = { kind: "link_ended", application: application.name, back: backLink(request, "link_ended") } as const;
  return { screen, status: 400, locale: request.locale, error: "invalid_link_token" };
}

/** Back to the application without having connected anything. */
export function backLink(request: ConnectRequest, because: DeniedBecause): string {
  return answerUri(request, { error: "access_denied", because });
}

/** This page again, for one provider or for the choice. A link token is over soon, so a page that has one passes its request on signed. */
export function providerLink(asked: { request: ConnectRequest; signed: string; provider: Connectable | null }): string {
  const named = asked.provider && { provider_name: providerName(env().WIRE_NAMES, asked.provider) };
  if (asked.request.linkToken === null) return firstLink(asked.request, named ?? {});
  return link({ request: asked.signed, ...named });
}

/** The link that led here, without a link token. */
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
    ...more,
  });
}

function link(parameters: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value);
  return `${CONNECT_PATH}?${query}`;
}
