import { fits, isRuleDay } from "@/server/domain/recurrence/days";
import type { Rule } from "@/server/domain/recurrence/rule";
import type { Span } from "@/server/domain/recurrence/spans";
import type { Day } from "@/server/domain/time/day";

/** The fields in which an occurrence differs from its series. Omitted fields are those of the series. */
export interface OccurrenceTexts {
  summary?: string;
  description?: string;
  location?: string;
}

/** A changed occurrence, by its original day; `span` null where the time is the series' own. */
export interface Change {
  day: Day;
  span: (Span & { allDay: boolean }) | null;
  texts: OccurrenceTexts;
}

/** The days of a series that it skips or changes: no day is in both, and none twice. */
export interface Exceptions {
  skipped: readonly Day[];
  changed: readonly Change[];
}

/** What a write says about exceptions; an omitted list keeps the stored one, a sent one replaces it. */
export interface SentExceptions {
  /** `index`: where in `exceptions.add` the day was named. */
  add: readonly { index: number; day: Day }[] | null;
  /** `index`: where in `exceptions.change` it stands. */
  change: readonly (Change & { index: number })[] | null;
}

/**
 * The exceptions of a rewritten series ("Rules for recurrence"): sent lists replace the kept ones; a day that one list sends
 * is out of the other's kept entries.
 */
export function mergeExceptions(kept: Exceptions, { add, change }: SentExceptions): Exceptions {
  const skipped = add?.map(({ day }) => day);
  const changed = change?.map(({ day, span, texts }) => ({ day, span, texts })).filter(saysAnything);
  const named = new Set([...(skipped ?? []), ...(change ?? []).map(({ day }) => day)]);
  return {
    skipped: skipped ?? kept.skipped.filter((day) => !named.has(day)),
    changed: changed ?? kept.changed.filter(({ day }) => !named.has(day)),
  };
}

/**
 * The kept exceptions that still have a place in a rewritten series: those on days the new rule no longer has are dropped,
 * and so are changed times of the former kind where a timed series became all-day or an all-day one timed.
 * @param first the day of the new first occurrence
 * @param was whether the series took whole days before
 */
export function keepExceptions(
  { skipped, changed }: Exceptions,
  { rule, first, allDay, was }: { rule: Rule; first: Day; allDay: boolean; was: boolean },
): Exceptions {
  if (!fits(rule, first)) return { skipped: [], changed: [] };
  return {
    skipped: skipped.filter((day) => isRuleDay(rule, first, day)),
    changed: suitedChanges(changed, { allDay, was: () => was }).filter(({ day }) => isRuleDay(rule, first, day)),
  };
}

type ChangedContent = Pick<Change, "texts"> & { span: { allDay: boolean } | null };

/**
 * Changed occurrences without times of the kind that the series was of before and is not any more, and without those that say nothing
 * then. Where others gave a day a kind of its own, it keeps that.
 */
export function suitedChanges<One extends ChangedContent>(
  changed: readonly One[],
  { allDay, was }: { allDay: boolean; was(one: One): boolean },
): One[] {
  const isFormer = (one: One) => one.span !== null && one.span.allDay !== allDay && one.span.allDay === was(one);
  const suited = changed.map((one) => (isFormer(one) ? { ...one, span: null } : one));
  return suited.filter(saysAnything);
}

function saysAnything({ span, texts }: ChangedContent): boolean {
  return span !== null || Object.keys(texts).length > 0;
}
