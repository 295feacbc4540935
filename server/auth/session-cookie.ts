import { env } from "@/server/env";

/** The longest life of a session after the sign-in, however much it is used. */
export const LONGEST_SESSION_MS = 12 * 60 * 60_000;

const SESSION_ID = /^ses_[0-9a-f]{24}$/;

/** Reports whether browsers use https, so that cookies can be bound to it. */
export function isSecure(): boolean {
  return env().APP_URL.startsWith("https:");
}

/** Returns the name of a cookie, with the prefix that ties it to this host and https where there is https. */
export function cookieName(name: "session" | "csrf" | "return" | "refused" | "step"): string {
  return `${isSecure() ? "__Host-" : ""}almanac-${name}`;
}

/** Finds the session in a Cookie header. Returns null if there is none, or none of the secrets made its token. */
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

/** Returns the Set-Cookie header that makes a browser forget its session. */
export function endedCookie(): string {
  return `${cookieName("session")}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isSecure() ? "; Secure" : ""}`;
}

/** Finds the value of a cookie in a Cookie header, or null. */
export function cookieValue(header: string | null, name: string): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
