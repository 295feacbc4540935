import { createHash } from "node:crypto";
import { clock } from "@/server/clock";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { MAX_SUBSCRIBED_OCCURRENCES } from "@/server/domain/subscriptions";
import type { Instant } from "@/server/domain/time/instant";
import { storedWindow } from "@/server/domain/window";
import { inSlices, slices } from "@/server/event-loop";
import { feedRead, type ReadFeed } from "@/server/providers/caldav/icalendar/read/read-feed";
import { MOST_DATES } from "@/server/providers/caldav/icalendar/read/read-series";
import { largeDocument } from "@/server/providers/caldav/large-document";
import { occurrencesIn } from "@/server/providers/feed/count-occurrences";
import { unusable } from "@/server/providers/feed/unusable";

export interface ReadCalendar extends ReadFeed {
  /** Changes with any event. */
  ctag: string;
}

/** Characters from which on feeds are read one after another, because of the memory that they take. */
const LARGE = 1024 * 1024;
/** What all series of a feed may cost: a few seconds, in slices. No feed within the other limits comes near it. */
const MOST_STEPS = 100 * SERIES_STEPS;

/** Reads the text of a feed. Throws `unusable` for one that is no calendar, or too large a one. */
export async function readCalendar(text: string): Promise<ReadCalendar> {
  const leave = text.length > LARGE ? await largeDocument() : () => {};
  try {
    return await read(text);
  } finally {
    leave();
  }
}

async function read(text: string): Promise<ReadCalendar> {
  const pause = slices();
  const feed = await inSlices(feedRead(text, { mostEvents: MAX_SUBSCRIBED_OCCURRENCES }), pause);
  if ("reason" in feed) throw unusable(feed.reason);
  const window = storedWindow(clock().now() as Instant);
  const budget: Budget = { steps: MOST_STEPS };
  let occurrences = 0;
  for (const { state } of feed.events) {
    // What lies behind the last date that is read would be free. DTSTART may be among them.
    if ((state?.icalRecurrence?.rdates.length ?? 0) >= MOST_DATES - 1) throw unusable("feed_too_large");
    if (state) occurrences += await inSlices(occurrencesIn(state, window, budget), pause);
    if (occurrences > MAX_SUBSCRIBED_OCCURRENCES || budget.steps === 0) throw unusable("feed_too_large");
  }
  const hash = createHash("sha256").update(`${feed.isWhole}`);
  for (const { name, version } of feed.events) hash.update(name).update(version);
  return { ...feed, ctag: hash.digest("hex") };
}
