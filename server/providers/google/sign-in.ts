import type { Access } from "@/server/domain/access";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import { verdictOf } from "@/server/domain/provider-responses/verdicts";
import { cleaned } from "@/server/domain/text";
import type { EgressFetch } from "@/server/egress/fetch";
import { down } from "@/server/providers/ask-json";
import type { CalendarAccount, OAuthSignIn } from "@/server/providers/connector";
import type { GoogleEndpoints } from "@/server/providers/google/endpoints";
import { idTokenReader } from "@/server/providers/id-token";
import { textOf } from "@/server/providers/json-values";
import { challengeOf, unguessable } from "@/server/providers/pkce";
import {
  isRefusal,
  oauthWordsOf,
  postForm,
  type TokenIssuer,
  tokenIssuer,
  tokenOf,
} from "@/server/providers/token-endpoint";
import { verdictError } from "@/server/providers/verdict-fault";

export interface GoogleClient {
  clientId: string;
  clientSecret: string;
  endpoints: GoogleEndpoints;
  fetch: EgressFetch;
}

export const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
/** The least that lets Almanac list calendars, read changes of events and be notified of them (scopes of each method). */
export const CALENDAR_SCOPES: Record<Access, readonly string[]> = {
  full: [scope("calendar.events"), scope("calendar.calendarlist.readonly")],
  read: [scope("calendar.readonly")],
  free_busy: [scope("calendar.events.freebusy"), scope("calendar.calendarlist.readonly")],
};

/**
 * Signs users in with OAuth 2.0 for web server applications with PKCE (RFC 7636), and reads who has signed in by OpenID
 * Connect. The consent page is shown each time: without it Google gives no refresh token to a user who has consented
 * before ("Using OAuth 2.0 for Web Server Applications", prompt). The choice of accounts is shown each time, too:
 * without it nobody who is signed in with one account could connect another.
 */
export function googleSignIn(client: GoogleClient): Omit<OAuthSignIn, "as"> {
  const identity = identityReader(client);
  const issue = issuerOf(client);
  return {
    kind: "oauth",
    begin: ({ redirectUri, state, loginHint, access = "full" }) => {
      const [verifier, nonce] = [unguessable(), unguessable()];
      const query = {
        ...{ client_id: client.clientId, redirect_uri: redirectUri, response_type: "code", state, nonce },
        ...{ scope: ["openid", "email", "profile", ...CALENDAR_SCOPES[access]].join(" ") },
        ...{ access_type: "offline", prompt: "select_account consent" },
        ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256" },
        ...(loginHint && { login_hint: loginHint }),
      };
      const url = `${client.endpoints.authorization}?${new URLSearchParams(query)}`;
      return { url, secret: JSON.stringify({ verifier, nonce }) };
    },
    finish: async ({ redirectUri, query, secret, access = "full" }) => {
      if (query.get("error") === "access_denied") return { problem: "denied" };
      const code = query.get("code");
      if (code === null) return { problem: "expired" };
      const { verifier, nonce }: { verifier: string; nonce: string } = JSON.parse(secret);
      const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
      const issued = await issue("exchange_code", form);
      const { refresh_token } = issued;
      if (typeof refresh_token !== "string") throw down("no_refresh_token");
      const person = await identity(issued.id_token, nonce);
      const granted = { ...person, credential: refresh_token, token: tokenOf(issued) };
      return hasScopes(issued, access) ? granted : { problem: "missing_scope", granted };
    },
    takeOver: async (credential) => {
      const issued = await issue("renew_access", { grant_type: "refresh_token", refresh_token: credential });
      if (!hasScopes(issued, "full") || typeof issued.id_token !== "string") return { problem: "missing_scope" };
      return { ...(await identity(issued.id_token, null)), credential, token: tokenOf(issued) };
    },
    refresh: async (credential) => {
      const issued = await issue("renew_access", { grant_type: "refresh_token", refresh_token: credential });
      const { refresh_token } = issued;
      return {
        credential: typeof refresh_token === "string" ? refresh_token : credential,
        token: tokenOf(issued),
      };
    },
  };
}

/**
 * Reports whether a token allows what Almanac does with calendars. Each permission is a box of its own on the consent
 * page, which can be left empty. A client of its own may have asked for all of Google Calendar in one.
 */
function hasScopes({ scope: granted }: Record<string, unknown>, access: Access): boolean {
  const scopes = String(granted ?? "").split(" ");
  return scopes.includes(scope("calendar")) || CALENDAR_SCOPES[access].every((name) => scopes.includes(name));
}

/**
 * Ends the grant of a refresh token (RFC 7009). Google has one grant for a user and this service, so that every other token of the user
 * ends with it: ask for this only while no profile has the user's calendars. A grant that has ended already is fine.
 */
export async function revokeGrant({ endpoints, fetch }: GoogleClient, credential: string): Promise<void> {
  const { status, headers, body } = await postForm(fetch, endpoints.revocation, { token: credential });
  if (status === 200) return;
  const verdict = verdictOf(googleVerdicts, { request: "end_grant", status, words: oauthWordsOf(body) });
  if (verdict !== "done") throw verdictError(verdict, headers, `http_${status}`);
}

function issuerOf({ clientId: client_id, clientSecret: client_secret, endpoints, fetch }: GoogleClient) {
  const client = { client_id, client_secret };
  const issuer = tokenIssuer({ fetch, url: endpoints.token, client, rows: googleVerdicts });
  return async (...[request, form]: Parameters<TokenIssuer>): Promise<Record<string, unknown>> => {
    const outcome = await issuer(request, form);
    if (isRefusal(outcome)) throw outcome.refusal;
    return outcome;
  };
}

type Person = Pick<CalendarAccount, "subject" | "name" | "fullName" | "email" | "service">;

/** Builds the function that reads who has signed in. */
function identityReader({ clientId, endpoints: { discovery }, fetch }: GoogleClient) {
  const read = idTokenReader({ clientId, discovery, fetch });
  return async (token: unknown, nonce: string | null): Promise<Person> => {
    const { sub, email: given, hd, name } = await read(token, nonce);
    const email = cleaned(typeof given === "string" ? given : "").toLowerCase();
    return {
      ...{ subject: sub, name: email, email, fullName: textOf(name)?.trim() || null },
      service: typeof hd === "string" ? "google_workspace" : "google",
    };
  };
}
