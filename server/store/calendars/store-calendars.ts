import type { GoesOn } from "@/server/db/batches";
import type { Connection, Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { RemoteCalendar } from "@/server/providers/connector";
import {
  calendarsOfProfile,
  insertCalendars,
  type KnownCalendar,
  type LockedProfile,
  lockProfileStatement,
  markCalendarDeleted,
  updateCalendars,
} from "@/server/store/calendars/calendars.sql";
import { emptyAtOnce, emptyCalendars } from "@/server/store/calendars/empty-calendars";
import { putChange, wakeForChange } from "@/server/store/channels/outbox";

export interface ListedCalendars {
  profileId: string;
  calendars: readonly RemoteCalendar[];
  /** Null: `calendars` is complete. Otherwise the calendars that the provider no longer has; others are unchanged. */
  gone: readonly string[] | null;
}

/**
 * Stores the calendars of a profile as their provider lists them. New ones get the account's next numbers. Missing ones
 * are marked deleted ("Calendar", calendar_deleted) with their events, and those that return are read from the
 * beginning. A visible change is signalled, except during a profile's first sync, which ends with a signal of its own.
 */
export async function storeCalendars(db: Database, listed: ListedCalendars, goesOn?: GoesOn): Promise<void> {
  const isSignalled = await db.transaction((query, prisma) => storeList({ query, prisma }, listed));
  if (isSignalled) wakeForChange();
  await emptyCalendars(db, listed.profileId, goesOn);
}

/**
 * Stores a list like `storeCalendars`, in the caller's transaction. Leaves the events of deleted calendars to
 * `emptyCalendars`. Returns whether a change is signalled.
 */
export async function storeList(
  connection: Connection,
  { profileId, calendars, gone }: ListedCalendars,
): Promise<boolean> {
  const { query } = connection;
  const profile = await lockProfile(query, profileId);
  if (!profile) return false;
  const storedCalendars = await run(query, calendarsOfProfile, [profileId]);
  const listed = new Map(calendars.map((calendar) => [calendar.externalId, asAllowed(calendar, profile.access)]));
  const isGone = (name: string) => (gone === null ? !listed.has(name) : gone.includes(name));
  const missing = storedCalendars.filter(({ external_id, deleted }) => !deleted && isGone(external_id));
  const changed = [
    ...(await addNew(query, profile, newCalendars(listed, storedCalendars))),
    ...(await update(connection, storedCalendars, listed)),
  ];
  await markDeleted(connection, missing);
  if (profile.isFirstSync) return false;
  const { accountId, at } = profile;
  for (const calendarId of changed) await putChange(query, { by: "others", accountId, calendarId, managed: false, at });
  return changed.length > 0;
}

/** Makes a calendar read-only if the user has allowed no writes. */
function asAllowed(calendar: RemoteCalendar, access: Access): RemoteCalendar {
  return access === "full" ? calendar : { ...calendar, readonly: true, integratedConferencing: false };
}

/** Locks the account first, as a revocation does, then the calendars one after another. */
async function lockProfile(query: Query, profileId: string): Promise<LockedProfile | undefined> {
  const [profile] = await run(query, lockProfileStatement, [profileId]);
  return profile;
}

function newCalendars(
  listed: ReadonlyMap<string, RemoteCalendar>,
  storedCalendars: readonly KnownCalendar[],
): RemoteCalendar[] {
  const names = new Set(storedCalendars.map(({ external_id }) => external_id));
  return [...listed.values()].filter(({ externalId }) => !names.has(externalId));
}

async function addNew(
  query: Query,
  { id, accountId }: LockedProfile,
  added: readonly RemoteCalendar[],
): Promise<string[]> {
  if (added.length === 0) return [];
  const rows = added.map((calendar) => ({
    id: newId("cal"),
    external_id: calendar.externalId,
    ...columnsOf(calendar),
  }));
  await run(query, insertCalendars, [accountId, id, JSON.stringify(rows)]);
  return rows.map(({ id: calendarId }) => calendarId);
}

/** Updates a calendar. One that was deleted has lost its events, so all of it is read again. */
async function update(
  connection: Connection,
  storedCalendars: readonly KnownCalendar[],
  listed: ReadonlyMap<string, RemoteCalendar>,
): Promise<string[]> {
  const changed = storedCalendars.flatMap(({ id, external_id, deleted, emptying, ...before }) => {
    const calendar = listed.get(external_id);
    if (!calendar) return [];
    const after = columnsOf(calendar);
    const isChanged =
      deleted || Object.entries(after).some(([name, value]) => before[name as keyof typeof before] !== value);
    return isChanged ? [{ id, external_id, emptying, ...after, isShown: deleted || isShown(before, after) }] : [];
  });
  if (changed.length === 0) return [];
  for (const { id, emptying } of changed) if (emptying) await emptyAtOnce(connection, id);
  await run(connection.query, updateCalendars, [JSON.stringify(changed)]);
  return changed.filter((row) => row.isShown).map(({ id }) => id);
}

type Columns = ReturnType<typeof columnsOf>;

/** Reports whether reads show a difference: they show neither the calendar's own time zone nor whether its guests are invited. */
function isShown({ tzid: _, invites: __, ...before }: Columns, after: Columns): boolean {
  return Object.entries(before).some(([name, value]) => after[name as keyof Columns] !== value);
}

/** Marks missing calendars deleted and drops the pending writes to their provider. */
async function markDeleted({ query, prisma }: Connection, missing: readonly KnownCalendar[]): Promise<void> {
  for (const { id } of missing) {
    await run(query, markCalendarDeleted, [id]);
    await prisma.providerWrite.deleteMany({ where: { calendarId: id } });
  }
}

function columnsOf({ name, readonly, primary, integratedConferencing, invites = null, tzid }: RemoteCalendar) {
  return { name, readonly, primary, integrated_conferencing: integratedConferencing, invites, tzid };
}
