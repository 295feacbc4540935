import { decodeJwt } from "jose";
import type { Access } from "@/server/domain/access";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import { cleaned } from "@/server/domain/text";
import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down } from "@/server/providers/ask-json";
import type { CalendarAccount, OAuthSignIn, ProviderError, SignInProblem } from "@/server/providers/connector";
import { idTokenReader } from "@/server/providers/id-token";
import { objectOf, textOf } from "@/server/providers/json-values";
import type { MicrosoftEndpoints, Tenant } from "@/server/providers/microsoft/endpoints";
import { problemOf, wordsIn } from "@/server/providers/microsoft/sign-in-refusal";
import { challengeOf, unguessable } from "@/server/providers/pkce";
import { isRefusal, tokenIssuer, tokenOf } from "@/server/providers/token-endpoint";

export interface MicrosoftClient {
  clientId: string;
  clientSecret: string;
  tenant: Tenant;
  endpoints: MicrosoftEndpoints;
  fetch: EgressFetch;
}

const WRITE = "Calendars.ReadWrite";
const READ = "Calendars.Read";
/**
 * Calendars.ReadBasic still shows what events say, and allows neither subscriptions nor our own properties of events
 * ("Create subscription", "Permissions reference").
 */
const CALENDARS: Record<Access, string> = { full: WRITE, read: READ, free_busy: READ };
/** The settings of the mailbox have its time zone, for events that name none that is known. Without them those are in UTC. */
const scopesOf = (access: Access) =>
  ["offline_access", "openid", "profile", "email", "User.Read", CALENDARS[access], "MailboxSettings.Read"].join(" ");
/** The tenant of personal accounts ("ID token claims reference", tid). */
const PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Signs in by the authorization code flow of the Microsoft identity platform with PKCE (RFC 7636), and OpenID Connect for who has signed in. The
 * choice of accounts is shown each time, so that nobody is connected whom the user did not choose. A refresh token may be replaced at
 * every use: what comes of one is the only one that counts from then on.
 */
export function microsoftSignIn(client: MicrosoftClient): Omit<OAuthSignIn, "as"> {
  const person = personReader(client);
  const { clientId: client_id, clientSecret: client_secret, endpoints, fetch } = client;
  const url = endpoints.token;
  const issue = tokenIssuer({ fetch, url, client: { client_id, client_secret }, rows: microsoftVerdicts });
  return {
    kind: "oauth",
    begin: ({ redirectUri, state, loginHint, access = "full" }) => {
      const [verifier, nonce] = [unguessable(), unguessable()];
      const query = {
        ...{ client_id: client.clientId, redirect_uri: redirectUri, response_type: "code", state, nonce },
        ...{ scope: scopesOf(access), prompt: "select_account" },
        ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256" },
        ...(loginHint && { login_hint: loginHint }),
      };
      const url = `${client.endpoints.authorization}?${new URLSearchParams(query)}`;
      return { url, secret: JSON.stringify({ verifier, nonce }) };
    },
    finish: async ({ redirectUri, query, secret, access = "full" }) => {
      const words = wordsIn(query);
      if (words) return refused(words, down(words.join("_")));
      const code = query.get("code");
      if (code === null) return { problem: "expired" };
      const { verifier, nonce }: { verifier: string; nonce: string } = JSON.parse(secret);
      const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
      const outcome = await issue("exchange_code", form);
      if (isRefusal(outcome)) return refused(outcome.words, outcome.refusal);
      return await signedIn({ ...client, access }, outcome, () => person(outcome, nonce));
    },
    takeOver: async (credential) => {
      const outcome = await issue("renew_access", { grant_type: "refresh_token", refresh_token: credential });
      if (isRefusal(outcome)) return refused(outcome.words, outcome.refusal);
      if (typeof outcome.id_token !== "string") return { problem: "missing_scope" };
      const renewed = { ...outcome, refresh_token: textOf(outcome.refresh_token) ?? credential };
      return await signedIn({ ...client, access: "full" }, renewed, () => person(renewed, null));
    },
    refresh: async (credential) => {
      const outcome = await issue("renew_access", { grant_type: "refresh_token", refresh_token: credential });
      if (isRefusal(outcome)) throw outcome.refusal;
      return { credential: textOf(outcome.refresh_token) ?? credential, token: tokenOf(outcome) };
    },
  };
}

