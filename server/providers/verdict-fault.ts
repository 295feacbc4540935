import type { Verdict } from "@/server/domain/provider-responses/verdicts";
import { ProviderError, type ProviderFault } from "@/server/providers/connector";
import { retryAfter } from "@/server/providers/retry-after";

/** Gives the error of a response whose verdict its request doesn't handle itself. `detail`: for staff. */
export function verdictError(verdict: Verdict, headers: Headers, detail: string): ProviderError {
  return new ProviderError(faultOf(verdict, retryAfter(headers)), detail);
}

function faultOf(verdict: Verdict, after: number | null): ProviderFault {
  switch (verdict) {
    case "reconnect":
    case "replace_token":
      return { kind: "credentials_rejected" };
    case "wait_mailbox":
      return { kind: "throttled", after, scope: "mailbox" };
    case "wait_service":
      return { kind: "throttled", after, scope: "application" };
    case "retry":
      return after === null ? { kind: "down" } : { kind: "throttled", after, scope: "request" };
    case "read_all":
      return { kind: "sync_token_expired" };
    case "changed":
    case "exists":
      return { kind: "conflict" };
    case "gone":
    case "done":
      return { kind: "gone" };
    case "misconfigured":
    case "no_mailbox":
      return { kind: verdict };
    case "undo":
    case "skip":
    case "no_watch":
    case "never_watched":
      return { kind: "refused" };
  }
}
