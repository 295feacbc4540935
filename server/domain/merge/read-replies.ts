import { listedReplies } from "@/server/domain/events/day-replies";
import type { DayReplies, EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { localDay } from "@/server/domain/merge/series-days";
import { formatDay } from "@/server/domain/time/day";

type Override = StoredIcalRecurrence["overrides"][number];

/** The replies to single days that a five-field series has at its provider, where they are not those to the series. */
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

/** The guests of an occurrence who have another reply there, or come to it alone. */
export function guestsOtherwise({ attendees = [] }: Override["fields"], series: ReadonlyMap<string, Guest>): Guest[] {
  return attendees.filter(({ email, status }) => series.get(email)?.status !== status);
}

/** A status that is not known is no reply. */
function ownReply({ participation_status: own }: Override["fields"], { participationStatus }: EventState) {
  return own !== undefined && own !== "unknown" && own !== participationStatus ? { own } : {};
}
