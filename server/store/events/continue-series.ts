import type { GoesOn } from "@/server/db/batches";
import type { Database, Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { clampWindow, storedWindow } from "@/server/domain/window";
import {
  coverCalendar,
  coverEvent,
  lockCalendarRow,
  seriesToContinue,
} from "@/server/store/events/continue-series.sql";
import { type LivingEvent, livingOf } from "@/server/store/events/event-record";
import { stampText } from "@/server/store/events/events.sql";
import { expandEvent } from "@/server/store/events/expand-event";
import { addRows, deletedRows, type RowOwner, writeRows } from "@/server/store/events/occurrence-rows";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

const FORTNIGHT_MS = 14 * 86_400_000;

/**
 * Stores the occurrences of an account's series up to the end of the stored window, so that a read up to `needed`
 * misses none. A new row keeps its event's `updated`, because it becomes visible without a change.
 */
export async function continueSeries(
  db: Database,
  { accountId, needed, now }: { accountId: string; needed: Instant; now: Instant },
): Promise<void> {
  const where = { accountId, coveredUntil: { lt: new Date(needed) } };
  const calendars = await db.prisma.calendar.findMany({ select: { id: true }, where });
  for (const { id } of calendars) await continueCalendar(db, id, now);
}

const CALENDARS_AT_A_TIME = 500;
/** A write to the calendar waits for at most this many events. */
const SERIES_AT_A_TIME = 100;

/**
 * Continues the calendars whose stored occurrences end within a fortnight of what reads return. Returns true after a
 * piece, when there may be more.
 */
export async function continueAll(db: Database, now: Instant, goesOn: GoesOn = () => true): Promise<boolean> {
  const soon = (clampWindow({}, now).to + FORTNIGHT_MS) as Instant;
  for (;;) {
    const calendars = await db.prisma.calendar.findMany({
      select: { id: true },
      where: { coveredUntil: { lt: new Date(soon) } },
      orderBy: { coveredUntil: "asc" },
      take: CALENDARS_AT_A_TIME,
    });
    for (const { id } of calendars) {
      await continueCalendar(db, id, now);
      if (!goesOn()) return true;
    }
    if (calendars.length < CALENDARS_AT_A_TIME) return false;
  }
}

/** Continues every series of one calendar to the end of the stored window, except those that have ended. */
export async function continueCalendar(db: Database, calendarId: string, now: Instant): Promise<void> {
  const { to } = storedWindow(now);
  for (let hasMore = true; hasMore; ) hasMore = await db.transaction((query) => continueSome(query, calendarId, to));
}

/** Continues the series that end first, in one short transaction. Returns true when there may be others. */
async function continueSome(query: Query, calendarId: string, to: Instant): Promise<boolean> {
  await run(query, lockCalendarRow, [calendarId]);
  const events = await run(query, seriesToContinue, [calendarId, formatInstant(to), SERIES_AT_A_TIME]);
  for (const { covered, event_id, at, ...row } of events) {
    const event = { ...livingOf(row), eventId: event_id, coveredUntil: covered as Instant, at };
    await continueOne(query, calendarId, { event, to });
  }
  await run(query, coverCalendar, [calendarId]);
  return events.length === SERIES_AT_A_TIME;
}

interface SeriesToContinue extends LivingEvent {
  eventId: string | null;
  coveredUntil: Instant;
  /** Its `updated_at`, as PostgreSQL writes it. */
  at: string;
}

async function continueOne(
  query: Query,
  calendarId: string,
  { event, to }: { event: SeriesToContinue; to: Instant },
): Promise<void> {
  const { id, state } = event;
  const made = await expandEvent(id, state, { range: { from: event.coveredUntil, to } });
  const owner = { calendarId, masterId: id, eventId: event.eventId };
  await addRows(query, { ...owner, at: event.at }, made.rows);
  await bringBack(query, owner, await deletedRows(query, calendarId, made.rows));
  const until = made.coveredUntil === null ? null : formatInstant(made.coveredUntil);
  await run(query, coverEvent, [calendarId, id, until]);
}

/** Restores occurrences that had been moved beyond the stored window, and so were marked deleted: that is a change. */
async function bringBack(query: Query, owner: Omit<RowOwner, "at">, rows: readonly OccurrenceRow[]): Promise<void> {
  if (rows.length === 0) return;
  const now = await runOne(query, stampText, [owner.calendarId]);
  await writeRows(query, { ...owner, at: now.at }, rows);
}
