import { formatCount } from "@/components/ui/number";
import type { Tone } from "@/components/ui/state";
import type { DeliveryRow, DeliveryState, DeliveryType, ReplayRow } from "@/server/services/staff/deliveries/shapes";

/** How a state looks and what it is called. */
export const stateWords: Record<DeliveryState, { tone: Tone; word: string }> = {
  pending: { tone: "wait", word: "Pending" },
  delivered: { tone: "good", word: "Delivered" },
  failed: { tone: "bad", word: "Failed" },
  cancelled: { tone: "off", word: "Cancelled" },
};

export const typeWords: Record<DeliveryType, string> = {
  verification: "verification",
  change: "change",
  profile_disconnected: "profile_disconnected",
  profile_initial_sync_completed: "profile_initial_sync_completed",
};

const errorWords: Record<string, string> = {
  dns: "name not found",
  connect: "no connection",
  tls: "TLS failed",
  timeout: "timed out",
  blocked: "address blocked",
  reset: "connection reset",
  http: "no valid HTTP",
  internal: "our own fault",
};

/** Why an attempt had no answer, in two or three words. */
export function errorWord(errorClass: string): string {
  return errorWords[errorClass] ?? errorClass;
}

/** What the last attempt came to: a status, or why there was none. */
export function lastAnswer({ lastStatus, lastError }: Pick<DeliveryRow, "lastStatus" | "lastError">): string {
  if (lastStatus !== null) return String(lastStatus);
  return lastError === null ? "–" : errorWord(lastError);
}

export const errorOptions = Object.entries(errorWords).map(([value, label]) => ({ value, label }));

/** How many of each state would be sent again, in one or two sentences. */
export function countsInWords(counts: Partial<Record<DeliveryState, number>>): string {
  const { delivered = 0, ...others } = counts;
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  const some = rest.map(([state, count]) => `${formatCount(count)} ${state}`).join(", ");
  if (delivered === 0) return some === "" ? "" : `${some}.`;
  const again = `${delivered === 1 ? "was" : "were"} delivered already and will be sent again.`;
  return rest.length === 0
    ? `All of these ${again}`
    : `${formatCount(delivered)} of these ${again} The others: ${some}.`;
}

const leftOutWords: Record<keyof ReplayRow["leftOut"], string> = {
  closed: "channel closed",
  underWay: "an attempt under way",
  takenBack: "taken back",
  changed: "no longer matching",
};

/** How a retry of many stands: only what was sent is said to be retried. */
export function replayWords(replay: Pick<ReplayRow, "state" | "retried" | "leftOut" | "total">): {
  tone: Tone;
  word: string;
  counts: string;
} {
  const { state, retried, leftOut, total } = replay;
  const counts = `${formatCount(retried)} of ${formatCount(total)}`;
  const why = (Object.keys(leftOutWords) as (keyof typeof leftOutWords)[])
    .filter((reason) => leftOut[reason] > 0)
    .map((reason) => `${formatCount(leftOut[reason])} ${leftOutWords[reason]}`);
  const isWhole = why.length === 0;
  return { ...replayState(state, isWhole), counts: isWhole ? counts : `${counts}, left out ${why.join(", ")}` };
}

function replayState(state: ReplayRow["state"], isWhole: boolean): { tone: Tone; word: string } {
  if (state === "running") return { tone: "wait", word: "Retrying" };
  if (state === "cancelled") return { tone: "off", word: "Stopped" };
  return { tone: isWhole ? "good" : "wait", word: "Retried" };
}

/** What became of a delivery that was cancelled, or of one whose attempt by hand was taken back. */
export function cancelledWords(state: DeliveryState, isAsked: boolean): string {
  if (!isAsked) return state === "cancelled" ? "The delivery is cancelled" : `The delivery is ${state}`;
  if (state === "pending") return "It is not sent now: its next attempt is made at its time";
  return `It is not sent again: the delivery is ${state}, as it was`;
}
