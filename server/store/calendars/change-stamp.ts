/**
 * SQL that returns the calendar's next change time as `stamp.changed_at`: the database's clock, later than every earlier change in
 * this calendar. `coveredUntil` is a placeholder: how far the occurrences written with it reach.
 */
export function stamp(coveredUntil: string): string {
  return `stamp AS (UPDATE calendars SET changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond'),
covered_until = least(covered_until, ${coveredUntil}::timestamptz) WHERE id = $1 RETURNING changed_at)`;
}
