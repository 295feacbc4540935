import type { SignInError } from "./aadsts";
import type { WireResponse } from "./errors";
import type { Authorization } from "./grants";
import { isSignInScope } from "./scopes";
import type { Account, World } from "./state";

const html = (status: number, title: string, main: string): WireResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main>${main}</main></body></html>`,
});

/** The page that Microsoft shows for a request that it does not trust enough to redirect, or an account that cannot sign in. */
export function errorPage({ status, description }: SignInError, back?: string): WireResponse {
  const link = back ? `<p><a href="${escaped(back)}">Back to the application</a></p>` : "";
  return html(
    status,
    "Sign in to your account",
    `<h1>Sorry, but we’re having trouble signing you in.</h1><p>${escaped(description)}</p>${link}`,
  );
}

/** The page "Need admin approval", with the way back that has no consent. */
export function approvalPage(client: string, back: string): WireResponse {
  return html(
    200,
    "Need admin approval",
    `<h1>Need admin approval</h1><p>${escaped(client)} needs permission to access resources in your organization that only an admin can grant.</p>
<p><a href="${escaped(back)}">Return to the application without granting consent</a></p>`,
  );
}

/** The sign-in page and the consent page in one: the accounts, the permissions that cannot be chosen one by one, and two buttons. */
export function signInPage(
  world: World,
  { client, scopes, query, tenant }: Authorization,
  chosen?: Account,
): WireResponse {
  const accounts = world.accounts.map(
    ({ email, name }) =>
      `<label><input type="radio" name="account" value="${escaped(email)}"${email === chosen?.email ? " checked" : ""}> ${escaped(name)} (${escaped(email)})</label>`,
  );
  const permissions = scopes.filter((scope) => !isSignInScope(scope)).map((scope) => `<li>${escaped(scope)}</li>`);
  return html(
    200,
    "Sign in to your account",
    `<h1>Permissions requested</h1><p>${escaped(client.id)}</p>
<form method="post" action="/${tenant}/oauth2/v2.0/authorize?${escaped(query.toString())}">
<fieldset><legend>Pick an account</legend>${accounts.join("<br>")}</fieldset>
<p>This app would like to:</p><ul>${permissions.join("")}</ul>
<button name="decision" value="cancel">Cancel</button> <button name="decision" value="accept">Accept</button>
</form>`,
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
