import { databaseFault } from "@/server/db/faults";
import { log } from "@/server/log";
import { type CalendarListing, ProviderError, storedFault } from "@/server/providers/connector";
import { storeCalendars } from "@/server/store/calendars/store-calendars";
import {
  calendarError,
  hasCalendars,
  keepFailure,
  keepListingToken,
  listingToken,
  markPolled,
  staleCalendars,
} from "@/server/store/mailboxes/stale-calendars";
import type { StaleCalendar } from "@/server/store/mailboxes/stale-calendars.sql";
import { watchedFor } from "@/server/store/mailboxes/watches";
import { completeInitialSync } from "@/server/store/profiles/connection-state";
import { askForPoll } from "@/server/sync/ask-for-poll";
import { keepWatches } from "@/server/sync/keep-watches";
import { lookForLinks } from "@/server/sync/look-for-links";
import { resumeGivenUpWrites } from "@/server/sync/retry-writes";
import { syncCalendar } from "@/server/sync/sync-calendar";
import type { Syncing } from "@/server/sync/syncing";
import { failedSyncWait } from "@/server/sync/waits";

/** After so many in a row that are down the provider is not asked for the others. */
const MOST_DOWN = 2;
/** After so many syncs a first one is over even when a calendar cannot be read. */
const MOST_FIRST_SYNCS = 3;

/** A list that is suddenly empty is believed the second time: everything would go with it. */
const EMPTY = "no_calendars_listed";

export type SyncEnd =
  /** `watchedForMs`: for how long the provider notifies us of every change; null: it does not, or this was no poll. */
  | { kind: "synced"; watchedForMs: number | null }
  /** The others were. `error` is for staff. `isKnown`: none failed in this sync, and one that failed before still waits. */
  | { kind: "partly"; error: string; isKnown: boolean; watchedForMs: number | null }
  /** The profile is somebody else's now, or was disconnected, or the process stops. */
  | { kind: "stopped" };

/**
 * Reads what changed in a profile's stale calendars. A poll lists the calendars first, and so finds those that are stale. A calendar
 * that fails does not stop the others, and is tried again alone. Throws ProviderError when the provider cannot be asked at all.
 */
export async function syncProfile(syncing: Syncing): Promise<SyncEnd> {
  const { db, profile, goesOn } = syncing;
  await lookForLinks(syncing);
  const listed = profile.isPoll ? await poll(syncing) : new Map<string, string | null>();
  if (!goesOn()) return { kind: "stopped" };
  if (listed === EMPTY) return { kind: "partly", error: EMPTY, isKnown: false, watchedForMs: null };
  await resumeGivenUpWrites(db, profile.id);
  const isWatched = profile.isPoll && (await keepWatches(syncing));
  const errors = await syncStale(syncing, listed);
  if (!goesOn()) return { kind: "stopped" };
  if (profile.initialSyncRequired && (errors.length === 0 || profile.failures >= MOST_FIRST_SYNCS))
    await completeInitialSync(db, profile.id);
  const watchedForMs = isWatched ? await watchedFor(db, profile.id) : null;
  const [error = await earlierError(syncing)] = errors;
  if (error === null) return { kind: "synced", watchedForMs };
  return { kind: "partly", error, isKnown: errors.length === 0, watchedForMs };
}

async function earlierError({ db, profile }: Syncing): Promise<string | null> {
  return profile.lastError === null ? null : await calendarError(db, profile.id);
}

