import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { derivedKeys } from "@/server/db/sealed";
import { run, runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import type { Provider } from "@/server/domain/providers";
import type { HookNotice, Watch } from "@/server/providers/watching";
import { noticeChanges } from "@/server/store/mailboxes/stale-calendars";
import {
  dueWatchesStatement,
  insertWatchStatement,
  keepWatchStatement,
  noticedStatement,
  pollNowStatement,
  renewNowStatement,
  type StoredWatch,
  setWatchAsideStatement,
  type UnwatchedCalendar,
  unwatchedStatement,
  uselessWatchesStatement,
  watchedForStatement,
} from "@/server/store/mailboxes/watches.sql";

const PURPOSE = "notices of providers";

/** Loads the calendars of a profile without a watch, and its list of calendars. */
export function unwatchedCalendars(db: Database, profileId: string): Promise<UnwatchedCalendar[]> {
  return run(db.query, unwatchedStatement, [profileId]);
}

/** Loads the watches of a profile that must be renewed or started again. */
export function dueWatches(db: Database, profileId: string): Promise<StoredWatch[]> {
  return run(db.query, dueWatchesStatement, [profileId, databaseTime()]);
}

/** Loads the watches of calendars that their profile no longer has. */
export function uselessWatches(db: Database, profileId: string): Promise<StoredWatch[]> {
  return run(db.query, uselessWatchesStatement, [profileId]);
}

/** Returns for how many milliseconds the provider notifies us of changes of the list, and of most calendars. Null: it does not. */
export async function watchedFor(db: Database, profileId: string): Promise<number | null> {
  const { ms } = await runOne(db.query, watchedForStatement, [profileId, databaseTime()]);
  return ms === null ? null : Math.max(0, ms);
}

/** Derives the secret of a channel's notices: a forged notice is detected without the database. */
function secretOf(channel: string, key: Buffer): string {
  return createHmac("sha256", key).update(channel).digest("base64url");
}

/** Verifies that a notice holds the secret of its channel. Only the database knows whether the channel is still watched. */
export function isGenuine({ channel, secret }: HookNotice): boolean {
  const sent = Buffer.from(secret);
  return derivedKeys(PURPOSE).some((key) => {
    const own = Buffer.from(secretOf(channel, key));
    return own.length === sent.length && timingSafeEqual(own, sent);
  });
}

/** Creates a channel whose notices are accepted from now on. */
export async function openWatch(db: Database, profileId: string, calendarId: string | null) {
  const [key] = derivedKeys(PURPOSE);
  if (!key) throw new Error("there is no encryption key");
  const channel = randomUUID();
  await run(db.query, insertWatchStatement, [channel, profileId, calendarId, databaseTime()]);
  return { channel, secret: secretOf(channel, key) };
}

export async function keepWatch(db: Database, { channel, resource, expiresAt }: Watch): Promise<void> {
  await run(db.query, keepWatchStatement, [channel, resource, new Date(expiresAt), databaseTime()]);
}

/**
 * Postpones the watch of a channel's calendar that cannot be watched: no channel is requested again for a while.
 * `refusedFor`: why, for staff. Null: its provider notifies nobody of such a calendar.
 */
export async function setWatchAside(db: Database, channel: string, refusedFor: string | null): Promise<void> {
  await run(db.query, setWatchAsideStatement, [channel, databaseTime(), refusedFor]);
}

/** Deletes a watch: notices of the channel no longer have an effect. */
export async function dropWatch(db: Database, channel: string): Promise<void> {
  await db.prisma.providerWatch.deleteMany({ where: { channel } });
}

/** Has the calendars read that a provider's genuine notices (`isGenuine`) concern. Notices of an unknown channel have no effect. */
export async function noticeWatches(
  db: Database,
  providers: readonly Provider[],
  notices: readonly HookNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const named = notices.map(({ channel, kind }) => ({ channel, kind }));
  const noticed = await run(db.query, noticedStatement, [[...providers], JSON.stringify(named)]);
  for (const { channel } of noticed.filter(({ kind }) => kind === "ended")) await dropWatch(db, channel);
  const calendars = noticed.flatMap(({ calendarId }) => calendarId ?? []);
  if (calendars.length > 0) await noticeChanges(db, [...new Set(calendars)]);
  const toRenew = noticed.filter(({ kind }) => kind === "renew").map(({ channel }) => channel);
  if (toRenew.length > 0) await run(db.query, renewNowStatement, [toRenew, databaseTime()]);
  const isListed = ({ calendarId, kind }: (typeof noticed)[number]) => calendarId === null || kind !== "changed";
  const profiles = noticed.filter(isListed).map(({ profileId }) => profileId);
  if (profiles.length === 0) return;
  await run(db.query, pollNowStatement, [[...new Set(profiles)], databaseTime()]);
  wake("sync");
}
