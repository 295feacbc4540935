import type { Database } from "@/server/db/client";
import { isFaulty } from "@/server/domain/text";
import { type Connectable, providerNamed } from "@/server/domain/wire-names";
import { answerUri } from "@/server/services/connect/answer-uri";
import { openLinkToken } from "@/server/services/link-tokens";

/** What an application asked for when it sent a person here, after every check ("GET {app_url}/oauth/authorize"). */
export interface ConnectRequest {
  clientId: string;
  redirectUri: string;
  state: string | null;
  scope: string | null;
  /** RFC 7636, S256. */
  codeChallenge: string | null;
  /** SHA-256 of the link token, in base64url. */
  linkToken: string | null;
  locale: string | null;
}

export interface AskingApplication {
  id: string;
  name: string;
  plan: "developer" | "standard";
}

/** Why there is nobody whom the answer could be sent to. */
export type Unusable = "repeated" | "client" | "redirect_uri";

export type Reading =
  | { kind: "unusable"; reason: Unusable }
  | { kind: "refused"; application: AskingApplication; uri: string }
  | { kind: "asked"; application: AskingApplication; request: ConnectRequest; provider: Connectable | null };

export const parameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "provider_name",
  "link_token",
  "code_challenge",
  "code_challenge_method",
  "locale",
] as const;
type Given = Record<(typeof parameters)[number], string | null>;

const SCOPE = /^[A-Za-z0-9_.:-]+(?: [A-Za-z0-9_.:-]+)*$/;
const S256_CHALLENGE = /^[\w-]{43}$/;

/**
 * Reads the query of an authorization request. `unusable`: client or redirect URI are not registered, or a parameter came twice
 * (RFC 6749 §3.1): nothing is redirected. `refused`: the URI that takes the error to the application, with its state. `provider` is the
 * one that the application named, in either vocabulary; an unknown name leaves the choice to the person. Parameters without a value count as
 * left out (RFC 6749 §3.1); those that are not documented are ignored. `now` in milliseconds since 1970.
 */
export async function readConnectRequest(db: Database, query: URLSearchParams, now: number): Promise<Reading> {
  if (parameters.some((name) => query.getAll(name).length > 1)) return { kind: "unusable", reason: "repeated" };
  const given = Object.fromEntries(parameters.map((name) => [name, query.get(name) || null])) as Given;
  const found = await askingApplication(db, { clientId: given.client_id, redirectUri: given.redirect_uri });
  if (typeof found === "string") return { kind: "unusable", reason: found };
  const { application, clientId, redirectUri } = found;
  const { state, scope, locale, code_challenge: codeChallenge, link_token } = given;
  const fault = faultOf(given);
  if (fault) return { kind: "refused", application, uri: answerUri({ redirectUri, state }, { error: fault }) };
  let linkToken: string | null = null;
  if (link_token) {
    const hash = await openLinkToken(db, { token: link_token, applicationId: application.id, now });
    if (!hash) {
      return { kind: "refused", application, uri: answerUri({ redirectUri, state }, { error: "access_denied" }) };
    }
    linkToken = hash.toString("base64url");
  }
  const request = { clientId, redirectUri, state, scope, codeChallenge, linkToken, locale };
  return { kind: "asked", application, request, provider: providerNamed(given.provider_name ?? "") };
}

/** The application of a client id, when the redirect URI is exactly one that it registered. */
export async function askingApplication(
  db: Database,
  { clientId, redirectUri }: { clientId: string | null; redirectUri: string | null },
): Promise<{ application: AskingApplication; clientId: string; redirectUri: string } | Unusable> {
  if (!clientId || isFaulty(clientId)) return "client";
  const uri = redirectUri && !isFaulty(redirectUri) ? redirectUri : null;
  const [found] = await db.query<AskingApplication & { registered: boolean }>(
    `SELECT a.id, a.name, a.plan, EXISTS (SELECT FROM redirect_uris r WHERE r.application_id = a.id AND r.uri = $2) AS registered
FROM applications a WHERE a.client_id = $1`,
    [clientId, uri],
  );
  if (!found) return "client";
  const { id, name, plan } = found;
  return uri && found.registered ? { application: { id, name, plan }, clientId, redirectUri: uri } : "redirect_uri";
}

function faultOf(given: Given): "unsupported_response_type" | "invalid_scope" | "invalid_request" | null {
  if (given.response_type !== "code") return "unsupported_response_type";
  if (given.scope !== null && !SCOPE.test(given.scope)) return "invalid_scope";
  // RFC 7636 §4.4.1. Left out, the method would be `plain`, which proves nothing to somebody who reads the request.
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (challenge !== null && (method !== "S256" || !S256_CHALLENGE.test(challenge))) return "invalid_request";
  return null;
}
