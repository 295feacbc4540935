import { type Admission, type AuthCall, type AuthResponse, askNextAuth } from "@/server/auth/next-auth";
import { LONGEST_SESSION_MS } from "@/server/auth/session-cookie";
import { derivedKeys } from "@/server/db/sealed";

const PURPOSE = "staff sign-in";

/** The secrets of next-auth's tokens, one for each encryption key, the current one first. */
export function staffSecrets(): string[] {
  return derivedKeys(PURPOSE).map((key) => key.toString("base64url"));
}

/** Asks next-auth on behalf of a browser. */
export function ask(request: Request, call: Omit<AuthCall, "cookies">, admission?: Admission): Promise<AuthResponse> {
  const [secret] = staffSecrets();
  const given = { secret, longestSession: LONGEST_SESSION_MS / 1000, admission };
  return askNextAuth({ ...call, cookies: request.headers.get("cookie") }, given);
}
