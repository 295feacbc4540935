import type { AuthResponse } from "@/server/auth/next-auth";
import { cookieName, cookieValue, isSecure } from "@/server/auth/session-cookie";
import { ask } from "@/server/http/staff/ask";
import type { SignInResult } from "@/server/services/staff/second-factor/second-step";

/** As long as a pending sign-in lasts. */
const LIFE_S = 600;

type Credentials = { email: string; password: string };

/** Asks next-auth to sign somebody in by their password, which may go on with a second step: with `pending`. */
export async function askInSteps(
  request: Request,
  body: Credentials & { csrfToken: string },
  signIn: (typed: Credentials) => Promise<SignInResult | null>,
): Promise<AuthResponse & { pending: string | null }> {
  const steps: string[] = [];
  const byPassword = async (typed: Credentials) => {
    const result = await signIn(typed);
    if (result?.kind === "second_step") steps.push(result.pending);
    return result?.kind === "session" ? result.sessionId : null;
  };
  const response = await ask(request, { action: ["callback", "credentials"], body }, { byPassword });
  return { ...response, pending: steps[0] ?? null };
}

/** Has the browser keep a pending sign-in, which is sealed. */
export function stepCookie(pending: string): string {
  return cookie(pending, LIFE_S);
}

/** Builds the cookie by which the browser forgets it. */
export function endedStep(): string {
  return cookie("", 0);
}

/** Reads the pending sign-in of a browser; null when there is none. */
export function pendingStep(request: Request): string | null {
  return cookieValue(request.headers.get("cookie"), cookieName("step"));
}

function cookie(value: string, seconds: number): string {
  const secure = isSecure() ? "; Secure" : "";
  return `${cookieName("step")}=${value}; Path=/; Max-Age=${seconds}; HttpOnly${secure}; SameSite=Lax`;
}
