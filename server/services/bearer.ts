import type { Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { MAX_OAUTH_FIELD } from "@/server/domain/text-limits";
import { Refusal } from "@/server/services/refusal";
import { type BatchLookup, loadBatched } from "@/server/store/batch-loader";
import type { ShownToken } from "@/server/store/grants/bearer";
import type { Bearer } from "@/server/store/grants/bearer.sql";

/**
 * Authenticates the value of an Authorization header ("Authentication", 3). `lookUp` is `bearerOfToken`, or a look-up
 * that returns more. Throws `signed_out`: invalid_request when it has no bearer token, invalid_token when the token is
 * unknown, expired or revoked.
 */
export async function authenticate<Found extends Bearer>(
  db: Database,
  lookUp: BatchLookup<ShownToken, Found>,
  { authorization, now }: { authorization: string | null; now: number },
): Promise<Found> {
  const token = bearerToken(authorization);
  if (!token) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "The request has no access token" });
  }
  const isTooLong = token.length > MAX_OAUTH_FIELD;
  const bearer = isTooLong ? undefined : await loadBatched(db.query, lookUp, { hash: digest(token), now });
  if (!bearer) {
    throw new Refusal({
      kind: "signed_out",
      error: "invalid_token",
      description: "The access token is unknown, expired or revoked",
    });
  }
  return bearer;
}

/** Returns the token of an Authorization header of RFC 6750; null: it has none. */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** Refuses the token of an application that staff disabled. Throws `signed_out` (ADR 67). */
export function refuseDisabled({ isDisabled }: Bearer): void {
  if (!isDisabled) return;
  const description = "The application is disabled";
  throw new Refusal({ kind: "signed_out", error: "invalid_token", description, isDisabled: true });
}
