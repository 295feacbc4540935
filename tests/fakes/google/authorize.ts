import { consentPage, errorPage } from "./consent-page";
import type { WireResponse } from "./errors";
import { type Authorization, type Grants, newToken } from "./grants";
import type { WireRequest } from "./request";
import { grantedName, isSignInScope, knownScopes } from "./scopes";
import { type Account, accountOf, type World } from "./state";

/** What the user decided. */
interface Decision {
  account: Account;
  scopes: string[];
  /** The consent page was shown. */
  asked: boolean;
}

const CODE_LIFETIME = 10 * 60 * 1000;

/** /o/oauth2/v2/auth: GET shows the consent page or redirects at once, POST is the submitted page. */
export function authorize(world: World, grants: Grants, request: WireRequest): WireResponse {
  const checked = check(grants, request.query);
  if ("status" in checked) return checked;
  if (request.method === "POST") return submitted(world, grants, checked, new URLSearchParams(request.body));
  const { query } = checked;
  const consent = world.knobs.consent;
  if (consent === "fails") return errorPage(500, "server_error", "Something went wrong.");
  const account = accountFor(world, query);
  if (!account) return errorPage(400, "invalid_request", "No account is signed in.");
  const remembered = isCovered(grants, account, checked) && !prompts(query).includes("consent");
  if (remembered && consent !== "denied")
    return allow(world, grants, checked, { account, scopes: checked.scopes, asked: false });
  // OpenID Connect Core section 3.1.2.6: prompt=none never shows a page.
  if (prompts(query).includes("none")) return redirect(checked, { error: "interaction_required" });
  if (consent === "page") return consentPage(world, checked, account);
  if (consent === "denied") return redirect(checked, { error: "access_denied" });
  const scopes = consent === "given" ? checked.scopes : checked.scopes.filter(isSignInScope);
  return allow(world, grants, checked, { account, scopes, asked: true });
}

/** Google shows these errors on a page of its own and does not redirect. [K]: statuses and texts. */
function check(grants: Grants, query: URLSearchParams): Authorization | WireResponse {
  const client = grants.clients.find(({ id }) => id === query.get("client_id"));
  if (!client) return errorPage(401, "invalid_client", "The OAuth client was not found.");
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!client.redirectUris.includes(redirectUri)) {
    return errorPage(400, "redirect_uri_mismatch", "The redirect URI in the request does not match a registered one.");
  }
  if (query.get("response_type") !== "code") return errorPage(400, "invalid_request", "Invalid response_type.");
  const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  if (scopes.length === 0) return errorPage(400, "invalid_request", "Missing required parameter: scope");
  const unknown = scopes.filter((scope) => !knownScopes.has(scope));
  if (unknown.length > 0)
    return errorPage(400, "invalid_scope", `Some requested scopes were invalid: ${unknown.join(", ")}`);
  const fault = optionFault(query);
  return fault ? errorPage(400, "invalid_request", fault) : { client, redirectUri, scopes, query };
}

/** What is wrong with the optional parameters: [K], guide "Using OAuth 2.0 for Web Server Applications". */
function optionFault(query: URLSearchParams): string | undefined {
  const challenge = query.get("code_challenge");
  // RFC 7636 section 4.2: 43 to 128 unreserved characters.
  if (challenge !== null && !/^[\w.~-]{43,128}$/.test(challenge)) return "Invalid code_challenge.";
  if (!["S256", "plain"].includes(query.get("code_challenge_method") ?? "plain"))
    return "Invalid code_challenge_method.";
  if (!["online", "offline"].includes(query.get("access_type") ?? "online")) return "Invalid access_type.";
  if (prompts(query).some((prompt) => !["none", "consent", "select_account"].includes(prompt)))
    return "Invalid prompt.";
  return prompts(query).includes("none") && prompts(query).length > 1 ? "Invalid prompt." : undefined;
}

function submitted(world: World, grants: Grants, checked: Authorization, form: URLSearchParams): WireResponse {
  const account = accountOf(world, form.get("account") ?? "");
  if (form.get("decision") !== "allow" || !account) return redirect(checked, { error: "access_denied" });
  const ticked = new Set(form.getAll("scope"));
  const scopes = checked.scopes.filter((scope) => isSignInScope(scope) || ticked.has(scope));
  return allow(world, grants, checked, { account, scopes, asked: true });
}

function allow(
  world: World,
  grants: Grants,
  checked: Authorization,
  { account, scopes, asked }: Decision,
): WireResponse {
  const { client, query, redirectUri } = checked;
  const existing = grants.of(account, client);
  const grant = existing ?? grants.create(account, client);
  const isFirst = grant.scopes.size === 0;
  for (const scope of scopes) grant.scopes.add(grantedName(scope));
  // The guide: with include_granted_scopes the new token covers what was granted before as well.
  const all = query.get("include_granted_scopes") === "true" ? [...grant.scopes] : scopes.map(grantedName);
  const code = newToken("4/0");
  grants.codes.set(code, {
    grant,
    scopes: [...new Set(all)],
    redirectUri,
    challenge: query.get("code_challenge"),
    challengeMethod: query.get("code_challenge_method") ?? "plain",
    nonce: query.get("nonce"),
    // The guide on access_type: a refresh token comes the first time the user consents; [K]: and after prompt=consent.
    issuesRefreshToken:
      query.get("access_type") === "offline" && asked && (isFirst || prompts(query).includes("consent")),
    expires: world.now() + CODE_LIFETIME,
  });
  return redirect(checked, { code, scope: all.join(" "), ...(account.hd && { hd: account.hd }) });
}

function redirect({ redirectUri, query }: Authorization, parameters: Record<string, string>): WireResponse {
  const target = new URL(redirectUri);
  const state = query.get("state");
  if (state !== null) target.searchParams.set("state", state);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return { status: 302, headers: { location: target.href } };
}

const prompts = (query: URLSearchParams) => (query.get("prompt") ?? "").split(" ").filter((prompt) => prompt !== "");

function accountFor(world: World, query: URLSearchParams): Account | undefined {
  // OpenID Connect guide: login_hint is an email address or a sub.
  const hinted = accountOf(world, query.get("login_hint") ?? "");
  return hinted ?? accountOf(world, world.knobs.signedIn ?? "") ?? world.accounts[0];
}

function isCovered(grants: Grants, account: Account, { client, scopes }: Authorization): boolean {
  const grant = grants.of(account, client);
  return grant !== undefined && scopes.every((scope) => grant.scopes.has(grantedName(scope)));
}
