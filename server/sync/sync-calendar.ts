import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { databaseTimeText } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import { seriesAsRead } from "@/server/domain/merge/same-series";
import type { Instant } from "@/server/domain/time/instant";
import { servesUntil, storedWindow } from "@/server/domain/window";
import { log } from "@/server/log";
import { type ChangePage, type ChangesEnd, type KnownVersion, ProviderError } from "@/server/providers/connector";
import type { UnreadResource } from "@/server/providers/unread-resource";
import { knownNames, knownVersions, sweepGone } from "@/server/store/events/known-versions";
import { type ReceivingFault, receiveEvents } from "@/server/store/events/receive";
import { forgetGone, forgetRead, noteSkipped, skippedVersions } from "@/server/store/mailboxes/skipped-resources";
import { keepSyncToken } from "@/server/store/mailboxes/stale-calendars";
import type { StaleCalendar } from "@/server/store/mailboxes/stale-calendars.sql";
import type { Syncing } from "@/server/sync/syncing";

/**
 * Reads what changed in a stale calendar since its sync token, page by page, and keeps the next one. `ctag` is what the provider
 * listed it with. A sync token that is refused means everything again, and what is not there then is gone. So does a write that was
 * rejected. A push that was stored during the read means the same changes again, in the next sync. A bad event is skipped and reported,
 * and no other event with it.
 */
export async function syncCalendar(syncing: Syncing, calendar: StaleCalendar, ctag: string | null): Promise<void> {
  const round = await pullFrom(syncing, calendar);
  if (round === null) return;
  const { faults, end } = round;
  syncing.noteRead(calendar.id, round.count);
  const isWhole = faults.every(({ isPassing }) => !isPassing);
  const { id, staleAt, unseen } = calendar;
  const next = isWhole ? { ...readUpTo(end), ctag } : readAgain(calendar, end);
  const { db, mailbox, profile, pollInMs, quietPollInMs } = syncing;
  const { reader } = mailbox;
  await keepSyncToken(db, {
    id,
    staleAt,
    unseen,
    lease: profile.lease,
    isWhole,
    pollInMs,
    quietPollInMs,
    reader,
    ...next,
  });
}

/** Returns a state in which the next read begins where this one did. */
function readAgain({ syncToken }: StaleCalendar, { present }: ChangesEnd) {
  const isIncremental = present === null;
  return { syncToken: isIncremental ? syncToken : null, validUntil: null, isIncremental, ctag: null };
}

/**
 * Returns the state after a complete read. A sync token that is bound to a window ends when reads come near the end of
 * the window.
 */
function readUpTo({ syncToken, window, validUntil, present }: ChangesEnd) {
  const ends = [validUntil, window && servesUntil(window)].filter((end) => end !== null);
  const soonest = ends.length === 0 ? null : (Math.min(...ends) as Instant);
  return { syncToken, validUntil: soonest, isIncremental: present === null };
}

interface Round {
  faults: ReceivingFault[];
  /** Of the changes that came. */
  count: number;
  /** When it began, as the database wrote it. */
  since: string;
  end: ChangesEnd;
}

/**
 * Pulls the changes since the sync token, or the whole calendar when no token is good for that. Returns null when the
 * sync does not go on.
 */
async function pullFrom(syncing: Syncing, calendar: StaleCalendar): Promise<Round | null> {
  if (calendar.syncToken === null || calendar.refused.length > 0) return await pullAll(syncing, calendar);
  try {
    const round = await pull(syncing, calendar);
    // The provider listed what exists, although not everything was requested. Only a full pull can find what is gone.
    return round?.end.present ? await pullAll(syncing, calendar) : round;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.fault.kind !== "sync_token_expired") throw error;
    return await pullAll(syncing, calendar);
  }
}

async function pullAll(syncing: Syncing, calendar: StaleCalendar): Promise<Round | null> {
  const { db } = syncing;
  const known = await knownNames(db, calendar.id);
  const round = await pull(syncing, { ...calendar, syncToken: null });
  if (!round?.end.present) return round;
  const {
    since,
    end: { present, window },
  } = round;
  const { id: calendarId, refused } = calendar;
  const left = await sweepGone(db, { calendarId, present, window, known, refused, since, now: now() });
  if (calendar.hasSkipped && window === null) await forgetGone(db, calendarId, present);
  return { ...round, faults: [...round.faults, ...left] };
}

async function pull(syncing: Syncing, calendar: StaleCalendar): Promise<Round | null> {
  const { db, mailbox, goesOn } = syncing;
  const seen = new Map<string, KnownVersion>();
  const since = await databaseClock(db);
  const faults: ReceivingFault[] = [];
  let count = 0;
  const { externalId, syncToken, unseen } = calendar;
  const known = knownOf(db, calendar, seen);
  const pages = mailbox.changes({ calendarId: externalId, syncToken, window: storedWindow(now()), known, unseen });
  for (;;) {
    const page = await pages.next();
    if (!goesOn()) return null;
    if (page.done) return { since, faults, count, end: page.value };
    const { events, gone, faults: unread } = page.value;
    count += events.length + gone.length;
    const received = await receiveEvents(db, {
      calendarId: calendar.id,
      events,
      gone,
      now: now(),
      seen,
      since,
      keepsSeries: seriesAsRead,
      isReread: calendar.isOutdated,
    });
    faults.push(...unread, ...received);
    await keepFaults(db, calendar, page.value, received);
  }
}

/**
 * Returns a lookup of what is known of events, and of resources that could not be read. An outdated calendar is read as
 * if nothing were known of it.
 */
function knownOf(db: Database, { id, isOutdated, hasSkipped }: StaleCalendar, seen: Map<string, KnownVersion>) {
  return async (names: readonly string[]) => {
    const versions = await knownVersions(db, id, names);
    for (const [name, version] of versions) seen.set(name, version);
    if (isOutdated) return new Map([...versions].map(([name, { parts }]) => [name, { version: null, parts }]));
    const skipped = hasSkipped ? await skippedVersions(db, id, names) : [];
    for (const [name, version] of skipped) versions.set(name, { version, parts: versions.get(name)?.parts ?? {} });
    return versions;
  };
}

/** Stores what of a page could not be read or stored, and forgets what now could. */
async function keepFaults(
  db: Database,
  calendar: StaleCalendar,
  { events, gone, faults }: ChangePage,
  received: readonly ReceivingFault[],
): Promise<void> {
  const unstored = received.filter(({ isPassing }) => !isPassing);
  const skipped = [...faults, ...unstored];
  if (calendar.hasSkipped) await forgetRead(db, calendar.id, [...events.map(({ externalId }) => externalId), ...gone]);
  await noteSkipped(db, calendar.id, skipped);
  report(calendar.id, skipped);
}

/**
 * Reads the database's own clock, whatever clock a test has: it orders a pull and the pushes that were stored while it
 * ran.
 */
async function databaseClock(db: Database): Promise<string> {
  const row = await runOne(db.query, databaseTimeText);
  return row.now;
}

function report(calendarId: string, skipped: readonly UnreadResource[]): void {
  const events = skipped.filter(({ isEvent = true }) => isEvent);
  if (events.length === 0) return;
  const reasons = [...new Set(events.map(({ reason }) => reason))].slice(0, 10);
  log({ module: "sync" }).warn(
    { calendarId, events: events.length, reasons },
    "some events could not be read and were skipped",
  );
}

function now(): Instant {
  return clock().now() as Instant;
}
