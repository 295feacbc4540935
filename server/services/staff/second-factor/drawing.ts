import { type QrCode, qrCode } from "@/server/auth/qr-code";
import { totpUri } from "@/server/auth/totp";
import { env } from "@/server/env";

/** What somebody sees who adds Almanac to an authenticator app. */
export interface FactorDrawing {
  /** To type in, where the camera is no help. */
  secret: string;
  qr: QrCode;
}

/** Draws the secret for an authenticator app. */
export function drawingOf(secret: string, email: string): FactorDrawing {
  const { hostname } = new URL(env().APP_URL);
  return { secret, qr: qrCode(totpUri(secret, { email, host: hostname })) };
}
