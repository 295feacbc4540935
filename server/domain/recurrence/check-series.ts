import type { Issue } from "@/server/domain/issues";
import { type Field, fieldAt } from "@/server/domain/recurrence/body-field";
import { isRuleDay, type Misfit, misfits } from "@/server/domain/recurrence/days";
import type { SentExceptions } from "@/server/domain/recurrence/exceptions";
import type { Rule } from "@/server/domain/recurrence/rule";
import { firstDayOf, type Span } from "@/server/domain/recurrence/spans";
import type { Day } from "@/server/domain/time/day";
import type { Zone } from "@/server/domain/time/zone";

export interface SeriesToCheck {
  /** Null: it could not be parsed. */
  rule: Rule | null;
  /** The event's start and end, which are the first occurrence. Null: they could not be parsed. */
  first: (Span & { allDay: boolean }) | null;
  /** The event's time zone: `tzid`, else the one inside `start`. Null: none. */
  zone: Zone | null;
  /** Null: none were sent. */
  exceptions: SentExceptions | null;
}

/**
 * Checks a series once its event is known ("Rules for recurrence", "Event-write keys": errors.invalid): a timed one
 * needs a time zone, the start must be an occurrence of the rule, exceptions must be on days of the rule, and changed
 * times must be of the series' kind. Parts that could not be parsed are skipped.
 */
export function checkSeries({ rule, first, zone, exceptions }: SeriesToCheck): Issue[] {
  const body = fieldAt([]);
  const list = body.at("recurrence", "exceptions");
  if (!first) return body.issues;
  checkKinds(first.allDay, exceptions, list);
  if (!first.allDay && !zone) {
    body.at("tzid").add("errors.invalid", "is required for a recurring event with times", "time_zone");
    return body.issues;
  }
  if (!rule) return body.issues;
  const firstDay = firstDayOf({ first, zone });
  const wrong = misfits(rule, firstDay);
  for (const field of wrong) body.at("recurrence", "rules", 0, field).add("errors.invalid", messages[field]);
  if (wrong.length === 0) checkDays({ rule, firstDay }, exceptions, list);
  return body.issues;
}

const messages: Record<Misfit, string> = {
  by_day: "must include the day of start, which is the first occurrence",
  frequency:
    "does not fit start: a monthly rule needs by_day or a start on the 1st to 28th, and a yearly rule cannot start on 29 February",
  until: "must not be before start",
};

function checkKinds(allDay: boolean, exceptions: SentExceptions | null, list: Field): void {
  for (const { index, span } of exceptions?.change ?? []) {
    if (!span || span.allDay === allDay) continue;
    const message = allDay ? "must be a date in an all-day series" : "must be a time in a series with times";
    for (const side of ["start", "end"]) list.at("change", index, side).add("errors.invalid", message);
  }
}

function checkDays({ rule, firstDay }: { rule: Rule; firstDay: Day }, sent: SentExceptions | null, list: Field): void {
  for (const name of ["add", "change"] as const) {
    for (const { index, day } of sent?.[name] ?? []) {
      if (isRuleDay(rule, firstDay, day)) continue;
      list.at(name, index, "date").add("errors.invalid", "is not an occurrence of the series");
    }
  }
}
