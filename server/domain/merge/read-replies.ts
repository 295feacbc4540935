import { listedReplies } from "@/server/domain/events/day-replies";
import type { DayReplies, EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { localDay } from "@/server/domain/merge/series-days";
import { formatDay } from "@/server/domain/time/day";

type Override = StoredIcalRecurrence["overrides"][number];

/** Lists the replies to single days of a five-field series at its provider, if they differ from those to the series. */
export function repliesIn({ overrides }: StoredIcalRecurrence, remote: EventState): Pick<RuleSeries, "replies"> {
  const byDay = new Map<string, DayReplies>();
  const series = new Map(remote.attendees.map((guest) => [guest.email, guest]));
  for (const { recurrenceId, cancelled, fields } of overrides) {
    const day = formatDay(localDay(recurrenceId));
    if (cancelled) byDay.delete(day);
    else byDay.set(day, { day, guests: guestsOtherwise(fields, series), ...ownReply(fields, remote) });
  }
  return listedReplies([...byDay.values()]);
}

/** Finds the guests of an occurrence whose reply to it differs, or who come to it alone. */
export function guestsOtherwise({ attendees = [] }: Override["fields"], series: ReadonlyMap<string, Guest>): Guest[] {
  return attendees.filter(({ email, status }) => series.get(email)?.status !== status);
}

/** Returns the owner's reply to an occurrence. An unknown status is no reply. */
function ownReply({ participation_status: own }: Override["fields"], { participationStatus }: EventState) {
  return own !== undefined && own !== "unknown" && own !== participationStatus ? { own } : {};
}
