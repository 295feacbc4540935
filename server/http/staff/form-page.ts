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

/** A page for somebody who is not signed in, with a form that carries a token of its own. */
export async function formPage(
  request: Request,
  render: (page: FormPage) => Promise<string>,
  { status = 200, headers, cookies: more = [] }: FormPageOptions,
): Promise<Response> {
  const { cookies, value } = await ask(request, { action: ["csrf"] });
  const { csrfToken } = value as { csrfToken: string };
  const { OIDC_ISSUER, OIDC_NAME } = env();
  const nonce = /'nonce-([\w+/=]+)'/.exec(request.headers.get("content-security-policy") ?? "")?.[1] ?? null;
  const issuer = OIDC_ISSUER ? OIDC_NAME : null;
  const page = pageResponse(await render({ csrfToken, issuer, nonce }), status);
  const response = new Response(request.method === "HEAD" ? null : page.body, {
    status,
    headers: { ...page.headers, "content-security-policy": policy(), "referrer-policy": "same-origin", ...headers },
  });
  for (const cookie of [...cookies, ...more]) response.headers.append("set-cookie", cookie);
  return response;
}

/** See other: the browser goes there with GET. */
export function leadOn(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "same-origin" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** The form ends here or, by way of us, at the issuer. */
function policy(): string {
  const { OIDC_ISSUER } = env();
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${OIDC_ISSUER ? ` ${new URL(OIDC_ISSUER).origin}` : ""}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
