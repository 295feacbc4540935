import type { WireResponse } from "./errors";
import type { Authorization } from "./grants";
import { isSignInScope } from "./scopes";
import type { Account, World } from "./state";

const html = (status: number, title: string, main: string): WireResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main>${main}</main></body></html>`,
});

/** The page that Google shows for a request that it does not trust enough to redirect. */
export function errorPage(status: number, error: string, text: string): WireResponse {
  return html(
    status,
    "Error",
    `<h1>Access blocked: Authorization Error</h1><p>${escaped(text)}</p><p>Error ${status}: ${error}</p>`,
  );
}

/**
 * The consent page: the accounts, a checkbox for each granular scope (none is ticked), and two buttons. Other accounts than the one that
 * is signed in can be chosen after prompt=select_account alone (OpenID Connect guide, prompt).
 */
export function consentPage(world: World, { client, scopes, query }: Authorization, chosen: Account): WireResponse {
  const isChoice = query.get("prompt")?.split(" ").includes("select_account");
  const offered = isChoice ? world.accounts : [chosen];
  const accounts = offered.map(
    ({ email, name }) =>
      `<label><input type="radio" name="account" value="${escaped(email)}"${email === chosen.email ? " checked" : ""}> ${escaped(name)} (${escaped(email)})</label>`,
  );
  const boxes = scopes
    .filter((scope) => !isSignInScope(scope))
    .map((scope) => `<label><input type="checkbox" name="scope" value="${escaped(scope)}"> ${escaped(scope)}</label>`);
  return html(
    200,
    "Sign in - Google Accounts",
    `<h1>${escaped(client.id)} wants access to your Google Account</h1>
<form method="post" action="/o/oauth2/v2/auth?${escaped(query.toString())}">
<fieldset><legend>Choose an account</legend>${accounts.join("<br>")}</fieldset>
<fieldset><legend>Select what the app can access</legend>${boxes.join("<br>")}</fieldset>
<button name="decision" value="cancel">Cancel</button> <button name="decision" value="allow">Allow</button>
</form>`,
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
