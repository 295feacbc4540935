import { Secret, TOTP } from "otpauth";
import { RECOVERY_CODES } from "@/server/domain/second-factor";

/** RFC 6238 with what every authenticator app expects: SHA-1, 6 digits, 30 seconds. */
const PERIOD_S = 30;
/** Codes of the step before and after are accepted too: clocks differ, and typing takes time (RFC 6238 §5.2). */
const WINDOW = 1;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_BYTES = 10;

/** Generates the secret that an authenticator app and Almanac share, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Generates recovery codes of 80 random bits, so that their digests need no salt. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase());
}

/**
 * Returns the time step of which a code of six digits is, by comparisons in constant time; null for a wrong code. `now` is in
 * milliseconds since 1970.
 */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const given = { secret: Secret.fromBase32(secret), token: code, period: PERIOD_S, window: WINDOW, timestamp: now };
  const delta = TOTP.validate(given);
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}

/** Builds the otpauth URI that an authenticator app reads from a QR code. `host` tells several installations apart. */
export function totpUri(secret: string, { email, host }: { email: string; host: string }): string {
  const totp = new TOTP({ issuer: `Almanac (${host})`, label: email, secret: Secret.fromBase32(secret) });
  return totp.toString();
}
