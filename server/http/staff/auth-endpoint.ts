import { endedCookie } from "@/server/auth/session-cookie";
import { env } from "@/server/env";
import { endpoint } from "@/server/http/endpoint";
import { ask } from "@/server/http/staff/ask";
import { leadOn } from "@/server/http/staff/form-page";
import {
  AUTH_PATH,
  admit,
  browserOf,
  endFormer,
  formOf,
  issuerResponse,
  knowBrowser,
  throttled,
  visitorOf,
} from "@/server/http/staff/form-request";
import { refusedCookie } from "@/server/http/staff/refused-sign-in";
import { returnPath, SIGN_IN_PATH, secondStepLink, signInLink } from "@/server/http/staff/return-path";
import { askInSteps, stepCookie } from "@/server/http/staff/second-step";
import { note } from "@/server/http/staff/sign-in-failure";
import { type SignInPageInput, signInPage } from "@/server/http/staff/sign-in-page";
import type { RenderSignIn } from "@/server/http/staff/sign-in-view";
import { sameOrigin } from "@/server/http/staff/staff-request";
import { signInCaller } from "@/server/services/staff/sign-in/api";

const nowhere = endpoint([], "");

type Show = (shown: SignInPageInput) => Promise<Response>;
type Step = (request: Request, show: Show) => Promise<Response>;

const steps: Record<string, Step> = {
  "POST callback/credentials": withPassword,
  "POST signin/oidc": toIssuer,
  "GET callback/oidc": fromIssuer,
  "POST signout": signOut,
};

/**
 * Builds the exports of app/api/auth: the steps that there are, and 404 for all else that next-auth would answer, among
 * it its own pages.
 */
export function authEndpoint(render: RenderSignIn) {
  const take = (name: "GET" | "POST") => async (request: Request, context: Parameters<typeof nowhere.GET>[1]) => {
    const step = steps[`${name} ${new URL(request.url).pathname.slice(AUTH_PATH.length)}`];
    if (!step) return nowhere[name](request, context);
    const show: Show = (shown) => signInPage(request, render, shown);
    try {
      return await step(request, show);
    } catch (error) {
      return show({ from: returnPath(null), ...note(request, error) });
    }
  };
  return { ...nowhere, GET: take("GET"), POST: take("POST") };
}

async function withPassword(request: Request, show: Show): Promise<Response> {
  const form = await formOf(request);
  if (!form) return show(stale());
  const { email = "", password = "", csrfToken = "", from: asked } = form;
  const from = returnPath(asked);
  const slower = await throttled(request, email);
  if (slower) return show({ from, email, ...slower });
  const signIn = signInCaller(visitorOf(request));
  const { sessionId, cookies, pending } = await askInSteps(request, { email, password, csrfToken }, (typed) =>
    signIn.byPassword({ ...typed, ...browserOf(request, email) }),
  );
  if (pending !== null) return leadOn(secondStepLink(from), [...cookies, stepCookie(pending)]);
  if (sessionId) knowBrowser(request, email);
  if (sessionId === undefined) return show({ ...stale(from), email });
  // To the page's own address, so that a reload sends no password.
  if (sessionId === null) return leadOn(signInLink(from), [...cookies, refusedCookie(email)]);
  return admit(request, from, cookies);
}

async function toIssuer(request: Request, show: Show): Promise<Response> {
  const form = await formOf(request);
  if (!form) return show(stale());
  const from = returnPath(form.from);
  const slower = await throttled(request, null);
  if (slower) return show({ from, ...slower });
  const response = await issuerResponse(request, { from, csrfToken: form.csrfToken });
  if (response === "stale") return show(stale(from));
  return response ?? show({ from, notice: { kind: "single_sign_on" }, status: 502 });
}

/** Ends a sign-in at the issuer. Errors are shown at another address, because this one has a code in it. */
async function fromIssuer(request: Request, show: Show): Promise<Response> {
  const slower = await throttled(request, null);
  if (slower) return show({ from: returnPath(null), ...slower });
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const signIn = signInCaller(visitorOf(request));
  const { sessionId, location, cookies } = await ask(
    request,
    { action: ["callback", "oidc"], query },
    { byIssuer: (verified) => signIn.byIssuer({ ...verified, ...browserOf(request) }) },
  );
  if (sessionId) return admit(request, returnPath(location?.slice(env().APP_URL.length)), cookies);
  return leadOn(`${SIGN_IN_PATH}?note=${sessionId === null ? "no_operator" : "single_sign_on"}`, cookies);
}

/** Signs out if the browser says that the form is of our own pages: cookies prove nothing, and a token would have to be on every page. */
async function signOut(request: Request, show: Show): Promise<Response> {
  if (!sameOrigin(request)) return show(stale());
  await endFormer(request);
  return leadOn(`${SIGN_IN_PATH}?note=signed_out`, [endedCookie()]);
}

function stale(from = returnPath(null)): SignInPageInput {
  return { from, notice: { kind: "stale" }, status: 400 };
}
