/**
 * SQL that returns the calendar's next change time as `stamp.changed_at`: the database's clock, later than every earlier change in
 * this calendar, which is locked until the end of the transaction. `coveredUntil` is a placeholder: how far the occurrences written with it reach.
 * `condition`: what must be true of the calendar, or there is no stamp.
 */
export function stamp(coveredUntil: string, condition = "id = $1"): string {
  return `stamp AS (UPDATE calendars SET changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond'),
covered_until = least(covered_until, ${coveredUntil}::timestamptz) WHERE ${condition} RETURNING changed_at, profile_id, account_id)`;
}
