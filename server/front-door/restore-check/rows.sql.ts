import { int4, statement } from "@/server/db/statement";

export interface RowCounts {
  applications: number;
  accounts: number;
  calendars: number;
  events: number;
  channels: number;
  deliveries: number;
}

/** How much a database has. */
export const rowCounts = statement<RowCounts>(
  `SELECT (SELECT count(*)::int FROM applications) AS applications, (SELECT count(*)::int FROM accounts) AS accounts,
  (SELECT count(*)::int FROM calendars) AS calendars, (SELECT count(*)::int FROM events) AS events,
  (SELECT count(*)::int FROM channels) AS channels, (SELECT count(*)::int FROM deliveries) AS deliveries`,
  { applications: int4, accounts: int4, calendars: int4, events: int4, channels: int4, deliveries: int4 },
);
