import { endedCookie } from "@/server/auth/session-cookie";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { endpoint } from "@/server/http/endpoint";
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { readBody, SMALL_BODY } from "@/server/http/read-body";
import { refusalOf } from "@/server/http/responses";
import { ask } from "@/server/http/staff/ask";
import { refusedCookie } from "@/server/http/staff/refused-sign-in";
import { returnPath, SIGN_IN_PATH, signInLink } from "@/server/http/staff/return-path";
import { note } from "@/server/http/staff/sign-in-failure";
import { leadOn, type Shown, signInPage } from "@/server/http/staff/sign-in-page";
import type { RenderSignIn } from "@/server/http/staff/sign-in-view";
import { sameOrigin, staffOf } from "@/server/http/staff/staff-request";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";
import { signInCaller } from "@/server/services/staff/sign-in/api";

const PATH = "/api/auth/";
const nowhere = endpoint([], "");

type Show = (shown: Shown) => Promise<Response>;
type Step = (request: Request, show: Show) => Promise<Response>;

const steps: Record<string, Step> = {
  "POST callback/credentials": withPassword,
  "POST signin/oidc": toIssuer,
  "GET callback/oidc": fromIssuer,
  "POST signout": signOut,
};

/** The exports of app/api/auth: the steps that there are, and 404 for all else that next-auth would answer, among it its own pages. */
export function authEndpoint(render: RenderSignIn) {
  const take = (name: "GET" | "POST") => async (request: Request, context: Parameters<typeof nowhere.GET>[1]) => {
    const step = steps[`${name} ${new URL(request.url).pathname.slice(PATH.length)}`];
    if (!step) return nowhere[name](request, context);
    const show: Show = (shown) => signInPage(request, render, shown);
    try {
      return await step(request, show);
    } catch (error) {
      return show({ from: returnPath(null), ...(overloaded(error) ?? note(request, error)) });
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
  const { sessionId, cookies } = await ask(
    request,
    { action: ["callback", "credentials"], body: { email, password, csrfToken } },
    { byPassword: (typed) => signIn.byPassword({ ...typed, ...browserOf(request, email) }) },
  );
  if (sessionId) processServices().limiter.knowStaff(nameOf(email), addressOf(request));
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
  const body = { csrfToken: form.csrfToken ?? "", callbackUrl: env().APP_URL + from };
  const { location, cookies } = await ask(request, { action: ["signin", "oidc"], body });
  if (location?.startsWith(`${env().APP_URL}${PATH}signin`)) return show(stale(from));
  const isFailed = !location || location.startsWith(`${env().APP_URL}${PATH}`);
  return isFailed ? show({ from, notice: { kind: "single_sign_on" }, status: 502 }) : leadOn(location, cookies);
}

/** Errors are shown at another address, because this one holds a code. */
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

/** Cookies alone prove nothing, and a token would have to be on every page: a browser says where a form was sent from. */
async function signOut(request: Request, show: Show): Promise<Response> {
  if (!sameOrigin(request)) return show(stale());
  await endFormer(request);
  return leadOn(`${SIGN_IN_PATH}?note=signed_out`, [endedCookie()]);
}

async function admit(request: Request, path: string, cookies: readonly string[]): Promise<Response> {
  await endFormer(request);
  return leadOn(path, cookies);
}

/** The session that the browser had. */
async function endFormer(request: Request): Promise<void> {
  const context = await staffOf(request);
  if (context.operator) await signInCaller(context).signOut();
}

async function formOf(request: Request): Promise<Record<string, string> | null> {
  if (!sameOrigin(request)) return null;
  const body = await readBody(request, { limit: SMALL_BODY, form: true });
  if (body.kind !== "read") return null;
  return Object.fromEntries(
    Object.entries(body.value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

function stale(from = returnPath(null)): Shown {
  return { from, notice: { kind: "stale" }, status: 400 };
}

async function throttled(request: Request, email: string | null): Promise<Omit<Shown, "from"> | null> {
  const name = email === null ? null : nameOf(email);
  const take = await processServices().limiter.staffSignIn(name, addressOf(request));
  return take.allowed ? null : later("throttled", take.retryAfter);
}

function overloaded(error: unknown): Omit<Shown, "from"> | null {
  const reason = refusalOf(error);
  return reason?.kind === "overloaded" ? later("overloaded", reason.retryAfter) : null;
}

function later(kind: "throttled" | "overloaded", seconds: number): Omit<Shown, "from"> {
  const status = kind === "throttled" ? 429 : 503;
  return { notice: { kind, seconds }, status, headers: { "retry-after": String(seconds) } };
}

const nameOf = (email: string) => email.trim().toLowerCase();
const addressOf = (request: Request) => request.headers.get(ADDRESS_HEADER) ?? "";

/** Nobody is signed in yet, whichever session the browser had. */
function visitorOf({ headers }: Request): StaffContext {
  return {
    db: db(),
    now: clock().now(),
    operator: null,
    address: headers.get(ADDRESS_HEADER),
    requestId: headers.get(REQUEST_ID_HEADER) ?? "",
  };
}

/** `email`: what was typed, which is a stranger's word. */
function browserOf(request: Request, email = "") {
  return {
    isKnown: processServices().limiter.knowsStaff(nameOf(email), addressOf(request)),
    userAgent: request.headers.get("user-agent"),
  };
}