/** Polls the list of calendars. Returns the ctag of each calendar by its name, once they are stored and marked. */
async function poll(syncing: Syncing): Promise<Map<string, string | null> | typeof EMPTY> {
  const { db, mailbox, profile, goesOn } = syncing;
  const { calendars, gone, syncToken, trouble = null } = await list(syncing);
  const ctags = new Map(calendars.map(({ externalId, ctag }) => [externalId, ctag]));
  if (!goesOn()) return ctags;
  const isEmpty = gone === null && calendars.length === 0;
  const isNews = isEmpty && profile.lastError !== (trouble ?? EMPTY) && (await hasCalendars(db, profile.id));
  if (isNews && trouble === null) return EMPTY;
  if (!isNews) await storeCalendars(db, { profileId: profile.id, calendars, gone }, goesOn);
  if (trouble === null) await markPolled(db, profile.id, calendars, mailbox.reader);
  if (syncToken !== null) await keepListingToken(db, profile, syncToken);
  if (trouble !== null) throw new ProviderError({ kind: "unusable", reason: trouble }, trouble);
  return ctags;
}

async function list({ db, mailbox, profile }: Syncing): Promise<CalendarListing> {
  const token = await listingToken(db, profile.id);
  if (token === null) return await mailbox.calendars(null);
  return await mailbox.calendars(token).catch((error) => {
    if (!(error instanceof ProviderError) || error.fault.kind !== "sync_token_expired") throw error;
    return mailbox.calendars(null);
  });
}

async function syncStale(syncing: Syncing, listed: ReadonlyMap<string, string | null>): Promise<string[]> {
  const errors: string[] = [];
  let down = 0;
  const { db, mailbox, profile, goesOn } = syncing;
  const which = { all: profile.isPoll || profile.initialSyncRequired, reader: mailbox.reader };
  for (const calendar of await staleCalendars(db, profile.id, which)) {
    if (!goesOn() || down >= MOST_DOWN) break;
    const error = await syncCalendar(syncing, calendar, listed.get(calendar.externalId) ?? null).then(
      () => null,
      (thrown) => failed(syncing, calendar, ofCalendar(thrown, { calendarId: calendar.id, isListed: profile.isPoll })),
    );
    down = error === "down" ? down + 1 : 0;
    if (error !== null) errors.push(error);
  }
  return errors;
}

/**
 * Keeps the failure of a calendar's sync and sets its next try. A first sync does not wait longer and longer: the user
 * may be waiting for its end.
 */
async function failed(
  { db, profile, pollInMs }: Syncing,
  { id, at, failures }: StaleCalendar,
  error: string | null,
): Promise<string | null> {
  const waitMs = failedSyncWait(pollInMs, profile.initialSyncRequired ? 1 : failures + 1, null);
  await keepFailure(db, { id, at, lease: profile.lease, error, waitMs });
  // Nothing was listed before a notice was followed: the list tells whether all access has ended.
  if (error === REFUSED && !profile.isPoll && failures === 0) await askForPoll(db, profile.id);
  return error;
}

const REFUSED = "calendar_refused";

/**
 * Names the failure of one calendar. Throws on what is the same for all calendars, and returns null for a calendar that
 * is gone, as the next list will say.
 */
function ofCalendar(thrown: unknown, { calendarId, isListed }: { calendarId: string; isListed: boolean }) {
  if (thrown instanceof ProviderError) {
    const { fault } = thrown;
    const { kind } = fault;
    if (kind === "throttled" || kind === "misconfigured") throw thrown;
    if (kind === "credentials_rejected" && fault.isRenewal) throw thrown;
    // The list was read with the same credentials, or will be: what one calendar says of them is that calendar's trouble.
    if (kind === "credentials_rejected") return REFUSED;
    if (kind === "gone" && !isListed) return null;
    log({ module: "sync" }).warn({ calendarId, fault: thrown.message }, "a calendar could not be read");
    // A host that answers is not down, whatever it says of one calendar.
    const isOfCalendar = kind === "refused" || (kind === "down" && /^http_(4\d\d|500|501)(_|$)/.test(thrown.detail));
    return isOfCalendar ? "calendar_failed" : storedFault(fault);
  }
  if (databaseFault(thrown) !== null) throw thrown;
  log({ module: "sync" }).error({ calendarId, err: thrown }, "a calendar could not be read");
  return "internal";
}
