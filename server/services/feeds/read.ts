import { hash } from "node:crypto";
import type { Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { feedWindow, LAST_READ_GRAIN_MS } from "@/server/domain/feeds";
import type { Instant } from "@/server/domain/time/instant";
import { inSlices } from "@/server/event-loop";
import { feedText } from "@/server/services/feeds/calendar-text";
import { rawInput } from "@/server/services/input";
import { openProcedure } from "@/server/services/trpc";
import { continueCalendar } from "@/server/store/events/continue-series";
import { busyFeed, feedOfToken, fullFeed, type StoredFeed, titlesFeed } from "@/server/store/feeds/feeds.sql";

/** Raised when feeds are written otherwise, so that no program keeps what it has. */
const FORMAT = 1;
const SECOND_MS = 1_000;
const TAG_LENGTH = 32;

/** What a reader is told of a feed's state, so that it need not read the same again. */
export interface FeedVersion {
  etag: string;
  /** In milliseconds, a whole second. */
  lastModified: number;
}

/** Tells the version of a feed: what was written to its calendar last, and which days it shows. */
function feedVersion(feed: StoredFeed, now: number): FeedVersion {
  const { id, detail, change, calendarName } = feed;
  const { from, to } = feedWindow(feed, now);
  const seen = JSON.stringify([FORMAT, id, change, from, to, detail === "full" ? calendarName : ""]);
  // The second after the change, so that nothing is written within the second that a reader names; never one to come.
  const changed = Math.floor(Math.max(feed.changedAt, feed.createdAt) / SECOND_MS) * SECOND_MS + SECOND_MS;
  const today = to - (feed.daysAhead + 1) * 86_400_000;
  const latest = Math.floor(now / SECOND_MS) * SECOND_MS;
  return {
    etag: `"${hash("sha256", seen, "hex").slice(0, TAG_LENGTH)}"`,
    lastModified: Math.min(Math.max(changed, today), latest),
  };
}

/** Feeds that are read after the limit on reads was asked. */
export interface FoundFeed {
  feed: StoredFeed;
  version: FeedVersion;
}

/** Finds the feed that a secret opens (GET /feeds/{token}.ics). Null: it opens none, or no longer. */
export const findFeed = openProcedure
  .input(rawInput((raw) => raw as { token: string }))
  .query(async ({ input: { token }, ctx }): Promise<FoundFeed | null> => {
    const [feed] = await run(ctx.db.query, feedOfToken, [digest(token)]);
    return feed ? { feed, version: feedVersion(feed, ctx.now) } : null;
  });

/**
 * Reads a feed that was found: its text, and the version that this text is. `isKnown`: its reader has that already. Notes
 * that it was read.
 */
export const readFeed = openProcedure
  .input(rawInput((raw) => raw as { found: FoundFeed; isKnown: boolean }))
  .mutation(async ({ input: { found, isKnown }, ctx }): Promise<{ text: string; version: FeedVersion }> => {
    const { feed, version } = found;
    await noteRead(ctx.db, feed, ctx.now);
    return isKnown ? { text: "", version } : await writtenFeed(ctx.db, feed, ctx.now);
  });

const statements = { busy: busyFeed, titles: titlesFeed, full: fullFeed };

async function writtenFeed(db: Database, feed: StoredFeed, now: number) {
  const { from, to } = feedWindow(feed, now);
  if (feed.coveredUntil !== null && feed.coveredUntil < to) {
    await continueCalendar(db, feed.calendarId, now as Instant);
  }
  const rows = await run(db.query, statements[feed.detail], [feed.calendarId, new Date(from), new Date(to)]);
  const change = rows[0]?.change ?? feed.change;
  const text = await inSlices(feedText({ feed, rows, from, now: now as Instant }));
  return { text, version: feedVersion({ ...feed, change }, now) };
}

async function noteRead({ prisma }: Database, { id, lastReadAt }: StoredFeed, now: number): Promise<void> {
  if (lastReadAt !== null && now - lastReadAt < LAST_READ_GRAIN_MS) return;
  await prisma.calendarFeed.updateMany({ where: { id }, data: { lastReadAt: new Date(now) } });
}
