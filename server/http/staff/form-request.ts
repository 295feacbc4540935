import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { ADDRESS_HEADER, REQUEST_ID_HEADER } from "@/server/http/exchange";
import { processServices } from "@/server/http/process-services";
import { readBody, SMALL_BODY } from "@/server/http/read-body";
import { refusalOf } from "@/server/http/responses";
import { ask } from "@/server/http/staff/ask";
import { leadOn } from "@/server/http/staff/form-page";
import type { Notice } from "@/server/http/staff/sign-in-view";
import { sameOrigin, staffOf } from "@/server/http/staff/staff-request";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";
import { signInCaller } from "@/server/services/staff/sign-in/api";

export const AUTH_PATH = "/api/auth/";

/** What a page says instead of going on, and with which status. */
export interface Held {
  notice: Notice;
  status: number;
  headers?: Record<string, string>;
}

/** Reads the fields of a form that a page of ours sent; null for any other request. */
export async function formOf(request: Request): Promise<Record<string, string> | null> {
  if (!sameOrigin(request)) return null;
  const body = await readBody(request, { limit: SMALL_BODY, form: true });
  if (body.kind !== "read") return null;
  return Object.fromEntries(
    Object.entries(body.value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

/** Counts an attempt; what to say if there were too many from this address, or with this email. */
export async function throttled(request: Request, email: string | null): Promise<Held | null> {
  const name = email === null ? null : nameOf(email);
  const take = await processServices().limiter.staffSignIn(name, addressOf(request));
  return take.allowed ? null : later("throttled", take.retryAfter);
}

/**
 * Returns what to say of a call that failed because too much is going on, the database is away, or there were too many
 * wrong codes; null for any other error.
 */
export function overloaded(error: unknown): Held | null {
  const reason = refusalOf(error);
  const isPassing = reason?.kind === "overloaded" || reason?.kind === "throttled";
  return isPassing ? later(reason.kind, reason.retryAfter) : null;
}

function later(kind: "throttled" | "overloaded", seconds: number): Held {
  const status = kind === "throttled" ? 429 : 503;
  return { notice: { kind, seconds }, status, headers: { "retry-after": String(seconds) } };
}

/** Builds the context of a visitor: nobody is signed in yet, whichever session the browser had. */
export function visitorOf({ headers }: Request): StaffContext {
  return {
    db: db(),
    now: clock().now(),
    operator: null,
    address: headers.get(ADDRESS_HEADER),
    requestId: headers.get(REQUEST_ID_HEADER) ?? "",
  };
}

/** Describes the browser. `email`: what was typed, which is a stranger's word. */
export function browserOf(request: Request, email = "") {
  return {
    isKnown: processServices().limiter.knowsStaff(nameOf(email), addressOf(request)),
    userAgent: request.headers.get("user-agent"),
  };
}

/** Remembers that this operator has signed in from there. */
export function knowBrowser(request: Request, email: string): void {
  processServices().limiter.knowStaff(nameOf(email), addressOf(request));
}

/** Leads a browser that got a session on, and ends the one that it had. */
export async function admit(request: Request, path: string, cookies: readonly string[]): Promise<Response> {
  await endFormer(request);
  return leadOn(path, cookies);
}

/** Ends the session that the browser had. */
export async function endFormer(request: Request): Promise<void> {
  const context = await staffOf(request);
  if (context.operator) await signInCaller(context).signOut();
}

/**
 * Takes the first step of single sign-on, which leads back to `from`: "stale" if the form was, null if the issuer did
 * not respond.
 */
export async function issuerResponse(
  request: Request,
  { from, csrfToken = "" }: { from: string; csrfToken?: string },
): Promise<Response | "stale" | null> {
  const body = { csrfToken, callbackUrl: env().APP_URL + from };
  const { location, cookies } = await ask(request, { action: ["signin", "oidc"], body });
  if (location?.startsWith(`${env().APP_URL}${AUTH_PATH}signin`)) return "stale";
  const isFailed = !location || location.startsWith(`${env().APP_URL}${AUTH_PATH}`);
  return isFailed ? null : leadOn(location, cookies);
}

const nameOf = (email: string) => email.trim().toLowerCase();
const addressOf = (request: Request) => request.headers.get(ADDRESS_HEADER) ?? "";
