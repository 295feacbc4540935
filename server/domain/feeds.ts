import type { Instant } from "@/server/domain/time/instant";
import { READ_WINDOW_DAYS_AHEAD, READ_WINDOW_DAYS_BACK, type Window } from "@/server/domain/window";

/** What the readers of a calendar feed see of an event: that its time is taken, its title too, or all but its people. */
export const feedDetails = ["busy", "titles", "full"] as const;
export type FeedDetail = (typeof feedDetails)[number];

/** The most feeds of a calendar. */
export const MAX_FEEDS = 50;
export const MAX_FEED_DAYS_BACK = READ_WINDOW_DAYS_BACK;
export const MAX_FEED_DAYS_AHEAD = READ_WINDOW_DAYS_AHEAD;
/** What a feed holds at most: what lies furthest ahead is left out. */
export const MAX_FEED_OCCURRENCES = 20_000;
export const MAX_FEED_BYTES = 8 * 1024 ** 2;
/** How often calendar programs are asked to read a feed. */
export const FEED_REFRESH = "PT1H";
/** The last read is noted to the minute. */
export const LAST_READ_GRAIN_MS = 60_000;

const DAY_MS = 86_400_000;

/** Computes what a feed shows: whole days in UTC, today's among them, so that it changes once a day by itself. */
export function feedWindow({ daysBack, daysAhead }: { daysBack: number; daysAhead: number }, now: number): Window {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return { from: (today - daysBack * DAY_MS) as Instant, to: (today + (daysAhead + 1) * DAY_MS) as Instant };
}
