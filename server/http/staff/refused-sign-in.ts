import { cookieName, cookieValue, isSecure } from "@/server/auth/session-cookie";

const LIFE_S = 60;
const LONGEST_EMAIL = 320;

/** Tells the sign-in page that email or password were wrong, and what to put into its first field: for a minute, and once. */
export function refusedCookie(email: string): string {
  return cookie(Buffer.from(email.slice(0, LONGEST_EMAIL)).toString("base64url"), LIFE_S);
}

/** Builds the cookie by which the browser forgets it. */
export function endedRefusal(): string {
  return cookie("", 0);
}

/** Reads the email of the attempt that was just refused; null when there was none. */
export function refusedEmail(cookies: string | null): string | null {
  const value = cookieValue(cookies, cookieName("refused"));
  return value === null ? null : Buffer.from(value, "base64url").toString().slice(0, LONGEST_EMAIL);
}

function cookie(value: string, seconds: number): string {
  const secure = isSecure() ? "; Secure" : "";
  return `${cookieName("refused")}=${value}; Path=/; Max-Age=${seconds}; HttpOnly${secure}; SameSite=Lax`;
}
