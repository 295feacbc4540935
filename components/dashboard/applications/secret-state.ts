import type { ApplicationSecret } from "@/server/services/staff/applications/shapes";

/** A secret that expires sooner has a warning. */
const SOON_MS = 14 * 86_400_000;

type SecretState = "active" | "expiring" | "expired" | "retired";

/** Tells whether a client secret works at a time, in milliseconds since 1970, and whether it soon won't. */
export function secretState(
  { retiredAt, expiresAt }: Pick<ApplicationSecret, "retiredAt" | "expiresAt">,
  now: number,
): SecretState {
  if (retiredAt !== null) return "retired";
  if (expiresAt === null) return "active";
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "expired";
  return left < SOON_MS ? "expiring" : "active";
}

/** Reports whether a client secret is accepted and signs. */
export function isSecretActive(secret: Pick<ApplicationSecret, "retiredAt" | "expiresAt">, now: number): boolean {
  return ["active", "expiring"].includes(secretState(secret, now));
}
