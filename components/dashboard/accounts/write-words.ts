import type { WriteState } from "@/server/domain/provider-writes";
import type { ReceiptState } from "@/server/domain/trouble/receipt";
import type { FailedWrite } from "@/server/services/staff/accounts/shapes";

/** Returns what the API's receipt says. */
export function receiptState({ refusedAt, waitsForReconnect }: FailedWrite): ReceiptState {
  return refusedAt && !waitsForReconnect ? "refused" : "pending";
}

/** Reverted: reads return the provider's version again, so there is nothing left to send. */
const stateWords: Record<WriteState, string> = {
  queued: "Retrying",
  writing: "Retrying",
  retrying: "Retrying",
  suspended: "Waiting for reconnect",
  refused: "Rejected",
  given_up: "Gave up",
  reverted: "Rejected, reverted",
};

/** Describes the state of a write to a provider. */
export function stateWord({
  state,
  attempts,
  lastError,
  waitsForReconnect,
}: Pick<FailedWrite, "state" | "attempts" | "lastError" | "waitsForReconnect">): string {
  if (waitsForReconnect) return stateWords.suspended;
  return state === "queued" && attempts === 0 && lastError === null ? "Queued" : stateWords[state];
}
