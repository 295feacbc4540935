import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Problem } from "@/server/domain/availability/problem";
import { groupedBy } from "@/server/domain/grouped-by";
import type { Instant } from "@/server/domain/time/instant";
import { UTC, type Zone, zone } from "@/server/domain/time/zone";
import type { Asking } from "@/server/services/trpc";
import type { AskedCalendar } from "@/server/store/busy/busy-time";
import { type MemberRow, memberCalendars } from "@/server/store/busy/members.sql";
import { continueSeries } from "@/server/store/events/continue-series";

/** Whose time is asked for. */
export interface Wanted {
  sub: string;
  /** Null: all of the account's. */
  calendarIds: ReadonlySet<string> | null;
  onlyManaged: boolean;
}

/** An account whose time is asked for, and how far it is known. */
export interface MemberTime {
  sub: string;
  zone: Zone;
  onlyManaged: boolean;
  /** The calendars that count. */
  calendarIds: string[];
  /** Why the account cannot be called free. Null: it can. */
  problem: Problem | null;
  /** Until when everything that happened at the providers is known. Null: nothing was read yet. */
  asOf: Instant | null;
  /** Those of `calendarIds` that the account does not have. */
  unknownCalendars: string[];
}

/**
 * Looks up whose time is asked for, and whether it is known until `needed`. Accounts that the caller does not have are
 * missing: those of other applications and, for an account's own token, all others.
 */
export async function findMembers(
  db: Database,
  wanted: readonly Wanted[],
  { asking, needed, now }: { asking: Asking; needed: Instant; now: Instant },
): Promise<Map<string, MemberTime>> {
  const allowed = wanted.filter(({ sub }) => asking.accountId === null || asking.accountId === sub);
  const rows = await run(db.query, memberCalendars, [allowed.map(({ sub }) => sub), asking.applicationId]);
  const byAccount = groupedBy(rows, ({ accountId }) => accountId as string);
  await continueAllSeries(db, rows, { needed, now });
  return new Map(
    allowed.flatMap((one) => {
      const own = byAccount.get(one.sub);
      return own ? [[one.sub, memberOf(one, own, now)] as const] : [];
    }),
  );
}

/** Returns what is known of an account whose access has ended: nothing. */
export function endedMember(sub: string): MemberTime {
  const nothing = { zone: UTC, onlyManaged: false, calendarIds: [], unknownCalendars: [], asOf: null };
  return { ...nothing, sub, problem: { reason: "disconnected", since: null } };
}

/** Lists the calendars of members, as `busyTime` asks for them. */
export function askedCalendars(members: Iterable<MemberTime>): (AskedCalendar & { sub: string })[] {
  return [...members].flatMap(({ sub, zone, onlyManaged, calendarIds }) =>
    calendarIds.map((calendarId) => ({ sub, calendarId, zone, onlyManaged })),
  );
}

function memberOf({ sub, calendarIds, onlyManaged }: Wanted, rows: readonly MemberRow[], now: Instant): MemberTime {
  const known = new Set(rows.map(({ calendarId }) => calendarId));
  const isNamed = ({ calendarId }: MemberRow) => calendarId !== null && calendarIds?.has(calendarId) === true;
  const relevant = calendarIds ? rows.filter(isNamed) : rows;
  const living = relevant.filter(({ calendarId, isDeleted }) => calendarId !== null && !isDeleted);
  return {
    sub,
    onlyManaged,
    zone: zone(rows[0]?.defaultTzid ?? "") ?? UTC,
    calendarIds: living.flatMap(({ calendarId }) => (calendarId === null ? [] : [calendarId])),
    problem: problemOf(relevant, living),
    asOf: oldest(living.map((row) => knownUntil(row, now))),
    unknownCalendars: calendarIds ? [...calendarIds].filter((id) => !known.has(id)) : [],
  };
}

function problemOf(relevant: readonly MemberRow[], living: readonly MemberRow[]): Problem | null {
  const lost = relevant.filter(({ connected }) => connected === false);
  if (lost.length > 0) return { reason: "disconnected", since: oldest(lost.map((row) => row.disconnectedAt)) };
  const unread = relevant.filter(isUnread);
  if (unread.length > 0) {
    return {
      reason: "initial_sync",
      since: oldest(unread.map((row) => row.calendarCreatedAt ?? row.profileCreatedAt)),
    };
  }
  if (living.length > 0) return null;
  return { reason: relevant.some(({ isDeleted }) => isDeleted) ? "calendar_deleted" : "no_calendars", since: null };
}

/** Checks whether a calendar's events are unknown so far, or the calendars of a profile. */
function isUnread({ provider, needsFirstSync, calendarId, readAt, isDeleted }: MemberRow): boolean {
  if (isDeleted) return false;
  return needsFirstSync === true || (provider !== "hosted" && calendarId !== null && readAt === null);
}

function knownUntil({ provider, failures, readAt, lastSyncAt }: MemberRow, now: Instant): number | null {
  if (provider === "hosted") return now;
  return failures === 0 ? lastSyncAt : oldest([readAt, lastSyncAt]);
}

/** Returns the earliest of several times; null if one of them is unknown, or there are none. */
function oldest(times: readonly (number | null)[]): Instant | null {
  if (times.length === 0 || times.includes(null)) return null;
  return Math.min(...(times as number[])) as Instant;
}

async function continueAllSeries(
  db: Database,
  rows: readonly MemberRow[],
  { needed, now }: { needed: Instant; now: Instant },
): Promise<void> {
  const late = rows.filter(({ coveredUntil }) => coveredUntil !== null && coveredUntil < needed);
  for (const accountId of new Set(late.map(({ accountId }) => accountId))) {
    await continueSeries(db, { accountId, needed, now });
  }
}
