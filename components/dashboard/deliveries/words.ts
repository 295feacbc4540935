import { formatCount, formatDuration } from "@/components/ui/number";
import type { Tone } from "@/components/ui/state";
import type { errorClasses } from "@/server/domain/channels/error-classes";
import type { AttemptRow, DeliveryProgress, ReplayPreview } from "@/server/services/staff/deliveries/shapes";
import type { DeliveryRow, DeliveryState } from "@/server/services/staff/lists/deliveries";

interface StateWord {
  tone: Tone;
  word: string;
}

/** The look and the name of each state. */
export const stateWords: Record<DeliveryState, StateWord> = {
  pending: { tone: "wait", word: "Pending" },
  delivered: { tone: "good", word: "Delivered" },
  failed: { tone: "bad", word: "Failed" },
  cancelled: { tone: "off", word: "Canceled" },
};

/** The same, but pending deliveries are split: waiting for the first attempt, or for another one after a failure. */
const shownStates = {
  failed: stateWords.failed,
  retrying: { tone: "wait", word: "Retrying" },
  queued: { tone: "off", word: "Queued" },
  delivered: stateWords.delivered,
  cancelled: stateWords.cancelled,
} satisfies Record<string, StateWord>;

/** Pending for as long as its endpoint is paused. No filter has it. */
const held: StateWord = { tone: "off", word: "Held" };

export const stateOptions = Object.entries(shownStates).map(([value, { word }]) => ({ value, label: word }));

interface Shown extends Pick<DeliveryRow, "state" | "retrying"> {
  nextAttemptAt: string | number | null;
}

/** Returns the state of a delivery as lists show it. One that is pending without a next attempt is held. */
export function shownState({ state, retrying, nextAttemptAt }: Shown): StateWord {
  if (state !== "pending") return stateWords[state];
  if (nextAttemptAt === null) return held;
  return retrying ? shownStates.retrying : shownStates.queued;
}

const errorWords: Record<string, string> = {
  dns: "DNS lookup failed",
  connect: "could not connect",
  tls: "TLS handshake failed",
  timeout: "timed out",
  blocked: "address not public",
  reset: "connection closed",
  http: "invalid HTTP response",
  internal: "internal error",
} satisfies Record<(typeof errorClasses)[number], string>;

/** Says in two or three words why an attempt got no response. */
export function errorWord(errorClass: string): string {
  return errorWords[errorClass] ?? errorClass;
}

/** Formats the result of the last attempt: a status code, or why there was none. */
export function lastAnswer({ lastStatus, lastError }: Pick<DeliveryRow, "lastStatus" | "lastError">): string {
  if (lastStatus !== null) return String(lastStatus);
  return lastError === null ? "–" : errorWord(lastError);
}

export const errorOptions = Object.entries(errorWords).map(([value, label]) => ({ value, label }));

const closers: Record<string, string> = {
  delete: " by the application",
  staff: " by staff",
  revoke: " when the account was revoked",
  gone: " after its endpoint responded with 410",
};

/** Says what closed a channel, to follow "closed 3 d ago". */
export function closedWords(closedBy: string | null): string {
  return closers[closedBy ?? ""] ?? "";
}

/** Formats the result of an attempt: "Attempt 7 failed: 500 in 18 ms". */
export function attemptWords(
  { number, status, errorClass, durationMs }: NonNullable<DeliveryProgress["last"]>,
  what = `Attempt ${number}`,
): string {
  const result = status ?? errorWord(errorClass ?? "no response");
  const how = durationMs === null ? `${result}` : `${result} in ${formatDuration(durationMs)}`;
  return `${what} ${isAccepted({ status }) ? "delivered" : "failed"}: ${how}`;
}

export function isAccepted({ status }: Pick<AttemptRow, "status">): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Counts the deliveries that a bulk retry would send. */
export function sendable({ states }: Pick<ReplayPreview, "states">): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

/** Says what a bulk retry would send: how many of each state, and how many can't be sent. */
export function previewWords({ states, closed }: Pick<ReplayPreview, "states" | "closed">): string {
  const some = countsInWords(states);
  if (closed === 0) return some || "No deliveries match.";
  if (some !== "")
    return `${some} ${formatCount(closed)} more can’t be sent: ${closed === 1 ? "its channel is" : "their channels are"} closed.`;
  return closed === 1 ? "It can’t be sent: its channel is closed." : "None can be sent: their channels are closed.";
}

/** Says how many deliveries of each state would be sent again, in one or two sentences. */
function countsInWords({ delivered = 0, ...others }: ReplayPreview["states"]): string {
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  const some = rest.map(([state, count]) => `${formatCount(count)} ${countedWords[state] ?? state}`).join(", ");
  if (delivered === 0) return some === "" ? "" : `${some}.`;
  const again = `${delivered === 1 ? "was" : "were"} already delivered and will be sent again.`;
  return rest.length === 0 ? `All of them ${again}` : `${formatCount(delivered)} of them ${again} The others: ${some}.`;
}

const countedWords: Partial<Record<string, string>> = { cancelled: "canceled", pending: "waiting" };

/** Says what became of a canceled delivery, or of one whose manual retry was canceled. */
export function cancelledWords(state: DeliveryState, wasManual: boolean): string {
  if (!wasManual) return `Delivery ${countedWords[state] ?? state}`;
  if (state === "pending") return "Retry canceled. The next scheduled attempt is unchanged.";
  return `Retry canceled. The delivery is still ${countedWords[state] ?? state}.`;
}

/** Says what triggered a delivery, unless the changes that it announces are known. */
export function causeWords({ test, type }: Pick<DeliveryRow, "test" | "type">): string {
  return test ? "A test event" : causes[type];
}

const causes: Record<DeliveryRow["type"], string> = {
  verification: "Creation of the channel",
  change: "Change by others",
  trigger: "The trigger’s time",
  profile_disconnected: "The user must reconnect",
  profile_initial_sync_completed: "The first sync ended",
  write_refused: "The provider rejected a write",
};
