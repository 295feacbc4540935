import { nonceOf, plainPagePolicy } from "@/server/domain/net/content-security-policy";
import { env } from "@/server/env";
import { pageResponse } from "@/server/http/page";
import { ask } from "@/server/http/staff/ask";

/** What the markup of a page with a form takes from us. */
export interface FormPage {
  csrfToken: string;
  /** The name of single sign-on, where there is one. */
  issuer: string | null;
  /** Without it the page's policy lets no style through. */
  nonce: string | null;
}

export interface FormPageOptions {
  status?: number;
  headers?: Record<string, string>;
  cookies?: readonly string[];
}

/** Builds a page for somebody who is not signed in, with a form that carries a token of its own. */
export async function formPage(
  request: Request,
  render: (page: FormPage) => Promise<string>,
  { status = 200, headers, cookies: more = [] }: FormPageOptions,
): Promise<Response> {
  const { cookies, value } = await ask(request, { action: ["csrf"] });
  const { csrfToken } = value as { csrfToken: string };
  const { OIDC_ISSUER, OIDC_NAME } = env();
  const nonce = nonceOf(request.headers.get("content-security-policy"));
  const issuer = OIDC_ISSUER ? OIDC_NAME : null;
  // The form ends here or, by way of us, at the issuer.
  const policy = OIDC_ISSUER ? plainPagePolicy(new URL(OIDC_ISSUER).origin) : plainPagePolicy();
  const page = pageResponse(await render({ csrfToken, issuer, nonce }), status);
  const response = new Response(request.method === "HEAD" ? null : page.body, {
    status,
    headers: { ...page.headers, "content-security-policy": policy, "referrer-policy": "same-origin", ...headers },
  });
  for (const cookie of [...cookies, ...more]) response.headers.append("set-cookie", cookie);
  return response;
}

/** Redirects the browser with 303 (See Other), so that it goes there with GET. */
export function leadOn(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "same-origin" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
