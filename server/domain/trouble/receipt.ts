import { type Reason, reasonOf } from "@/server/domain/trouble/reasons";

/**
 * What became of the application's last write of an event: its provider doesn't have it yet, has it, or rejected it.
 * One that was given up counts as rejected.
 */
export const receiptStates = ["pending", "sent", "refused"] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** Returns why a write has not arrived. `error`: of the last attempt, as stored. Null: there was none, or it arrived. */
export function receiptReason(
  state: ReceiptState,
  { connected, error }: { connected: boolean; error: string | null },
): Reason | null {
  if (state === "sent") return null;
  if (state === "pending" && !connected) return "credentials_rejected";
  return error === null ? null : (reasonOf(error) ?? "rejected");
}
