import { isPassing } from "@/server/db/faults";
import type { Issue } from "@/server/domain/issues";
import type { OAuthError } from "@/server/domain/oauth-errors";

/** Every reason for which a service refuses. Only http/responses.ts knows their statuses. */
export type Reason =
  | { kind: "invalid"; issues: Issue[] }
  /** `isDisabled`: the credentials are valid, but staff disabled the application. */
  | { kind: "signed_out"; error: "invalid_request" | "invalid_token"; description: string; isDisabled?: boolean }
  | { kind: "wrong_credentials"; isDisabled?: boolean }
  | { kind: "read_only" }
  | { kind: "forbidden"; text: string }
  | { kind: "conflict"; text: string }
  | { kind: "not_found" }
  | { kind: "unknown_channel"; description: string }
  | { kind: "not_offered"; text: string }
  | { kind: "oauth"; error: OAuthError; description: string }
  | { kind: "throttled"; retryAfter: number }
  /** A passing fault on our side, with the seconds to wait. */
  | { kind: "overloaded"; retryAfter: number }
  /** The client has disconnected, so nothing was done. */
  | { kind: "client_left" };

/** Identifies refusals across bundles: the server and Next's bundle each have a class of their own. */
const BRAND = Symbol.for("almanac.refusal");

export class Refusal extends Error {
  readonly [BRAND] = true;

  constructor(readonly reason: Reason) {
    super(reason.kind);
    this.name = "Refusal";
  }
}

/** Reports whether an error is a refusal, whichever bundle threw it. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && BRAND in error;
}

const BUSY_SECONDS = 5;

/**
 * Returns why something was refused, or null for an unforeseen error. An overloaded or unreachable database is not the
 * statement's fault.
 */
export function reasonOf(error: unknown): Reason | null {
  if (isRefusal(error)) return error.reason;
  return isPassing(error) ? { kind: "overloaded", retryAfter: BUSY_SECONDS } : null;
}

/** Returns the seconds to wait after several refusals. Null: none of them is about time. */
export function longestWait(reasons: readonly Reason[]): number | null {
  const waits = reasons.flatMap((reason) => ("retryAfter" in reason ? [reason.retryAfter] : []));
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Creates a refusal with one or more issues: 422. */
export function invalid(...issues: Issue[]): Refusal {
  return new Refusal({ kind: "invalid", issues });
}

export function oauthRefusal(error: OAuthError, description: string): Refusal {
  return new Refusal({ kind: "oauth", error, description });
}

/** Creates the 404 with a body for a request that names an unknown channel. */
export function unknownChannel(adjective: "" | "open " = ""): Refusal {
  return new Refusal({ kind: "unknown_channel", description: `This account has no ${adjective}channel with this id` });
}
