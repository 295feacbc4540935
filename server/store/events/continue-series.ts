import type { Database, Query } from "@/server/db/client";
import { queryOne } from "@/server/db/query-one";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { clampWindow, storedWindow } from "@/server/domain/window";
import { stamp } from "@/server/store/calendars/change-stamp";
import { type SeriesToContinue, seriesToContinue } from "@/server/store/events/event-record";
import { materialised } from "@/server/store/events/materialised";
import { addRows, deletedAmong, type RowOwner, writeRows } from "@/server/store/events/occurrence-rows";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

const FORTNIGHT_MS = 14 * 86_400_000;

/**
 * Stores the occurrences of an account's series up to the end of the stored window, so that a read up to `needed` misses none. A new
 * row keeps its event's `updated`, because it becomes visible without being changed.
 */
export async function continueSeries(
  db: Database,
  { accountId, needed, now }: { accountId: string; needed: Instant; now: Instant },
): Promise<void> {
  const calendars = await db.query<{ id: string }>(
    "SELECT id FROM calendars WHERE account_id = $1 AND covered_until < $2",
    [accountId, formatInstant(needed)],
  );
  for (const { id } of calendars) await continueCalendar(db, id, now);
}

const CALENDARS_AT_A_TIME = 500;
/** A write to the calendar waits for at most this many events. */
const SERIES_AT_A_TIME = 100;

/** Continues the calendars whose stored occurrences end within a fortnight of what reads return. Returns how many. */
export async function continueAll(db: Database, now: Instant): Promise<number> {
  const soon = (clampWindow({}, now).to + FORTNIGHT_MS) as Instant;
  for (let continued = 0; ; ) {
    const calendars = await db.query<{ id: string }>(
      "SELECT id FROM calendars WHERE covered_until < $1 ORDER BY covered_until LIMIT $2",
      [formatInstant(soon), CALENDARS_AT_A_TIME],
    );
    for (const { id } of calendars) await continueCalendar(db, id, now);
    continued += calendars.length;
    if (calendars.length < CALENDARS_AT_A_TIME) return continued;
  }
}

/** Continues every series of one calendar to the end of the stored window, except those that have ended. */
export async function continueCalendar(db: Database, calendarId: string, now: Instant): Promise<void> {
  const { to } = storedWindow(now);
  for (let left = true; left; ) left = await db.transaction((query) => continueSome(query, calendarId, to));
}

/** The series that end first, in one short transaction. True when there may be others. */
async function continueSome(query: Query, calendarId: string, to: Instant): Promise<boolean> {
  await query("SELECT id FROM calendars WHERE id = $1 FOR NO KEY UPDATE", [calendarId]);
  const events = await seriesToContinue(query, calendarId, { before: formatInstant(to), most: SERIES_AT_A_TIME });
  for (const event of events) await continueOne(query, calendarId, { event, to });
  await query(
    `UPDATE calendars SET covered_until = (SELECT min(covered_until) FROM events WHERE calendar_id = $1 AND deleted_at IS NULL) WHERE id = $1`,
    [calendarId],
  );
  return events.length === SERIES_AT_A_TIME;
}

async function continueOne(
  query: Query,
  calendarId: string,
  { event, to }: { event: SeriesToContinue; to: Instant },
): Promise<void> {
  const { id, state } = event;
  const made = await materialised(id, state, { range: { from: event.coveredUntil, to } });
  const owner = { calendarId, masterId: id, eventId: event.eventId };
  await addRows(query, { ...owner, at: event.at }, made.rows);
  await bringBack(query, owner, await deletedAmong(query, made.rows));
  const until = made.coveredUntil === null ? null : formatInstant(made.coveredUntil);
  await query("UPDATE events SET covered_until = $2 WHERE id = $1", [id, until]);
}

/** An occurrence that had been moved beyond the stored window, and so was marked deleted, is visible again: that is a change. */
async function bringBack(query: Query, owner: Omit<RowOwner, "at">, rows: readonly OccurrenceRow[]): Promise<void> {
  if (rows.length === 0) return;
  const now = await queryOne<{ at: string }>(query, `WITH ${stamp("NULL")} SELECT changed_at::text AS at FROM stamp`, [
    owner.calendarId,
  ]);
  await writeRows(query, { ...owner, at: now.at }, rows);
}
