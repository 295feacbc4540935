import { decodeJwt } from "jose";
import { cleaned } from "@/server/domain/text";
import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down, type JsonResponse } from "@/server/providers/ask-json";
import type { OAuthSignIn, SignedIn, SignInProblem } from "@/server/providers/connector";
import { idTokenReader } from "@/server/providers/id-token";
import { objectOf, textOf } from "@/server/providers/json-values";
import type { MicrosoftEndpoints, Tenant } from "@/server/providers/microsoft/endpoints";
import { problemOf, refusalError, refusalIn, refusalOf } from "@/server/providers/microsoft/sign-in-refusal";
import { challengeOf, unguessable } from "@/server/providers/pkce";
import { postForm, tokenOf } from "@/server/providers/token-endpoint";

export interface MicrosoftClient {
  clientId: string;
  clientSecret: string;
  tenant: Tenant;
  endpoints: MicrosoftEndpoints;
  fetch: EgressFetch;
}

const CALENDARS = "Calendars.ReadWrite";
/** The settings of the mailbox have its time zone, for events that name none that is known. Without them those are in UTC. */
const SCOPES = ["offline_access", "openid", "profile", "email", "User.Read", CALENDARS, "MailboxSettings.Read"];
/** The tenant of personal accounts ("ID token claims reference", tid). */
const PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad";
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The authorization code flow of the Microsoft identity platform with PKCE (RFC 7636), and OpenID Connect for who has signed in. The
 * choice of accounts is shown each time, so that nobody is connected whom the user did not choose. A refresh token may be replaced at
 * every use: what comes of one is the only one that counts from then on.
 */
export function microsoftSignIn(client: MicrosoftClient): OAuthSignIn {
  const person = personReader(client);
  return {
    kind: "oauth",
    begin: ({ redirectUri, state }) => {
      const [verifier, nonce] = [unguessable(), unguessable()];
      const query = {
        ...{ client_id: client.clientId, redirect_uri: redirectUri, response_type: "code", state, nonce },
        ...{ scope: SCOPES.join(" "), prompt: "select_account" },
        ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256" },
      };
      const url = `${client.endpoints.authorization}?${new URLSearchParams(query)}`;
      return { url, secret: JSON.stringify({ verifier, nonce }) };
    },
    finish: async ({ redirectUri, query, secret }) => {
      const refusal = refusalIn(query);
      if (refusal) return refused(refusal, null);
      const code = query.get("code");
      if (code === null) return { problem: "expired" };
      const { verifier, nonce }: { verifier: string; nonce: string } = JSON.parse(secret);
      const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
      const response = await issue(client, form);
      const issued = issuedIn(response);
      return issued
        ? await signedIn(client, issued, () => person(issued, nonce))
        : refused(refusalOf(response.body), response);
    },
    refresh: async (credential) => {
      const response = await issue(client, { grant_type: "refresh_token", refresh_token: credential });
      const issued = issuedIn(response);
      if (!issued) throw refusalError(refusalOf(response.body), response);
      return { credential: textOf(issued.refresh_token) ?? credential, token: tokenOf(issued) };
    },
  };
}

type Issued = Record<string, unknown>;

function issue({ clientId, clientSecret, endpoints, fetch }: MicrosoftClient, form: Record<string, string>) {
  return postForm(fetch, endpoints.token, { ...form, client_id: clientId, client_secret: clientSecret });
}

/** Null: no tokens were issued. */
function issuedIn({ status, body }: JsonResponse): Issued | null {
  const issued = objectOf(body);
  return status === 200 && typeof issued.access_token === "string" ? issued : null;
}

function refused(refusal: ReturnType<typeof refusalOf>, response: JsonResponse | null): SignInProblem {
  const problem = problemOf(refusal);
  if (problem === null) throw refusalError(refusal, response);
  return { problem };
}

/** Nothing is kept of an account that is not connected: Microsoft has no way to take its tokens back. */
async function signedIn(
  { tenant }: MicrosoftClient,
  issued: Issued,
  person: () => Promise<Person>,
): Promise<SignedIn | SignInProblem> {
  if (isOfOtherKind(tenant, issued.id_token)) return { problem: "wrong_account" };
  const { refresh_token } = issued;
  if (typeof refresh_token !== "string") throw down("no_refresh_token");
  // "https://graph.microsoft.com/Calendars.ReadWrite" of personal accounts.
  const scopes = String(issued.scope ?? "")
    .split(" ")
    .map((scope) => scope.slice(scope.lastIndexOf("/") + 1).toLowerCase());
  if (!scopes.includes(CALENDARS.toLowerCase())) return { problem: "missing_scope" };
  return { ...(await person()), credential: refresh_token, token: tokenOf(issued) };
}

/** Before the token is verified: the metadata of one kind of accounts cannot verify a token of the other, and it is turned away in any case. */
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

type Person = Pick<SignedIn, "subject" | "name" | "email">;

/**
 * Who has signed in. An account is its object id in its tenant: addresses change, and `sub` is another one for each client ("ID token
 * claims reference"). Each tenant is an issuer of its own, of which the metadata of all has a template.
 */
function personReader({ clientId, endpoints, fetch }: MicrosoftClient) {
  const issuerOf = (issuer: string, { tid }: Record<string, unknown>) =>
    isGuid(tid) ? issuer.replace("{tenantid}", tid) : issuer;
  const read = idTokenReader({ clientId, discovery: endpoints.discovery, fetch, issuerOf });
  return async ({ id_token, access_token }: Issued, nonce: string): Promise<Person> => {
    const { tid, oid, email: claimed, preferred_username } = await read(id_token, nonce);
    if (!isGuid(tid) || !isGuid(oid)) throw down("id_token_subject");
    const given = textOf(claimed) || (await mailOf(String(access_token))) || textOf(preferred_username) || "";
    const email = cleaned(given).toLowerCase();
    return { subject: `${tid}.${oid}`, name: email, email };
  };

  /** The claim `email` is omitted where the organization has not proved that the address is its own. */
  async function mailOf(token: string): Promise<string | null> {
    const headers = { authorization: `Bearer ${token}`, "user-agent": "Almanac" };
    const { body } = await askJson(fetch, `${endpoints.graph}/me?$select=mail,userPrincipalName`, {
      method: "GET",
      headers,
    });
    const { mail, userPrincipalName } = objectOf(body);
    return textOf(mail) || textOf(userPrincipalName);
  }
}
