import { env } from "@/server/env";
import { endpoint } from "@/server/http/endpoint";
import { pageResponse } from "@/server/http/page";
import { ask } from "@/server/http/staff/ask";
import { endedRefusal, refusedEmail } from "@/server/http/staff/refused-sign-in";
import { returnPath } from "@/server/http/staff/return-path";
import { note } from "@/server/http/staff/sign-in-failure";
import type { Notice, RenderSignIn } from "@/server/http/staff/sign-in-view";
import { staffOf } from "@/server/http/staff/staff-request";

const notices = new Set(["single_sign_on", "no_operator", "signed_out"] as const);
type Noted = typeof notices extends Set<infer Kind> ? Kind : never;

const others = endpoint([], "GET, HEAD");

/** The exports of the sign-in page's route. Signed-in operators are redirected. */
export function signInEndpoint(render: RenderSignIn) {
  const open = async (request: Request) => {
    const query = new URL(request.url).searchParams;
    const from = returnPath(query.get("from"));
    try {
      const { operator } = await staffOf(request);
      if (operator) return leadOn(from);
      const refused = refusedEmail(request.headers.get("cookie"));
      if (refused !== null) {
        const shown = { from, email: refused, notice: { kind: "wrong" } as const };
        return await signInPage(request, render, { ...shown, cookies: [endedRefusal()] });
      }
      const asked = query.get("note") as Noted;
      return await signInPage(request, render, { from, notice: notices.has(asked) ? { kind: asked } : null });
    } catch (error) {
      return signInPage(request, render, { from, ...note(request, error) });
    }
  };
  return { ...others, GET: open, HEAD: open };
}

export interface Shown {
  from: string;
  notice: Notice | null;
  email?: string;
  status?: number;
  headers?: Record<string, string>;
  cookies?: readonly string[];
}

/** The page with a form that carries a token of its own. */
export async function signInPage(request: Request, render: RenderSignIn, shown: Shown): Promise<Response> {
  const { cookies, value } = await ask(request, { action: ["csrf"] });
  const { csrfToken } = value as { csrfToken: string };
  const { OIDC_ISSUER, OIDC_NAME } = env();
  const nonce = /'nonce-([\w+/=]+)'/.exec(request.headers.get("content-security-policy") ?? "")?.[1] ?? null;
  const { from, notice, email = "", status = 200, headers } = shown;
  const issuer = OIDC_ISSUER ? OIDC_NAME : null;
  const page = pageResponse(await render({ notice, email, csrfToken, from, issuer, nonce }), status);
  const response = new Response(request.method === "HEAD" ? null : page.body, {
    status,
    headers: { ...page.headers, "content-security-policy": policy(), "referrer-policy": "same-origin", ...headers },
  });
  for (const cookie of [...cookies, ...(shown.cookies ?? [])]) response.headers.append("set-cookie", cookie);
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
