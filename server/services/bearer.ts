import type { Database } from "@/server/db/client";
import { type Gathering, gathered } from "@/server/db/gathered";
import { digest } from "@/server/db/sealed";
import { MAX_OAUTH_FIELD } from "@/server/domain/text-limits";
import { Refusal } from "@/server/services/refusal";
import type { ShownToken } from "@/server/store/grants/bearer";
import type { Bearer } from "@/server/store/grants/bearer.sql";

/**
 * Whom the value of an Authorization header stands for ("Authentication", 3).
 * `lookUp` is `bearerOfToken`, or what gives more than that.
 * Throws `signed_out`: invalid_request when there is no bearer token in it, invalid_token when the token is unknown, expired or revoked.
 */
export async function authenticate<Found extends Bearer>(
  db: Database,
  lookUp: Gathering<ShownToken, Found>,
  { authorization, now }: { authorization: string | null; now: number },
): Promise<Found> {
  const token = /^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1];
  if (!token) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "The request has no access token" });
  }
  const isTooLong = token.length > MAX_OAUTH_FIELD;
  const bearer = isTooLong ? undefined : await gathered(db.query, lookUp, { hash: digest(token), now });
  if (!bearer) {
    throw new Refusal({
      kind: "signed_out",
      error: "invalid_token",
      description: "The access token is unknown, expired or revoked",
    });
  }
  return bearer;
}

/** Refuses the token of an application that staff disabled. Throws `signed_out` (ADR 67). */
export function refuseDisabled({ isDisabled }: Bearer): void {
  if (!isDisabled) return;
  const description = "The application is disabled";
  throw new Refusal({ kind: "signed_out", error: "invalid_token", description, isDisabled: true });
}
