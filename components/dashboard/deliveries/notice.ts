import { type Reason, reasonOfAnyProvider, reasons } from "@/server/domain/trouble/reasons";

/** What a delivery says about one event. */
export interface Notice {
  /** Of a trigger that fired. */
  triggerId: string | null;
  eventUid: string | null;
  /** Of a refused write: the application's name for the event. */
  eventId: string | null;
  /** A sentence to show above the rest; null: there is nothing to explain. */
  sentence: string | null;
}

/** Reads the body of a notification about one event. Null: it is another, or unreadable. */
export function noticeOf({ type, body }: { type: string; body: string }): Notice | null {
  if (type !== "trigger" && type !== "write_refused") return null;
  const said = notificationIn(body);
  const textOf = (key: string) => (typeof said[key] === "string" ? said[key] : null);
  return {
    triggerId: textOf("trigger_id"),
    eventUid: textOf("event_uid"),
    eventId: textOf("event_id"),
    sentence: type === "trigger" ? lateWords(said.late === true) : refusedWords(textOf("reason")),
  };
}

function lateWords(isLate: boolean): string | null {
  return isLate ? "Fired late: more than a minute after its time." : null;
}

function refusedWords(reason: string | null): string {
  const known = reasons.find((one): one is Reason => one === reason);
  return `The application’s write isn’t stored at the provider. ${reasonOfAnyProvider(known ?? "rejected")}`;
}

function notificationIn(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body).notification);
  } catch {
    return {};
  }
}
