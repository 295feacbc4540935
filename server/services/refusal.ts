import type { Issue } from "@/server/domain/issues";

export type OAuthError =
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "unsupported_grant_type"
  | "unauthorized_client"
  | "invalid_scope"
  | "access_denied"
  | "server_error";

/** Everything a service says no with. Only http/answer.ts knows their statuses. */
export type Reason =
  | { kind: "invalid"; issues: Issue[] }
  | { kind: "signed_out"; error: "invalid_request" | "invalid_token"; description: string }
  | { kind: "wrong_credentials" }
  | { kind: "read_only" }
  | { kind: "forbidden"; text: string }
  | { kind: "conflict"; text: string }
  | { kind: "not_found" }
  | { kind: "unknown_channel"; description: string }
  | { kind: "not_offered"; text: string }
  | { kind: "oauth"; error: OAuthError; description: string }
  | { kind: "throttled"; retryAfter: number }
  | { kind: "overloaded"; retryAfter: number };

export class Refusal extends Error {
  constructor(readonly reason: Reason) {
    super(reason.kind);
    this.name = "Refusal";
  }
}

/** A refusal with one or more issues: 422. */
export function invalid(...issues: Issue[]): Refusal {
  return new Refusal({ kind: "invalid", issues });
}

export function oauthRefusal(error: OAuthError, description: string): Refusal {
  return new Refusal({ kind: "oauth", error, description });
}
