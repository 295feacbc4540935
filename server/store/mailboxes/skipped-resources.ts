import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { UnreadResource } from "@/server/providers/unread-resource";
import { forgetSkipped, keepSkipped, skippedEtags, sweepSkipped } from "@/server/store/mailboxes/skipped-resources.sql";

/** Loads the etags of resources that could not be read, by their names. */
export async function skippedVersions(
  db: Database,
  calendarId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await run(db.query, skippedEtags, [calendarId, externalIds]);
  return new Map(rows.map(({ external_id, etag }) => [external_id, etag]));
}

/**
 * Stores which resources of a calendar could not be read, for staff and so that they are not requested again before
 * they change.
 */
export async function noteSkipped(db: Database, calendarId: string, skipped: readonly UnreadResource[]): Promise<void> {
  const rows = new Map(
    skipped.map(({ externalId, version = null, reason, isEvent = true }) => [
      externalId,
      { external_id: externalId, etag: version, reason, is_event: isEvent },
    ]),
  );
  if (rows.size > 0) await run(db.query, keepSkipped, [calendarId, JSON.stringify([...rows.values()]), databaseTime()]);
}

/** Deletes the records of resources that were read since, or are gone. */
export async function forgetRead(db: Database, calendarId: string, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length > 0) await run(db.query, forgetSkipped, [calendarId, externalIds]);
}

/** Deletes the records of resources that a full read no longer found in the calendar. */
export async function forgetGone(db: Database, calendarId: string, present: ReadonlySet<string>): Promise<void> {
  await run(db.query, sweepSkipped, [calendarId, [...present]]);
}
