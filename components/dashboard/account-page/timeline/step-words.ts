import { closedWords } from "@/components/dashboard/deliveries/words";
import type { ChangeOutcome } from "@/server/domain/timeline/change-outcome";
import type { Timeline } from "@/server/services/staff/accounts/timeline/shapes";

type Step = Timeline["steps"][number];

/** Says what a channel did with a change. */
export function outcomeWords(outcome: ChangeOutcome): string {
  switch (outcome.kind) {
    case "not_opened":
      return "not notified: created later";
    case "closed":
      return "not notified: closed";
    case "filtered":
      return outcome.by === "calendar_ids"
        ? "filtered: calendar_ids doesn’t include this calendar"
        : "filtered: only_managed is set, and the application didn’t create the events";
    case "waits_for":
      return "waits for the webhook that is being retried";
    case "waiting":
      return "being processed";
    case "unexplained":
      return "no webhook is stored";
    default:
      return (
        notifiedWords[outcome.how] + (outcome.deliveries.length > 1 ? `, ${outcome.deliveries.length} in all` : "")
      );
  }
}

const notifiedWords = {
  new: "webhook created",
  joined: "added to a webhook that hadn’t been sent yet",
  waited: "webhook created after the retried one ended",
};

/** Says what happened, in a few words. */
export function stepWords(step: Exclude<Step, { kind: "change" | "delivery" }>, timeline: Timeline): string {
  switch (step.kind) {
    case "write":
      if (!step.write.isSandbox)
        return step.write.status < 400 ? "The application wrote an event" : "The application tried to write an event";
      return `Sandbox: ${step.write.type ?? "a change by another person"}`;
    case "channel_opened":
      return `Channel created: ${endpointOf(step.channel, timeline)}`;
    case "channel_closed":
      return `Channel closed${closedWords(step.by)}: ${endpointOf(step.channel, timeline)}`;
    case "disconnected":
      return `${timeline.profiles.find(({ id }) => id === step.profile)?.name ?? step.profile} was disconnected`;
    default:
      return "Access was revoked";
  }
}

export function endpointOf(channel: string, { channels }: Timeline): string {
  return channels.find(({ id }) => id === channel)?.endpoint ?? channel;
}

/** Names a calendar, or gives its id if it no longer exists. */
export function calendarWord(calendarId: string | null, { calendars }: Timeline): string {
  if (calendarId === null) return "a calendar";
  return calendars.find(({ id }) => id === calendarId)?.name ?? calendarId;
}
