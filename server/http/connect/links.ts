import { db } from "@/server/db/client";
import { type Connectable, wireName } from "@/server/domain/wire-names";
import { env } from "@/server/env";
import { browserCookie } from "@/server/http/connect/browser";
import type { Screen } from "@/server/http/connect/screen";
import type { Exchange } from "@/server/http/exchange";
import { answerUri } from "@/server/services/connect/answer-uri";
import { type AskingApplication, askingApplication, type ConnectRequest } from "@/server/services/connect/request";
import { openRequest } from "@/server/services/connect/signed-request";

export const CONNECT_PATH = "/oauth/authorize";

export type OpenedPage =
  | { kind: "open" | "stale"; application: AskingApplication; request: ConnectRequest }
  | { kind: "unusable"; reason: "form" | "client" | "redirect_uri" };

/** The request that one of our pages carried, when its application and redirect URI still stand. */
export async function openSigned(exchange: Exchange, signed: string): Promise<OpenedPage> {
  const browser = browserCookie(exchange.request).known;
  const read = openRequest(signed, { browser, now: exchange.now });
  if (read.kind === "broken") return { kind: "unusable", reason: "form" };
  const found = await askingApplication(db(), read.request);
  if (typeof found === "string") return { kind: "unusable", reason: found === "client" ? "client" : "redirect_uri" };
  return { kind: read.kind, application: found.application, request: read.request };
}

/** Back to the application without having connected anything. */
export function cancelLink(request: ConnectRequest): string {
  return answerUri(request, { error: "access_denied" });
}

/** This page again, for one provider or for the choice. A link token is over soon, so a page that has one passes its request on signed. */
export function providerLink(asked: { request: ConnectRequest; signed: string; provider: Connectable | null }): string {
  const named = asked.provider && { provider_name: wireName(env().WIRE_NAMES, asked.provider) };
  if (asked.request.linkToken === null) return firstLink(asked.request, named ?? {});
  return link({ request: asked.signed, ...named });
}

export function staleScreen(application: string, request: ConnectRequest): Screen {
  const again = request.linkToken === null ? firstLink(request, {}) : null;
  return { kind: "stale", application, again, back: cancelLink(request) };
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
