import type { Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { RemoteCalendar } from "@/server/providers/connector";
import { emptyCalendar } from "@/server/store/calendars/empty-calendar";
import { putChange, wakeForChange } from "@/server/store/channels/outbox";

export interface ListedCalendars {
  profileId: string;
  /** All calendars that the provider has. */
  calendars: readonly RemoteCalendar[];
}

/**
 * Stores the calendars of a profile as their provider lists them. New ones get the account's next numbers. Those that are not listed
 * are marked deleted ("Calendar", calendar_deleted) with their events, and those that are listed again are read from the beginning. A
 * visible change is signalled, except during a profile's first sync, which ends with a signal of its own.
 */
export async function storeCalendars(db: Database, { profileId, calendars }: ListedCalendars): Promise<void> {
  const isSignalled = await db.transaction(async (query) => {
    const profile = await lockProfile(query, profileId);
    if (!profile) return false;
    const known = await query<KnownCalendar>(knownOfProfile, [profileId]);
    const listed = new Map(calendars.map((calendar) => [calendar.externalId, calendar]));
    const missing = known.filter(({ external_id, deleted }) => !deleted && !listed.has(external_id));
    const changes = [
      ...(await addNew(query, profile, withoutKnown(listed, known))),
      ...(await update(query, known, listed)),
      ...(await markDeleted(query, missing)),
    ];
    if (profile.isFirstSync) return false;
    const { accountId, at } = profile;
    for (const change of changes) await putChange(query, { accountId, ...change, at });
    return changes.length > 0;
  });
  if (isSignalled) wakeForChange();
}

interface LockedProfile {
  id: string;
  accountId: string;
  isFirstSync: boolean;
  /** The time of the change, in milliseconds. */
  at: number;
}

/** Locks the account first, as a revocation does, then the calendars one after another. */
async function lockProfile(query: Query, profileId: string): Promise<LockedProfile | undefined> {
  const [profile] = await query<LockedProfile>(
    `SELECT p.id, a.id AS "accountId", p.initial_sync_required AS "isFirstSync", floor(date_part('epoch', clock_timestamp()) * 1000) AS at
FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE p.id = $1 AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a`,
    [profileId],
  );
  return profile;
}

interface KnownCalendar {
  id: string;
  external_id: string;
  name: string;
  readonly: boolean;
  primary: boolean;
  deleted: boolean;
  integrated_conferencing: boolean;
  tzid: string | null;
}

const knownOfProfile = `SELECT id, external_id, name, readonly, "primary", deleted, integrated_conferencing, tzid FROM calendars
WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE`;

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
  await query(
    `INSERT INTO calendars (account_id, profile_id, number, ${Object.keys(kinds).join(", ")})
SELECT $1, $2, row_number() OVER () + (SELECT coalesce(max(number), 0) FROM calendars WHERE account_id = $1), ${Object.keys(
      kinds,
    )
      .map((name) => `r.${name}`)
      .join(", ")} FROM ${recordset("$3")}`,
    [accountId, id, JSON.stringify(rows)],
  );
  await query(
    "UPDATE accounts SET calendar_count = (SELECT count(*) FROM calendars WHERE account_id = $1) WHERE id = $1",
    [accountId],
  );
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
  await query(
    `UPDATE calendars c SET name = r.name, readonly = r.readonly, "primary" = r."primary", tzid = r.tzid,
  integrated_conferencing = r.integrated_conferencing, cursor = CASE WHEN deleted THEN NULL ELSE cursor END,
  version = CASE WHEN deleted THEN NULL ELSE version END, deleted = false FROM ${recordset("$1")} WHERE c.id = r.id`,
    [JSON.stringify(changed)],
  );
  return changed.filter((row) => row.isShown).map(({ id }) => ({ calendarId: id, managed: false }));
}

type Columns = ReturnType<typeof columnsOf>;

/** Reads never show the calendar's own time zone. */
function isShown({ tzid: _, ...before }: Columns, after: Columns): boolean {
  return Object.entries(before).some(([name, value]) => after[name as keyof Columns] !== value);
}

async function markDeleted(query: Query, missing: readonly KnownCalendar[]): Promise<CalendarChange[]> {
  const changes: CalendarChange[] = [];
  for (const { id } of missing) {
    await query("UPDATE calendars SET deleted = true, cursor = NULL, version = NULL WHERE id = $1", [id]);
    const { hadManaged } = await emptyCalendar(query, id);
    changes.push({ calendarId: id, managed: false });
    if (hadManaged) changes.push({ calendarId: id, managed: true });
  }
  return changes;
}

function columnsOf({ name, readonly, primary, integratedConferencing, tzid }: RemoteCalendar) {
  return { name, readonly, primary, integrated_conferencing: integratedConferencing, tzid };
}

const kinds: Record<string, string> = {
  id: "text",
  external_id: "text",
  name: "text",
  readonly: "boolean",
  '"primary"': "boolean",
  integrated_conferencing: "boolean",
  tzid: "text",
};

function recordset(place: string): string {
  const columns = Object.entries(kinds).map(([name, kind]) => `${name} ${kind}`);
  return `json_to_recordset(${place}::json) AS r(${columns.join(", ")})`;
}
