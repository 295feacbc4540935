import type { IncomingMessage, ServerResponse } from "node:http";
import { sessionIdOf } from "@/server/auth/session-cookie";
import { signInLink } from "@/server/http/staff/return-path";
import { staffSecrets } from "@/server/http/staff/session-secrets";

/** Pages that need a session; those that do not are routes of their own. An export leads back to its page by itself. */
const STAFF = /^\/dashboard(?!\/(?:sign-in|invitation)(?:\/|$))(?!.*\/export$)(?:\/|$)/;

/** Where a request is led to instead of its page. Null: to its page. */
export type LeadElsewhere = (pathname: string, req: IncomingMessage) => Promise<string | null>;

/**
 * Leads whoever has no session to the sign-in page without rendering anything: Next needs 20 ms of the processor for that, and strangers may
 * ask for it as often as they like (ADR 87). Whether a session is still open is for the page to find out.
 */
export const signInWithoutSession: LeadElsewhere = async (pathname, { url = "", headers: { cookie = "" } }) => {
  if (!STAFF.test(decodeURIComponent(pathname))) return null;
  return (await sessionIdOf(cookie, staffSecrets())) === null ? signInLink(url) : null;
};

export function sendElsewhere(res: ServerResponse, location: string): void {
  res.writeHead(307, { location, "cache-control": "no-store", "content-length": 0 });
  res.end();
}
