import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { withoutPeople } from "@/server/domain/merge/apply-local-exceptions";
import { daysOfSeries, mainOccurrence } from "@/server/domain/merge/series-days";
import { seriesClock } from "@/server/domain/merge/series-shift";
import { dateOnClock } from "@/server/domain/merge/shift-date";
import { differing } from "@/server/domain/merge/to-ical-recurrence";
import { type Pieces, whole } from "@/server/domain/pieces";
import type { Change } from "@/server/domain/recurrence/exceptions";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcalInPieces, type IcalOccurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn, localOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

type Override = StoredIcalRecurrence["overrides"][number];

interface DayToChange {
  state: EventState;
  series: StoredIcalRecurrence;
  day: Day;
}

/**
 * Skips or changes one day's occurrence in a provider's series. A change replaces earlier times and texts of that day,
 * and keeps what others changed besides. Of several occurrences in a day all are skipped, and the one at the series'
 * own time is changed.
 * @returns null for a day on which the series has no occurrence
 */
export function changeIcalDay(
  { state, series, day }: DayToChange,
  what: { skip: true } | Omit<Change, "day">,
): StoredIcalRecurrence | null {
  const budget: Budget = { steps: SERIES_STEPS };
  const found = whole(daysOfSeries(series, [day], budget)).get(day);
  const usual = found && (mainOccurrence(series, found.occurrences) ?? found.overrides.find((one) => !one.cancelled));
  if (!found || !usual) return null;
  const { occurrences, takenOut, overrides } = found;
  const isOut = occurrences.length === takenOut.length && overrides.every(({ cancelled }) => cancelled);
  if ("skip" in what && isOut) return series;
  const isSkipped = "skip" in what;
  const changed = (one: { recurrenceId: LocalTime }) => isSkipped || one.recurrenceId === usual.recurrenceId;
  const out = isSkipped ? occurrences : takenOut.filter((one) => !changed(one));
  const cancelled = new Set(overrides.flatMap((one) => (one.cancelled && !changed(one) ? [one.recurrenceId] : [])));
  const exdates = out.filter(({ recurrenceId }) => !cancelled.has(recurrenceId));
  const [replaced, gone] = [new Set<object>(overrides.filter(changed)), new Set<object>(found.exdates)];
  const own = overrides.find((one) => one.recurrenceId === usual.recurrenceId && !one.cancelled);
  const rest = {
    ...series,
    exdates: [
      ...series.exdates.filter((one) => !gone.has(one)),
      ...exdates.map(({ recurrenceId }) => ({ text: dateOnClock(series, recurrenceId) })),
    ],
    overrides: series.overrides.filter((one) => !replaced.has(one)),
  };
  const range = overrides.find((one) => one.following && changed(one));
  const later = range ? whole(fromNextDay(rest, range)) : [];
  const override = isSkipped ? [] : [changedOccurrence(state, { usual, own, what })];
  return { ...rest, overrides: [...rest.overrides, ...later, ...override] };
}

interface OccurrenceToChange {
  usual: Pick<IcalOccurrence, "recurrenceId" | "starts" | "ends"> & {
    override?: IcalOccurrence<OccurrenceChanges>["override"];
  };
  /** An earlier override of the day, by others or the application. */
  own: Override | undefined;
  what: Omit<Change, "day">;
}

function changedOccurrence(state: EventState, { usual, own, what }: OccurrenceToChange): Override {
  const range = own?.following ? own : usual.override;
  const content = withoutPeople(range?.fields);
  const { summary: _, description: __, location: ___, ...beside } = own && !own.following ? own.fields : {};
  const { starts, ends } = what.span ?? (own?.following ? own : usual);
  const fields = { ...content, ...beside, ...differing(what.texts, { ...state, ...content }) };
  return { recurrenceId: usual.recurrenceId, starts, ends, fields };
}

const DAY_MS = 86_400_000;
/** Spans in which the next occurrence is searched for, the nearer first. */
const AHEAD_MS = [400 * DAY_MS, 40 * 366 * DAY_MS];

/**
 * Moves a change that applies to all that follow to the next occurrence without its own change. Returns nothing if it
 * was the last one.
 */
function* fromNextDay(series: StoredIcalRecurrence, range: Override): Pieces<Override[]> {
  const clock = seriesClock(series);
  const from = instantOn(clock, range.recurrenceId);
  for (const ahead of AHEAD_MS) {
    const window = { from, to: (from + ahead) as Instant };
    const expanded = yield* expandIcalInPieces({ ...series, overrides: [], zone: clock.zone }, window, {
      steps: SERIES_STEPS,
    });
    const taken = new Set(series.overrides.map(({ recurrenceId }) => recurrenceId));
    const next = expanded.occurrences.find(
      ({ recurrenceId }) => recurrenceId > range.recurrenceId && !taken.has(recurrenceId),
    );
    if (!next) continue;
    const { recurrenceId } = next;
    const starts = instantOn(clock, (recurrenceId + localOn(clock, range.starts) - range.recurrenceId) as LocalTime);
    return [{ ...range, recurrenceId, starts, ends: (starts + range.ends - range.starts) as Instant }];
  }
  return [];
}
