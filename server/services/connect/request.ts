import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Branding } from "@/server/domain/branding/branding";
import { isKnownScope } from "@/server/domain/grants";
import type { AuthorizeError } from "@/server/domain/oauth-errors";
import { responseUri } from "@/server/domain/response-uri";
import { isFaulty } from "@/server/domain/text";
import { type CaldavServer, type Offer, offerNamed } from "@/server/providers/offers";
import { applicationOfClient } from "@/server/services/connect/connect.sql";
import { openLinkToken } from "@/server/store/link-tokens/link-tokens";

/** An application's authorization request after every check ("GET {app_url}/oauth/authorize"). */
export interface ConnectRequest {
  clientId: string;
  redirectUri: string;
  state: string | null;
  scope: string | null;
  /** The S256 challenge of RFC 7636. */
  codeChallenge: string | null;
  /** SHA-256 of the link token, in base64url. */
  linkToken: string | null;
  locale: string | null;
}

export interface AskingApplication {
  id: string;
  name: string;
  plan: "developer" | "standard";
  servers: CaldavServer[];
  branding: Branding | null;
}

/** Why a response can be sent to nobody. */
export type UnusableReason = "repeated" | "client" | "disabled" | "redirect_uri";

export type UnreadRequest =
  /** `application`: the owner of the client id, if there is one. */
  | { kind: "unusable"; reason: UnusableReason; application: AskingApplication | null }
  | { kind: "refused"; application: AskingApplication; error: AuthorizeError; uri: string }
  /** The link token is no longer valid, or never was. */
  | { kind: "link_ended"; application: AskingApplication; request: ConnectRequest };

export interface ValidRequest {
  kind: "valid";
  application: AskingApplication;
  request: ConnectRequest;
  offer: Offer | null;
  joins: string | null;
}

export const parameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "provider_name",
  "caldav_server",
  "link_token",
  "code_challenge",
  "code_challenge_method",
  "locale",
] as const;
type ConnectParameters = Record<(typeof parameters)[number], string | null>;

const S256_CHALLENGE = /^[\w-]{43}$/;

/**
 * Reads the query of an authorization request. `unusable`: client or redirect URI are not registered, the application
 * is disabled, or a parameter is repeated (RFC 6749 §3.1): nothing is redirected. `refused`: the URI that takes the
 * error to the application, with its state. `offer` is what the application named; an unknown name leaves the choice to
 * the user. `joins` names the account of the link token. Parameters without a value count as omitted (RFC 6749 §3.1);
 * undocumented ones are ignored. `now` in milliseconds since 1970.
 */
export async function readConnectRequest(
  db: Database,
  query: URLSearchParams,
  now: number,
): Promise<UnreadRequest | ValidRequest> {
  if (parameters.some((name) => query.getAll(name).length > 1)) {
    return { kind: "unusable", reason: "repeated", application: null };
  }
  const values = Object.fromEntries(parameters.map((name) => [name, query.get(name) || null])) as ConnectParameters;
  const asking = await askingApplication(db, { clientId: values.client_id, redirectUri: values.redirect_uri });
  if (asking.kind === "unusable") return asking;
  const { application, clientId, redirectUri } = asking;
  const { state, scope, locale, code_challenge: codeChallenge, link_token: token } = values;
  const error = errorOf(values);
  if (error) return { kind: "refused", application, error, uri: responseUri({ redirectUri, state }, { error }) };
  const request = { clientId, redirectUri, state, scope, codeChallenge, linkToken: null, locale };
  const named = { provider: values.provider_name ?? "", server: values.caldav_server ?? "" };
  const offer = offerNamed(application, named);
  if (!token) return { kind: "valid", application, request, offer, joins: null };
  const link = await openLinkToken(db.query, { token, applicationId: application.id, now });
  if (!link) return { kind: "link_ended", application, request };
  const linked = { ...request, linkToken: link.hash.toString("base64url") };
  return { kind: "valid", application, request: linked, offer, joins: link.name };
}

export type ApplicationOrProblem =
  | { kind: "found"; application: AskingApplication; clientId: string; redirectUri: string }
  | { kind: "unusable"; reason: "client" | "disabled" | "redirect_uri"; application: AskingApplication | null };

/** Loads the application of a client id if the redirect URI is exactly one that it registered. */
export async function askingApplication(
  db: Database,
  { clientId, redirectUri }: { clientId: string | null; redirectUri: string | null },
): Promise<ApplicationOrProblem> {
  const unknown = { kind: "unusable", reason: "client", application: null } as const;
  if (!clientId || isFaulty(clientId)) return unknown;
  const uri = redirectUri && !isFaulty(redirectUri) ? redirectUri : null;
  const [found] = await run(db.query, applicationOfClient, [clientId, uri]);
  if (!found) return unknown;
  const { registered, isDisabled, ...application } = found;
  if (isDisabled) return { kind: "unusable", reason: "disabled", application };
  if (uri === null || !registered) return { kind: "unusable", reason: "redirect_uri", application };
  return { kind: "found", application, clientId, redirectUri: uri };
}

function errorOf(given: ConnectParameters): Exclude<AuthorizeError, "access_denied"> | null {
  if (given.response_type !== "code") return "unsupported_response_type";
  if (given.scope !== null && !isKnownScope(given.scope)) return "invalid_scope";
  // RFC 7636 §4.4.1. An omitted method means `plain`, which is no protection against somebody who reads the request.
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (challenge !== null && (method !== "S256" || !S256_CHALLENGE.test(challenge))) return "invalid_request";
  return null;
}
