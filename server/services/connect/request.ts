import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type Access, isLessAccess } from "@/server/domain/access";
import type { Branding } from "@/server/domain/branding/branding";
import { isKnownScope } from "@/server/domain/grants";
import type { AuthorizeError } from "@/server/domain/oauth-errors";
import { isAtOtherPort } from "@/server/domain/redirect-uri";
import { type RefusedRequest, responseUri } from "@/server/domain/response-uri";
import { isFaulty } from "@/server/domain/text";
import { type CaldavServer, type Offer, offerNamed, offerOfProfile } from "@/server/providers/offers";
import { applicationOfClient } from "@/server/services/connect/connect.sql";
import { openLinkToken, type ReconnectedProfile } from "@/server/store/link-tokens/link-tokens";

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
  /** The page says that the application may change events that others created. */
  foreignEdits: boolean;
  /** A reconnect link asks for what its profile has. */
  access: Access;
}

export interface AskingApplication {
  id: string;
  name: string;
  plan: "developer" | "standard";
  servers: CaldavServer[];
  branding: Branding | null;
  editForeignEvents: boolean;
  publicClient: boolean;
  selfRegistered: boolean;
  mcpWrites: boolean;
  connectSuccessPage: boolean;
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
  /** The account that the link token adds a calendar account to. */
  joins: string | null;
  /** The profile that the link token reconnects: it joins nothing then. */
  reconnects: ReconnectedProfile | null;
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
  "access",
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
 * the user, and one for a reconnect link is that of its profile. Parameters without a value count as omitted (RFC 6749 §3.1);
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
  const refuse = (refused: RefusedRequest): UnreadRequest => {
    const uri = responseUri({ redirectUri, state }, refused);
    return { kind: "refused", application, error: refused.error, uri };
  };
  const refused = refusalOf(values);
  if (refused) return refuse(refused);
  const lacksChallenge = application.publicClient && codeChallenge === null;
  if (lacksChallenge && !token) return refuse({ error: "invalid_request", because: "no_code_challenge" });
  const requestFor = (access: Access): ConnectRequest => ({
    ...{ clientId, redirectUri, state, scope, codeChallenge, linkToken: null, locale, access },
    foreignEdits: application.editForeignEvents && access === "full",
  });
  // Nobody has looked at a client that registered itself: it reads, until an administrator lets its assistants write.
  const most = application.selfRegistered && !application.mcpWrites ? "read" : "full";
  const request = requestFor(values.access !== null && isLessAccess(values.access) ? values.access : most);
  const named = { provider: values.provider_name ?? "", server: values.caldav_server ?? "" };
  const offer = offerNamed(application, named);
  if (!token) return { kind: "valid", application, request, offer, joins: null, reconnects: null };
  const link = await openLinkToken(db.query, { token, applicationId: application.id, now });
  if (!link) return { kind: "link_ended", application, request };
  const linkToken = link.hash.toString("base64url");
  const { reconnects } = link;
  // A reconnect link is complete without an exchange, and a public client cannot exchange its code.
  if (lacksChallenge && !reconnects) return refuse({ error: "invalid_request", because: "no_code_challenge" });
  const linked = { kind: "valid", application, reconnects } as const;
  if (!reconnects) return { ...linked, request: { ...request, linkToken }, offer, joins: link.name };
  return {
    ...linked,
    request: { ...requestFor(reconnects.access), linkToken },
    offer: offerOfProfile(application, reconnects),
    joins: null,
  };
}

export type ApplicationOrProblem =
  | { kind: "found"; application: AskingApplication; clientId: string; redirectUri: string }
  | { kind: "unusable"; reason: "client" | "disabled" | "redirect_uri"; application: AskingApplication | null };

/**
 * Loads the application of a client id if the redirect URI is exactly one that it registered or, on the user's own
 * machine, that of a public client at another port.
 */
export async function askingApplication(
  db: Database,
  { clientId, redirectUri }: { clientId: string | null; redirectUri: string | null },
): Promise<ApplicationOrProblem> {
  const unknown = { kind: "unusable", reason: "client", application: null } as const;
  if (!clientId || isFaulty(clientId)) return unknown;
  const uri = redirectUri && !isFaulty(redirectUri) ? redirectUri : null;
  const [found] = await run(db.query, applicationOfClient, [clientId, uri]);
  if (!found) return unknown;
  const { registered, loopbackUris, isDisabled, ...application } = found;
  if (isDisabled) return { kind: "unusable", reason: "disabled", application };
  const isRegistered = registered || (uri !== null && loopbackUris.some((one) => isAtOtherPort(uri, one)));
  if (uri === null || !isRegistered) return { kind: "unusable", reason: "redirect_uri", application };
  return { kind: "found", application, clientId, redirectUri: uri };
}

function refusalOf(given: ConnectParameters): RefusedRequest | null {
  if (given.response_type !== "code") return { error: "unsupported_response_type" };
  if (given.scope !== null && !isKnownScope(given.scope)) return { error: "invalid_scope" };
  if (given.access !== null && !isLessAccess(given.access)) return { error: "invalid_request", because: "access" };
  // RFC 7636 §4.4.1. An omitted method means `plain`, which is no protection against somebody who reads the request.
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (challenge !== null && (method !== "S256" || !S256_CHALLENGE.test(challenge)))
    return { error: "invalid_request", because: "code_challenge" };
  return null;
}