type Issued = Record<string, unknown>;

/** Returns a problem that the user can do something about, for them to read. Throws all other errors. */
function refused(words: readonly string[], error: ProviderError): SignInProblem {
  const problem = problemOf(words);
  if (problem === null) throw error;
  return { problem };
}

/**
 * Checks what was issued and returns the account to connect. Nothing is kept of an account that is not connected,
 * because Microsoft has no way to take its tokens back.
 */
async function signedIn(
  { tenant, access }: MicrosoftClient & { access: Access },
  issued: Issued,
  person: () => Promise<Person>,
): Promise<CalendarAccount | SignInProblem> {
  if (isOfOtherKind(tenant, issued.id_token)) return { problem: "wrong_account" };
  const { refresh_token } = issued;
  if (typeof refresh_token !== "string") throw down("no_refresh_token");
  // "https://graph.microsoft.com/Calendars.ReadWrite" of personal accounts.
  const scopes = String(issued.scope ?? "")
    .split(" ")
    .map((scope) => scope.slice(scope.lastIndexOf("/") + 1).toLowerCase());
  // A token may cover more than was asked for, because the user has granted it before.
  const isEnough = [CALENDARS[access], WRITE].some((name) => scopes.includes(name.toLowerCase()));
  if (!isEnough) return { problem: "missing_scope" };
  return { ...(await person()), credential: refresh_token, token: tokenOf(issued) };
}

/**
 * Reports whether a token belongs to the other kind of account. This is checked before the token is verified, because
 * the metadata of one kind of account can't verify a token of the other, and such a token is turned away in any case.
 */
function isOfOtherKind(tenant: Tenant, token: unknown): boolean {
  if (typeof token !== "string") return false;
  try {
    return (decodeJwt(token).tid === PERSONAL) !== (tenant === "consumers");
  } catch {
    return false;
  }
}

function isGuid(value: unknown): value is string {
  return typeof value === "string" && GUID.test(value);
}

type Person = Pick<CalendarAccount, "subject" | "name" | "fullName" | "email">;

/**
 * Builds the function that reads who has signed in. An account is its object id in its tenant, because addresses change
 * and `sub` is another one for each client ("ID token claims reference"). Each tenant is an issuer of its own, of which
 * the metadata of all tenants has a template.
 */
function personReader({ clientId, endpoints, fetch }: MicrosoftClient) {
  const issuerOf = (issuer: string, { tid }: Record<string, unknown>) =>
    isGuid(tid) ? issuer.replace("{tenantid}", tid) : issuer;
  const read = idTokenReader({ clientId, discovery: endpoints.discovery, fetch, issuerOf });
  return async ({ id_token, access_token }: Issued, nonce: string | null): Promise<Person> => {
    const { tid, oid, email: claimed, name: claimedName, preferred_username } = await read(id_token, nonce);
    if (!isGuid(tid) || !isGuid(oid)) throw down("id_token_subject");
    const isTold = textOf(claimed) && textOf(claimedName);
    const { mail, name } = isTold ? { mail: null, name: null } : await userOf(String(access_token));
    const given = textOf(claimed) || mail || textOf(preferred_username) || "";
    const email = cleaned(given).toLowerCase();
    const fullName = (textOf(claimedName) || name)?.trim() || null;
    return { subject: `${tid}.${oid}`, name: email, email, fullName };
  };

  /** The claim `email` is omitted where the organization has not proved that the address is its own. */
  async function userOf(token: string): Promise<{ mail: string | null; name: string | null }> {
    const headers = { authorization: `Bearer ${token}`, "user-agent": "Almanac" };
    const { body } = await askJson(fetch, `${endpoints.graph}/me?$select=mail,userPrincipalName,displayName`, {
      method: "GET",
      headers,
    });
    const { mail, userPrincipalName, displayName } = objectOf(body);
    return { mail: textOf(mail) || textOf(userPrincipalName), name: textOf(displayName) };
  }
}
