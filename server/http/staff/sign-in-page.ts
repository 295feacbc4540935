import { endpoint } from "@/server/http/endpoint";
import { type FormPageOptions, formPage, leadOn } from "@/server/http/staff/form-page";
import { endedRefusal, refusedEmail } from "@/server/http/staff/refused-sign-in";
import { returnPath } from "@/server/http/staff/return-path";
import { note } from "@/server/http/staff/sign-in-failure";
import type { Notice, RenderSignIn } from "@/server/http/staff/sign-in-view";
import { staffOf } from "@/server/http/staff/staff-request";

const notices = new Set(["single_sign_on", "no_operator", "signed_out", "start_again"] as const);
type Noted = typeof notices extends Set<infer Kind> ? Kind : never;

const others = endpoint([], "GET, HEAD");

/** Builds the exports of the sign-in page's route. Signed-in operators are redirected. */
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

export interface SignInPageInput extends FormPageOptions {
  from: string;
  notice: Notice | null;
  email?: string;
}

/** Builds the page, whose form carries a token of its own. */
export function signInPage(request: Request, render: RenderSignIn, shown: SignInPageInput): Promise<Response> {
  const { from, notice, email = "", ...options } = shown;
  return formPage(request, (page) => render({ notice, email, from, ...page }), options);
}
