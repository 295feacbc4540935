import { STATUS_CODES } from "node:http";
import type { Tone } from "@/components/ui/state";
import { SLOW_READ_MS } from "@/server/domain/read-share";
import { requestsKept } from "@/server/domain/retention";
import type { CausedEvent } from "@/server/services/staff/requests/shapes";

/** Chooses the tone of a status: our own errors are red, the caller's amber. */
export function statusTone(status: number): Tone {
  if (status >= 500) return "bad";
  if (status >= 400) return "wait";
  return status >= 300 ? "off" : "good";
}

/** Statuses missing from RFC 9110. */
const more: Record<number, string> = { 499: "Client Closed Request" };

/** Formats a status: "422 Unprocessable Entity". */
export function statusWords(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? more[status] ?? ""}`.trimEnd();
}

/** The label of a request that simulated an error in the sandbox. */
export const REQUESTED_FAULT = "Simulated error";

/** The states of a written event. */
export const eventWords: Record<CausedEvent["state"], { tone: Tone; word: string }> = {
  stored: { tone: "good", word: "Stored (hosted calendar)" },
  pushed: { tone: "good", word: "Written to the provider" },
  waiting: { tone: "wait", word: "Not written to the provider yet" },
  refused: { tone: "bad", word: "Rejected by the provider" },
  deleted: { tone: "off", word: "Deleted" },
};

/** Parses an error group's key that is a status: the responses had no key of their own. */
export function statusOfKey(key: string): number | null {
  return /^[1-5]\d\d$/.test(key) ? Number(key) : null;
}

export const REQUESTS_KEPT = `Requests are kept for ${requestsKept}.`;

/** Says how many of the successful reads are stored; null: all of them. */
export function storedReads(share: number): string | null {
  if (share === 1) return null;
  const some =
    share === 0
      ? "Successful reads are counted, but not stored."
      : `Of successful reads, ${Number((share * 100).toFixed(4))}% are stored, chosen at random. The rest are only counted.`;
  return `${some} Writes, errors and reads of more than ${SLOW_READ_MS / 1_000} s are always stored.`;
}
