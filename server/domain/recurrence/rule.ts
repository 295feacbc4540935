import type { Day } from "@/server/domain/time/day";

export const frequencies = ["daily", "weekly", "monthly", "yearly"] as const;
export type Frequency = (typeof frequencies)[number];

/** A weekday of a rule: 0 is Monday; `nth` of the month is 1 to 4, or -1 for the last; null in weekly rules. */
export interface RuleWeekday {
  weekday: number;
  nth: number | null;
}

/** A recurrence rule ("Recurrence rule"). With neither count nor until it never ends; weeks begin on Monday. */
export interface Rule {
  frequency: Frequency;
  interval: number;
  /** All occurrences, the first included. */
  count: number | null;
  /** The last day that may have an occurrence. */
  until: Day | null;
  byDay: readonly RuleWeekday[];
}
