import { isPassing } from "@/server/db/faults";
import type { Issue } from "@/server/domain/issues";
import type { MaintenanceScope } from "@/server/domain/maintenance";
import type { OAuthError, RegistrationError } from "@/server/domain/oauth-errors";

/** Every reason for which a service refuses. Only http/responses.ts knows their statuses. */
export type Reason =
  | { kind: "invalid"; issues: Issue[] }
  /** `isDisabled`: the credentials are valid, but staff disabled the application. */
  | { kind: "signed_out"; error: "invalid_request" | "invalid_token"; description: string; isDisabled?: boolean }
  | { kind: "wrong_credentials"; isDisabled?: boolean }
  | { kind: "read_only" }
  | { kind: "forbidden"; text: string }
  | { kind: "conflict"; text: string }
  /** The time of a booking is not free. */
  | { kind: "taken"; conflicts: TakenTime[]; problems: object[] }
  /** The provider of an account could not be asked, so nothing was done. */
  | { kind: "unreachable"; sub: string }
  | { kind: "not_found" }
  /** If-Match names none of its states. `event`: the current one as JSON. */
  | { kind: "changed"; event: string; etag: string }
  | { kind: "unknown_channel"; description: string }
  | { kind: "not_offered"; text: string }
  | { kind: "oauth"; error: OAuthError | RegistrationError; description: string }
  | { kind: "throttled"; retryAfter: number }
  /** A passing fault on our side, with the seconds to wait. */
  | { kind: "overloaded"; retryAfter: number }
  /** Staff have switched it for maintenance: writes of the service, or all requests of the application. */
  | { kind: "maintenance"; scope: MaintenanceScope; retryAfter: number }
  /** The client has disconnected, so nothing was done. */
  | { kind: "client_left" };

/** Time that is taken in a calendar, as responses write it. */
export interface TakenTime {
  calendar_id: string;
  start: string;
  end: string;
}

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

export function oauthRefusal(error: OAuthError | RegistrationError, description: string): Refusal {
  return new Refusal({ kind: "oauth", error, description });
}

/** Creates the 404 with a body for a request that names an unknown channel. */
export function unknownChannel(adjective: "" | "open " = ""): Refusal {
  return new Refusal({ kind: "unknown_channel", description: `This account has no ${adjective}channel with this id` });
}
