import { env } from "@/server/env";

/** A session is over so long after the sign-in, however much it was used. */
export const LONGEST_SESSION_MS = 12 * 60 * 60_000;

const SESSION_ID = /^ses_[0-9a-f]{24}$/;

/** Whether browsers come with https, and cookies may be bound to it. */
export function isSecure(): boolean {
  return env().APP_URL.startsWith("https:");
}

/** Our cookies' names: with the prefix that ties them to this host and https where there is https. */
export function cookieName(name: "session" | "csrf" | "return" | "refused"): string {
  return `${isSecure() ? "__Host-" : ""}almanac-${name}`;
}

/** The session that a Cookie header names; null without one, and for a token that none of the secrets made. */
export async function sessionIdOf(cookies: string | null, secrets: readonly string[]): Promise<string | null> {
  const token = cookieValue(cookies, cookieName("session"));
  if (!token) return null;
  // The front door starts without it.
  const { decode } = await import("next-auth/jwt");
  for (const secret of secrets) {
    const payload = await decode({ token, secret }).catch(() => null);
    const id = payload?.sessionId;
    if (typeof id === "string" && SESSION_ID.test(id)) return id;
  }
  return null;
}

/** The Set-Cookie header that makes a browser forget its session. */
export function endedCookie(): string {
  return `${cookieName("session")}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isSecure() ? "; Secure" : ""}`;
}

/** The value of a cookie in a Cookie header; null without it. */
export function cookieValue(header: string | null, name: string): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
