import type { Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
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
import { emptyCalendar } from "@/server/store/calendars/empty-calendar";
import { putChange, wakeForChange } from "@/server/store/channels/outbox";

export interface ListedCalendars {
  profileId: string;
  calendars: readonly RemoteCalendar[];
  /** Null: `calendars` are all that the provider has. Otherwise those that it has no more; what is in neither is unchanged. */
  gone: readonly string[] | null;
}

/**
 * Stores the calendars of a profile as their provider lists them. New ones get the account's next numbers. Those that are not listed
 * are marked deleted ("Calendar", calendar_deleted) with their events, and those that are listed again are read from the beginning. A
 * visible change is signalled, except during a profile's first sync, which ends with a signal of its own.
 */
export async function storeCalendars(db: Database, { profileId, calendars, gone }: ListedCalendars): Promise<void> {
  const isSignalled = await db.transaction(async (query) => {
    const profile = await lockProfile(query, profileId);
    if (!profile) return false;
    const known = await run(query, calendarsOfProfile, [profileId]);
    const listed = new Map(calendars.map((calendar) => [calendar.externalId, calendar]));
    const isGone = (name: string) => (gone === null ? !listed.has(name) : gone.includes(name));
    const missing = known.filter(({ external_id, deleted }) => !deleted && isGone(external_id));
    const changes = [
      ...(await addNew(query, profile, withoutKnown(listed, known))),
      ...(await update(query, known, listed)),
      ...(await markDeleted(query, missing)),
    ];
    if (profile.isFirstSync) return false;
    const { accountId, at } = profile;
    for (const change of changes) await putChange(query, { by: "others", accountId, ...change, at });
    return changes.length > 0;
  });
  if (isSignalled) wakeForChange();
}

/** Locks the account first, as a revocation does, then the calendars one after another. */
async function lockProfile(query: Query, profileId: string): Promise<LockedProfile | undefined> {
  const [profile] = await run(query, lockProfileStatement, [profileId]);
  return profile;
}

interface CalendarChange {
  calendarId: string;
  /** Whether events that the application wrote change with it. */
  managed: boolean;
}

function withoutKnown(listed: ReadonlyMap<string, RemoteCalendar>, known: readonly KnownCalendar[]): RemoteCalendar[] {
  const names = new Set(known.map(({ external_id }) => external_id));
  return [...listed.values()].filter(({ externalId }) => !names.has(externalId));
}

async function addNew(
  query: Query,
  { id, accountId }: LockedProfile,
  added: readonly RemoteCalendar[],
): Promise<CalendarChange[]> {
  if (added.length === 0) return [];
  const rows = added.map((calendar) => ({
    id: newId("cal"),
    external_id: calendar.externalId,
    ...columnsOf(calendar),
  }));
  await run(query, insertCalendars, [accountId, id, JSON.stringify(rows)]);
  return rows.map((row) => ({ calendarId: row.id, managed: false }));
}

/** A calendar that was deleted has lost its events, so all of it is read again. */
async function update(
  query: Query,
  known: readonly KnownCalendar[],
  listed: ReadonlyMap<string, RemoteCalendar>,
): Promise<CalendarChange[]> {
  const changed = known.flatMap(({ id, external_id, deleted, ...before }) => {
    const calendar = listed.get(external_id);
    if (!calendar) return [];
    const after = columnsOf(calendar);
    const isChanged =
      deleted || Object.entries(after).some(([name, value]) => before[name as keyof typeof before] !== value);
    return isChanged ? [{ id, external_id, ...after, isShown: deleted || isShown(before, after) }] : [];
  });
  if (changed.length === 0) return [];
  await run(query, updateCalendars, [JSON.stringify(changed)]);
  return changed.filter((row) => row.isShown).map(({ id }) => ({ calendarId: id, managed: false }));
}

type Columns = ReturnType<typeof columnsOf>;

/** Reads show neither the calendar's own time zone nor whether its guests are invited. */
function isShown({ tzid: _, invites: __, ...before }: Columns, after: Columns): boolean {
  return Object.entries(before).some(([name, value]) => after[name as keyof Columns] !== value);
}

async function markDeleted(query: Query, missing: readonly KnownCalendar[]): Promise<CalendarChange[]> {
  const changes: CalendarChange[] = [];
  for (const { id } of missing) {
    await run(query, markCalendarDeleted, [id]);
    const { hadManaged } = await emptyCalendar(query, id);
    changes.push({ calendarId: id, managed: false });
    if (hadManaged) changes.push({ calendarId: id, managed: true });
  }
  return changes;
}

function columnsOf({ name, readonly, primary, integratedConferencing, invites = null, tzid }: RemoteCalendar) {
  return { name, readonly, primary, integrated_conferencing: integratedConferencing, invites, tzid };
}
