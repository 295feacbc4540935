import { fits, isRuleDay } from "@/server/domain/recurrence/days";
import type { Rule } from "@/server/domain/recurrence/rule";
import type { Span } from "@/server/domain/recurrence/spans";
import type { Day } from "@/server/domain/time/day";

/** The fields in which an occurrence differs from its series. Omitted: the series' own. */
export interface OccurrenceTexts {
  summary?: string;
  description?: string;
  location?: string;
}

/** A changed occurrence, by its original day. `span` is null if the time is the series' own. */
export interface Change {
  day: Day;
  span: (Span & { allDay: boolean }) | null;
  texts: OccurrenceTexts;
}

/** The days that a series skips or changes. No day is in both, and none twice. */
export interface Exceptions {
  skipped: readonly Day[];
  changed: readonly Change[];
}

/** Exceptions in a write: an omitted list keeps the stored one, a sent one replaces it. */
export interface SentExceptions {
  /** `index`: the day's position in `exceptions.add`. */
  add: readonly { index: number; day: Day }[] | null;
  /** `index`: its position in `exceptions.change`. */
  change: readonly (Change & { index: number })[] | null;
}

/**
 * Combines the exceptions of a rewritten series ("Rules for recurrence"): sent lists replace the kept ones, and a day
 * in one sent list is removed from the other's kept entries.
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
 * Keeps the exceptions that still fit a rewritten series: drops those on days the new rule no longer has, and changed
 * times of the former kind where a timed series became all-day or the reverse.
 * @param first the day of the new first occurrence
 * @param was whether the series lasted whole days before
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
 * Drops changed times of the kind that the series no longer has, and changes that are empty without them. A day to
 * which others gave a kind of its own keeps it.
 */
export function suitedChanges<One extends ChangedContent>(
  changed: readonly One[],
  { allDay, was }: { allDay: boolean; was(one: One): boolean },
): One[] {
  const isFormer = (one: One) => one.span !== null && one.span.allDay !== allDay && one.span.allDay === was(one);
  const suited = changed.map((one) => (isFormer(one) ? { ...one, span: null } : one));
  return suited.filter(saysAnything);
}

/** Reports whether a change of a day leaves a difference from the series. */
export function saysAnything({ span, texts }: ChangedContent): boolean {
  return span !== null || Object.keys(texts).length > 0;
}
