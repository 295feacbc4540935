import { TOTP } from "otpauth";

/** The code that an authenticator app shows at a time, in milliseconds since 1970. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret }).generate({ timestamp: now });
}
