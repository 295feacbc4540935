import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { UnreadResource } from "@/server/providers/unread-resource";
import { forgetSkipped, keepSkipped, skippedEtags, sweepSkipped } from "@/server/store/mailboxes/skipped-resources.sql";

/** The etags of resources that could not be read, by their names. */
export async function skippedVersions(
  db: Database,
  calendarId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await run(db.query, skippedEtags, [calendarId, externalIds]);
  return new Map(rows.map(({ external_id, etag }) => [external_id, etag]));
}

/** Stores what could not be read of a calendar, for staff and so that it is not asked for again before it changes. */
export async function noteSkipped(db: Database, calendarId: string, skipped: readonly UnreadResource[]): Promise<void> {
  const rows = new Map(
    skipped.map(({ externalId, version = null, reason, isEvent = true }) => [
      externalId,
      { external_id: externalId, etag: version, reason, is_event: isEvent },
    ]),
  );
  if (rows.size > 0) await run(db.query, keepSkipped, [calendarId, JSON.stringify([...rows.values()]), databaseTime()]);
}

/** Forgets resources that were read since, or are gone. */
export async function forgetRead(db: Database, calendarId: string, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length > 0) await run(db.query, forgetSkipped, [calendarId, externalIds]);
}

/** Forgets, after a full read, what is no longer in the calendar. */
export async function forgetGone(db: Database, calendarId: string, present: ReadonlySet<string>): Promise<void> {
  await run(db.query, sweepSkipped, [calendarId, [...present]]);
}
