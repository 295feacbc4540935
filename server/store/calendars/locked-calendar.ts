import type { Query } from "@/server/db/client";
import type { Provider } from "@/server/domain/providers";

export interface LockedCalendar {
  id: string;
  provider: Provider;
  /** The provider adds meeting links itself. */
  integratedConferencing: boolean;
  readonly: boolean;
}

/**
 * Locks a calendar of an account for the rest of the transaction, so that its writes are serialized and the times in its rows only
 * increase. Undefined: the account has no such calendar.
 */
export async function lockedCalendar(
  query: Query,
  { calendarId, accountId }: { calendarId: string; accountId: string },
): Promise<LockedCalendar | undefined> {
  const [calendar] = await query<LockedCalendar>(
    `SELECT c.id, c.readonly, p.provider, c.integrated_conferencing AS "integratedConferencing" FROM calendars c JOIN profiles p ON p.id = c.profile_id
WHERE c.id = $1 AND c.account_id = $2 FOR NO KEY UPDATE OF c`,
    [calendarId, accountId],
  );
  return calendar;
}

/**
 * SQL that returns the calendar's next change time as `stamp.changed_at`: the database's clock, later than every earlier change in
 * this calendar. `coveredUntil` is a placeholder: how far the occurrences written with it reach.
 */
export function stamp(coveredUntil: string): string {
  return `stamp AS (UPDATE calendars SET changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond'),
covered_until = least(covered_until, ${coveredUntil}::timestamptz) WHERE id = $1 RETURNING changed_at)`;
}
