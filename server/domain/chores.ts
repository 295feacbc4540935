/** When a chore is done: a cron of five fields in UTC, and its interval in seconds. */
export interface ChoreTimes {
  cron: string;
  everyS: number;
}

const fiveMinutes: ChoreTimes = { cron: "*/5 * * * *", everyS: 300 };
const hourly: ChoreTimes = { cron: "41 * * * *", everyS: 3_600 };
const nightly: ChoreTimes = { cron: "17 3 * * *", everyS: 86_400 };

/**
 * Every recurring chore. Credentials that no application exchanged and deleted applications do not wait for the night:
 * their access ended with the click.
 */
export const choreTimes = {
  "erase-deleted-applications": fiveMinutes,
  "clear-expired-holds": hourly,
  "revoke-unexchanged": hourly,
  "close-visits": hourly,
  "drop-expired-request-logs": nightly,
  "drop-old-request-counts": nightly,
  "drop-expired-tokens": nightly,
  "forget-bookings": nightly,
  "prepare-delivery-days": nightly,
  "drop-old-deliveries": nightly,
  "drop-old-staff-rows": nightly,
  "continue-series": nightly,
} as const satisfies Record<string, ChoreTimes>;

export type ChoreId = keyof typeof choreTimes;

/** After so many intervals without success a chore is called late, here and by the alert AlmanacChoreLate. */
const LATE_INTERVALS = 3;

/** Names the chores that are late at a time in milliseconds since 1970, by when each was last done. */
export function lateChores(done: readonly { id: string; doneAt: Date }[], now: number): ChoreId[] {
  const times: Readonly<Record<string, ChoreTimes>> = choreTimes;
  const isLate = ({ id, doneAt }: { id: string; doneAt: Date }) =>
    now - doneAt.getTime() > LATE_INTERVALS * 1_000 * (times[id]?.everyS ?? Number.POSITIVE_INFINITY);
  return done.filter(isLate).map(({ id }) => id as ChoreId);
}
