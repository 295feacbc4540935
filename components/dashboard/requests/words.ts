import { STATUS_CODES } from "node:http";
import type { Tone } from "@/components/ui/state";
import type { CausedEvent } from "@/server/services/staff/requests/shapes";

/** How a status looks: our own errors are red, the caller's amber. */
export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "wait";
  return status >= 300 ? "off" : "good";
}

/** Of which RFC 9110 knows nothing. */
const more: Record<number, string> = { 499: "Client Closed Request" };

/** "422 Unprocessable Entity" */
export function statusWords(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? more[status] ?? ""}`.trimEnd();
}

/** Of a request that asked for a fault in the sandbox. */
export const REQUESTED_FAULT = "Requested fault";

/** What became of an event that was written. */
export const eventWords: Record<CausedEvent["state"], { tone: Tone; word: string }> = {
  stored: { tone: "good", word: "Stored (hosted calendar)" },
  pushed: { tone: "good", word: "Written to the provider" },
  waiting: { tone: "wait", word: "Not written to the provider yet" },
  refused: { tone: "bad", word: "Rejected by the provider" },
  deleted: { tone: "off", word: "Deleted" },
};

/** A key of an error group that is a status: the responses had no key of their own. */
export function statusOfKey(key: string): number | null {
  return /^[1-5]\d\d$/.test(key) ? Number(key) : null;
}
