import { clock } from "@/server/clock";
import { providerTraits } from "@/server/domain/providers";
import { MAX_SUBSCRIBED_BYTES, SUSPECT_FEED_MS } from "@/server/domain/subscriptions";
import { egressFetch, endedBy } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { WITHOUT_START } from "@/server/providers/caldav/icalendar/read/read-resource";
import { resourceName } from "@/server/providers/caldav/shared-resource";
import {
  type CalendarListing,
  type ChangePage,
  type ChangesEnd,
  type ChangesInput,
  type Connector,
  type Mailbox,
  ProviderError,
  type UnusableReason,
} from "@/server/providers/connector";
import { credentialOf, type FeedCredential } from "@/server/providers/feed/credential";
import { type FeedResponse, fetchFeed, type Validators } from "@/server/providers/feed/fetch-feed";
import { type ReadCalendar, readCalendar } from "@/server/providers/feed/read-calendar";
import { type ReadingState, stateOf, stateToken } from "@/server/providers/feed/reading-state";
import { unusable } from "@/server/providers/feed/unusable";
import { countedFetch } from "@/server/providers/request-counts";
import { Refused } from "@/server/providers/writing";

export interface FeedOptions {
  /** Origins that the operator allows although they are not public. All others are judged like callback URLs. */
  allowedOrigins: readonly string[];
  outside?: Outside;
  /** Milliseconds for a read with all its redirects. */
  deadlineMs?: number;
}

/** The only calendar of a feed. */
export const FEED_CALENDAR = "feed";
/** The version of the reader of feeds (`Mailbox.reader`). */
const READER = 1;
/** For a read with all its redirects. */
const DEADLINE_MS = 30_000;
const MINUTE_MS = 60_000;
const EVENTS_A_PAGE = 200;

/** Reads calendars that are published as a file at an address (ADR 110). */
export function feedConnector({ allowedOrigins, outside, deadlineMs = DEADLINE_MS }: FeedOptions): Connector {
  const limits = { trustedOrigins: allowedOrigins, deadlineMs, mostBytes: MAX_SUBSCRIBED_BYTES };
  const fetch = countedFetch(egressFetch(limits, outside), "feed", () => "read");
  return {
    traits: providerTraits.feed,
    signIn: { kind: "none" },
    nameOf: resourceName,
    open: ({ credential, signal }) => {
      const read = credentialOf(credential);
      return openFeed(read, (known) => {
        const over = AbortSignal.timeout(deadlineMs);
        const ended = endedBy(fetch, signal ? AbortSignal.any([signal, over]) : over);
        return fetchFeed(read.url, { fetch: ended, allowedOrigins, known });
      });
    },
  };
}

type Request = (known: Validators | null) => Promise<FeedResponse>;

/**
 * Opens a feed. The list of its calendars is its content: what was read for that is what the changes are, unless nothing
 * was sent again.
 */
function openFeed({ name, refreshMinutes }: FeedCredential, request: Request): Mailbox {
  let held: ReadCalendar | null = null;
  const listed = (state: ReadingState, trouble: UnusableReason | null): CalendarListing => {
    const { ctag } = state;
    const calendar = { externalId: FEED_CALENDAR, name, readonly: true, primary: false, integratedConferencing: false };
    return { calendars: [{ ...calendar, tzid: null, ctag }], gone: null, syncToken: stateToken(state), trouble };
  };
  return {
    reader: READER,
    pollMs: refreshMinutes * MINUTE_MS,
    calendars: async (token) => {
      const before = stateOf(token);
      const response = await request(before);
      if (response.kind === "gone") return { calendars: [], gone: null, syncToken: token, trouble: "calendar_deleted" };
      if (response.kind === "unchanged") {
        if (!before) throw new ProviderError({ kind: "down" }, "http_304");
        return listed({ ...before, suspectSince: null }, null);
      }
      const read = await readCalendar(response.text);
      // Part of a calendar would show free time that isn't, and nothing whole is known that could be kept.
      if (!before && !read.isWhole) throw unusable("feed_cut_off");
      const suspicion = before && suspicionOf(read, before);
      if (before && suspicion)
        return listed({ ...before, suspectSince: before.suspectSince ?? clock().now() }, suspicion);
      held = read;
      const { ctag, isWhole } = read;
      return listed({ ...response.validators, ctag, events: eventsIn(read), isWhole, suspectSince: null }, null);
    },
    changes: async function* (from) {
      return yield* changesIn(held ?? (await everything(request)), from);
    },
    event: () => Promise.reject(new ProviderError({ kind: "refused" }, "read_only")),
    ...unwritable,
  };
}

/** Names what is odd about a feed that had events, or an end, and has none now. Null: nothing, or for so long that it is believed. */
function suspicionOf(read: ReadCalendar, before: ReadingState): UnusableReason | null {
  const { suspectSince } = before;
  if (suspectSince !== null && clock().now() - suspectSince >= SUSPECT_FEED_MS) return null;
  if (eventsIn(read) === 0 && before.events > 0) return "feed_empty";
  return !read.isWhole && before.isWhole ? "feed_cut_off" : null;
}

function eventsIn({ events }: ReadCalendar): number {
  return events.filter(({ state }) => state !== null).length;
}

async function everything(request: Request): Promise<ReadCalendar> {
  const response = await request(null);
  if (response.kind !== "content") throw new ProviderError({ kind: "gone" }, response.kind);
  return await readCalendar(response.text);
}

async function* changesIn({ events }: ReadCalendar, { known }: ChangesInput): AsyncGenerator<ChangePage, ChangesEnd> {
  for (let at = 0; at < events.length; at += EVENTS_A_PAGE) {
    const some = events.slice(at, at + EVENTS_A_PAGE);
    const versions = await known(some.map(({ name }) => name));
    const page: ChangePage = { events: [], gone: [], faults: [] };
    for (const { name: externalId, version, state } of some) {
      if (versions.get(externalId)?.version === version) continue;
      if (state) page.events.push({ externalId, version, state });
      else page.faults.push({ externalId, version, reason: WITHOUT_START });
    }
    if (page.events.length + page.faults.length > 0) yield page;
  }
  return { syncToken: null, present: new Set(events.map(({ name }) => name)), window: null, validUntil: null };
}

const refusal = () => Promise.reject(new Refused("read_only"));
const unwritable = { read: refusal, create: refusal, remove: refusal, reply: refusal };
