import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import type { RemoteCalendar } from "@/server/providers/connector";
import { syncEarly } from "@/server/store/mailboxes/schedule";
import {
  keepFailureStatement,
  keepListingTokenStatement,
  keepSyncTokenStatement,
  listingTokenStatement,
  markPolledStatement,
  markStaleStatement,
  type StaleCalendar,
  staleStatement,
} from "@/server/store/mailboxes/stale-calendars.sql";

/**
 * Marks the calendars that must be read stale, after those of a profile were listed and stored. `reader`: the version
 * of its provider's reader.
 */
export async function markPolled(
  db: Database,
  profileId: string,
  listed: readonly Pick<RemoteCalendar, "externalId" | "ctag">[],
  reader = 0,
): Promise<void> {
  const ctags = listed.map(({ externalId, ctag }) => ({ external_id: externalId, ctag }));
  await run(db.query, markPolledStatement, [profileId, JSON.stringify(ctags), databaseTime(), reader]);
}

/**
 * Loads the calendars of a profile that must be read, the longest stale first. Omits unreadable ones that still wait,
 * unless all are requested.
 */
export function staleCalendars(
  db: Database,
  profileId: string,
  { all, reader = 0 }: { all: boolean; reader?: number },
): Promise<StaleCalendar[]> {
  return run(db.query, staleStatement, [profileId, all, databaseTime(), reader]);
}

export interface SyncedCalendar extends Pick<StaleCalendar, "id" | "staleAt" | "unseen"> {
  /** The lease of the sync. */
  lease: string;
  syncToken: string | null;
  /** The ctag from the provider's list. */
  ctag: string | null;
  /** When the sync token expires. Null: it does not. */
  validUntil: Instant | null;
  /** Whether the token continues the previous one, so that it expires no later. */
  isIncremental: boolean;
  /** False: something in it could not be read yet, so it stays stale. */
  isWhole: boolean;
  /** The milliseconds until it is read again if its provider only notifies us of others. */
  pollInMs: number;
  /** The same when nothing has changed in it for long. */
  quietPollInMs: number;
  /** The version of the reader that has read all of it. */
  reader?: number;
}

/** Stores where the next read of a calendar begins, if the profile is still claimed with this lease. */
export async function keepSyncToken(db: Database, calendar: SyncedCalendar): Promise<void> {
  const { id, lease, syncToken, ctag, validUntil, isIncremental, isWhole, staleAt, pollInMs, quietPollInMs } = calendar;
  const { reader = 0, unseen } = calendar;
  const until = validUntil === null ? null : new Date(validUntil);
  const values = [
    syncToken,
    ctag,
    until,
    isWhole,
    staleAt,
    isIncremental,
    databaseTime(),
    pollInMs,
    quietPollInMs,
    reader,
    unseen,
  ];
  await run(db.query, keepSyncTokenStatement, [id, lease, ...values]);
}

export interface UnreadCalendar extends Pick<StaleCalendar, "id" | "at"> {
  /** The lease of the sync. */
  lease: string;
  /** The error, for staff. Null: the provider says that the calendar is gone. */
  error: string | null;
  waitMs: number;
}

/** Stores that a calendar could not be read: it is retried after a while, if the profile is still claimed with this lease. */
export async function keepFailure(db: Database, { id, at, lease, error, waitMs }: UnreadCalendar): Promise<void> {
  await run(db.query, keepFailureStatement, [id, lease, databaseTime(), error, waitMs, at]);
}

/** Loads why one of a profile's calendars could not be read the last time. Null: all could. */
export async function calendarError(db: Database, profileId: string): Promise<string | null> {
  const failing = await db.prisma.calendar.findFirst({
    select: { syncError: true },
    where: { profileId, deleted: false, syncError: { not: null } },
    orderBy: { number: "asc" },
  });
  return failing?.syncError ?? null;
}

/** Loads the sync token of the next list of a profile's calendars. Null: all are listed. */
export async function listingToken(db: Database, profileId: string): Promise<string | null> {
  const [profile] = await run(db.query, listingTokenStatement, [profileId]);
  return profile?.syncToken ?? null;
}

export async function keepListingToken(
  db: Database,
  profile: { id: string; lease: string },
  syncToken: string | null,
): Promise<void> {
  await run(db.query, keepListingTokenStatement, [profile.id, profile.lease, syncToken]);
}

export async function hasCalendars(db: Database, profileId: string): Promise<boolean> {
  return (await db.prisma.calendar.findFirst({ select: { id: true }, where: { profileId, deleted: false } })) !== null;
}

/**
 * Has calendars read whose provider notified us of changes, without a poll of their profiles: at once, or soon if the
 * last read has just failed.
 */
export async function noticeChanges(db: Database, calendarIds: readonly string[]): Promise<void> {
  const marked = await run(db.query, markStaleStatement, [calendarIds, databaseTime()]);
  for (const profileId of new Set(marked.map((row) => row.profileId))) {
    const own = marked.filter((row) => row.profileId === profileId);
    await syncEarly(db, profileId, Math.min(...own.map(({ inMs }) => inMs)));
  }
}
