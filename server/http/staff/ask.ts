import { type Admission, type AuthCall, type AuthResponse, askNextAuth } from "@/server/auth/next-auth";
import { LONGEST_SESSION_MS } from "@/server/auth/session-cookie";
import { staffSecrets } from "@/server/http/staff/session-secrets";

/** Asks next-auth on behalf of a browser. */
export function ask(request: Request, call: Omit<AuthCall, "cookies">, admission?: Admission): Promise<AuthResponse> {
  const [secret] = staffSecrets();
  const given = { secret, longestSession: LONGEST_SESSION_MS / 1000, admission };
  return askNextAuth({ ...call, cookies: request.headers.get("cookie") }, given);
}
