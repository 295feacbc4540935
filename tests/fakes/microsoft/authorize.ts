import { requestedClaims, signInError } from "./aadsts";
import type { WireResponse } from "./errors";
import { type Authorization, type Grants, newToken } from "./grants";
import type { WireRequest } from "./request";
import { scopeName } from "./scopes";
import { approvalPage, errorPage, signInPage } from "./sign-in-page";
import { type Account, accountOf, type World } from "./state";
import { admits, wrongKindCode } from "./tenants";

const CODE_LIFETIME = 10 * 60 * 1000;

/** {tenant}/oauth2/v2.0/authorize: GET shows the page or redirects at once, POST is the submitted page. */
export function authorize(world: World, grants: Grants, request: WireRequest, tenant: string): WireResponse {
  const checked = check(world, grants, request.query, tenant);
  if ("status" in checked) return checked;
  const { query } = checked;
  if (request.method === "POST") return submitted(world, grants, checked, new URLSearchParams(request.body));
  if (world.knobs.consent === "fails") return errorPage(signInError(90033, world.now()));
  const account = accountFor(world, checked);
  // Page "Authorization code flow", prompt: "none" never shows a page.
  const isSilent = prompts(query).includes("none");
  if (!account) return isSilent ? refused(world, checked, 50058) : signInPage(world, checked);
  if (!admits(tenant, account) && world.knobs.wrongKind !== "signs in") return wrongKind(world, checked, account);
  return decided(world, grants, checked, account, isSilent);
}

function decided(
  world: World,
  grants: Grants,
  checked: Authorization,
  account: Account,
  isSilent: boolean,
): WireResponse {
  const { consent } = world.knobs;
  const asks = prompts(checked.query).some((prompt) => prompt === "consent" || prompt === "select_account");
  const isGranted = isCovered(grants, account, checked);
  const needsAdmin = consent === "admin consent" || (account.needsAdmin && consent !== "page");
  if (needsAdmin && !isGranted) return refused(world, checked, 90094);
  if (consent === "conditional access") return refused(world, checked, 53003);
  if (consent === "not consented" || (isSilent && !isGranted))
    return refused(world, checked, 65001, "interaction_required");
  if (isGranted && !asks && consent !== "denied") return allow(world, grants, checked, account);
  if (consent === "denied") return refused(world, checked, 65004);
  return consent === "page" ? signInPage(world, checked, account) : allow(world, grants, checked, account);
}

/** Microsoft shows these errors on a page of its own and does not redirect. */
function check(world: World, grants: Grants, query: URLSearchParams, tenant: string): Authorization | WireResponse {
  const page = (code: number) => errorPage({ ...signInError(code, world.now()), status: 400 });
  const client = grants.clients.find(({ id }) => id === query.get("client_id"));
  if (!client) return page(700016);
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!client.redirectUris.includes(redirectUri)) return page(50011);
  if (query.get("response_type") !== "code" || !areOptionsValid(query)) return page(900144);
  const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  const names = scopes.map(scopeName);
  const authorization = { client, tenant, redirectUri, scopes: names.filter((name) => name !== undefined), query };
  // The sample of the page on error codes: an unknown scope is invalid_scope.
  const isKnown = names.length > 0 && !names.includes(undefined);
  return isKnown ? authorization : refused(world, authorization, 70011);
}

function areOptionsValid(query: URLSearchParams): boolean {
  const challenge = query.get("code_challenge");
  // RFC 7636 section 4.2: 43 to 128 unreserved characters.
  const isChallenge = challenge === null || /^[\w.~-]{43,128}$/.test(challenge);
  const known = ["login", "none", "consent", "select_account"];
  const arePrompts = prompts(query).every((prompt) => known.includes(prompt)) && prompts(query).length < 2;
  return isChallenge && arePrompts && ["S256", "plain"].includes(query.get("code_challenge_method") ?? "plain");
}

function submitted(world: World, grants: Grants, checked: Authorization, form: URLSearchParams): WireResponse {
  const account = accountOf(world, form.get("account") ?? "");
  if (form.get("decision") !== "accept" || !account) return refused(world, checked, 65004);
  if (!admits(checked.tenant, account)) return wrongKind(world, checked, account);
  if (account.needsAdmin && !isCovered(grants, account, checked)) {
    return approvalPage(checked.client.id, refused(world, checked, 90094).headers?.location ?? "");
  }
  return allow(world, grants, checked, account);
}

function wrongKind(world: World, checked: Authorization, account: Account): WireResponse {
  const code = wrongKindCode(checked.tenant, account);
  const redirect = refused(world, checked, code);
  if (world.knobs.wrongKind === "redirects") return redirect;
  return errorPage(
    { ...signInError(code, world.now()), status: 400 },
    refused(world, checked, 65004).headers?.location,
  );
}

/** Page "Authorization code flow", Error response: error and error_description; a subcode when the user cancels. */
function refused(world: World, checked: Authorization, code: number, error?: string): WireResponse {
  const fault = signInError(code, world.now());
  return redirect(checked, {
    error: error ?? fault.error,
    error_description: fault.description,
    ...(code === 65004 && { error_subcode: "cancel" }),
    ...(fault.error === "interaction_required" && { claims: requestedClaims }),
    error_uri: `https://login.microsoftonline.com/error?code=${code}`,
  });
}

function allow(world: World, grants: Grants, checked: Authorization, account: Account): WireResponse {
  const { client, query, redirectUri, scopes, tenant } = checked;
  const grant = grants.of(account, client) ?? grants.create(account, client);
  for (const scope of scopes) grant.scopes.add(scope);
  const code = newToken(account.kind === "personal" ? "M.C507_" : "0.AX8A");
  grants.codes.set(code, {
    grant,
    tenant,
    scopes,
    redirectUri,
    challenge: query.get("code_challenge"),
    challengeMethod: query.get("code_challenge_method") ?? "plain",
    nonce: query.get("nonce"),
    expires: world.now() + CODE_LIFETIME,
    redeemed: false,
  });
  grants.trouble.delete(account);
  return redirect(checked, { code, session_state: newToken("").slice(0, 36) });
}

function redirect({ redirectUri, query }: Authorization, parameters: Record<string, string>): WireResponse {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  const state = query.get("state");
  if (state !== null) target.searchParams.set("state", state);
  return { status: 302, headers: { location: target.href } };
}

const prompts = (query: URLSearchParams) => (query.get("prompt") ?? "").split(" ").filter((prompt) => prompt !== "");

function accountFor(world: World, { query, tenant }: Authorization): Account | undefined {
  const hinted = accountOf(world, query.get("login_hint") ?? "");
  const signedIn = hinted ?? accountOf(world, world.knobs.signedIn ?? "");
  return signedIn ?? world.accounts.find((account) => admits(tenant, account));
}

function isCovered(grants: Grants, account: Account, { client, scopes }: Authorization): boolean {
  const grant = grants.of(account, client);
  return grant !== undefined && scopes.every((scope) => grant.scopes.has(scope));
}
