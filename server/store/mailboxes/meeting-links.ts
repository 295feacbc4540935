import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { MeetingLink } from "@/server/domain/events/conferencing";
import type { Instant } from "@/server/domain/time/instant";
import { settleMeetingLink } from "@/server/store/events/settle-conferencing";
import { type AwaitedLink, dueLinksStatement, lookAgainStatement } from "@/server/store/mailboxes/meeting-links.sql";

/** Loads a profile's awaited meeting links that are due. */
export function dueLinks(db: Database, profileId: string): Promise<AwaitedLink[]> {
  return run(db.query, dueLinksStatement, [profileId, databaseTime()]);
}

export async function lookAgain(db: Database, { calendarId, id }: AwaitedLink, inMs: number): Promise<void> {
  await run(db.query, lookAgainStatement, [calendarId, id, inMs, databaseTime()]);
}

/** Stores the link, or that there is none. Notifies nobody: the application requested it. */
export async function endLooks(
  db: Database,
  { id, calendarId, eventId }: AwaitedLink,
  made: MeetingLink | "failed",
  now: Instant,
): Promise<void> {
  await settleMeetingLink(db, { calendarId, eventId, made, now });
  await db.prisma.event.updateMany({ where: { calendarId, id }, data: { linkDueAt: null } });
}
