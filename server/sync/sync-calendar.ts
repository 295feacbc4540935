import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { queryOne } from "@/server/db/query-one";
import { seriesAsRead } from "@/server/domain/merge/same-series";
import type { Instant } from "@/server/domain/time/instant";
import { log } from "@/server/log";
import { type ChangesEnd, ProviderError, type RemoteCalendar } from "@/server/providers/connector";
import { knownNames, knownVersions, sweepGone } from "@/server/store/events/known-versions";
import { type ReceivingFault, receiveEvents } from "@/server/store/events/receive";
import type { Syncing } from "@/server/sync/syncing";

/** What was stored of a calendar when it was synced last. */
export interface Known {
  id: string;
  version: string | null;
  syncToken: string | null;
  /** Of writes to it that the provider refused, and that our reads still say: each its id and revision, with a dot between. */
  refused: readonly string[];
}

/**
 * Pulls what changed in a calendar since its sync token, page by page, and keeps the next one. A sync token that is refused means
 * everything again, and what is not there then is gone; a write that was refused means it too, and so, for the next sync, does a
 * push that was stored meanwhile. An event that is bad is left out and reported, and nothing else with it.
 */
export async function syncCalendar(syncing: Syncing, calendar: Known, remote: RemoteCalendar): Promise<void> {
  const round = await pullFrom(syncing, calendar, remote);
  if (round === null) return;
  const { faults, end } = round;
  report(calendar.id, faults);
  const isWhole = faults.every(({ isPassing }) => !isPassing);
  const { syncToken, version } = isWhole ? { syncToken: end.syncToken, version: remote.version } : unread;
  await keepPlace(syncing, calendar.id, { syncToken, version });
}

type ReadUpTo = Pick<Known, "syncToken" | "version">;

const unread: ReadUpTo = { syncToken: null, version: null };

interface Round {
  faults: ReceivingFault[];
  /** When it began, as the database wrote it. */
  since: string;
  end: ChangesEnd;
}

/** Null: the sync does not go on. */
async function pullFrom(syncing: Syncing, calendar: Known, remote: RemoteCalendar): Promise<Round | null> {
  if (calendar.syncToken === null || calendar.refused.length > 0) return await pullAll(syncing, calendar, remote);
  try {
    const round = await pull(syncing, calendar, remote);
    // What is there now was named although not everything was asked for: what is gone can only be told by a full pull.
    return round?.end.present ? await pullAll(syncing, calendar, remote) : round;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.fault.kind !== "sync_token_expired") throw error;
    return await pullAll(syncing, calendar, remote);
  }
}

async function pullAll(syncing: Syncing, calendar: Known, remote: RemoteCalendar): Promise<Round | null> {
  const { db } = syncing;
  const known = await knownNames(db, calendar.id);
  const round = await pull(syncing, { ...calendar, syncToken: null }, remote);
  const present = round?.end.present;
  if (!round || !present) return round;
  const { since } = round;
  const { id: calendarId, refused } = calendar;
  const left = await sweepGone(db, { calendarId, present, known, refused, since, now: now() });
  return { ...round, faults: [...round.faults, ...left] };
}

async function pull(syncing: Syncing, calendar: Known, { externalId }: RemoteCalendar): Promise<Round | null> {
  const { db, mailbox, goesOn } = syncing;
  const seen = new Map<string, string | null>();
  const known = async (names: readonly string[]) => {
    const versions = await knownVersions(db, calendar.id, names);
    for (const [name, version] of versions) seen.set(name, version);
    return versions;
  };
  const since = await databaseClock(db);
  const faults: ReceivingFault[] = [];
  const pages = mailbox.changes({ calendarId: externalId, syncToken: calendar.syncToken, known });
  for (;;) {
    const page = await pages.next();
    if (!goesOn()) return null;
    if (page.done) return { since, faults, end: page.value };
    const { events, gone } = page.value;
    faults.push(...page.value.faults);
    faults.push(
      ...(await receiveEvents(db, {
        calendarId: calendar.id,
        events,
        gone,
        now: now(),
        seen,
        since,
        keepsSeries: seriesAsRead,
      })),
    );
  }
}

/** Only while the claim is ours: who has it now keeps a place of his own. */
async function keepPlace({ db, profile }: Syncing, calendarId: string, { syncToken, version }: ReadUpTo) {
  await db.query(
    `UPDATE calendars c SET cursor = $3, version = $4 FROM profiles p
WHERE c.id = $1 AND p.id = c.profile_id AND p.sync_lease = $2`,
    [calendarId, profile.lease, syncToken, version],
  );
}

/** The database's own, whatever clock a test has: it orders a pull and the pushes that were stored meanwhile. */
async function databaseClock(db: Database): Promise<string> {
  const row = await queryOne<{ since: string }>(db.query, "SELECT clock_timestamp()::text AS since");
  return row.since;
}

function report(calendarId: string, all: readonly ReceivingFault[]): void {
  const faults = all.filter(({ isPassing }) => !isPassing);
  if (faults.length === 0) return;
  const reasons = [...new Set(faults.map(({ reason }) => reason))].slice(0, 10);
  log({ room: "sync" }).warn(
    { calendarId, events: faults.length, reasons },
    "some events could not be read and were skipped",
  );
}

function now(): Instant {
  return clock().now() as Instant;
}
