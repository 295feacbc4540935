import { databaseFault } from "@/server/db/faults";
import { log } from "@/server/log";
import { ProviderError, type RemoteCalendar } from "@/server/providers/connector";
import { storeCalendars } from "@/server/store/calendars/store-calendars";
import { isRefusedWrite } from "@/server/store/events/refused-write";
import { completeInitialSync } from "@/server/store/profiles/connection-state";
import { resumeGivenUpWrites } from "@/server/sync/retry-writes";
import { type Known, syncCalendar } from "@/server/sync/sync-calendar";
import type { Syncing } from "@/server/sync/syncing";

/** After so many in a row that are down the provider is not asked for the others. */
const MOST_DOWN = 2;
/** After so many syncs a first one is over even when a calendar cannot be read. */
const MOST_FIRST_SYNCS = 3;

/** A list that is suddenly empty is believed the second time: everything would go with it. */
const EMPTY = "no_calendars_listed";

export type SyncEnd =
  | { kind: "synced" }
  /** The others were. `error` is for staff. */
  | { kind: "partly"; error: string }
  /** The profile is somebody else's now, or was disconnected, or the process stops. */
  | { kind: "stopped" };

/**
 * Reads a profile's calendars, and of each that changed what changed. A calendar that fails does not stop the others. Throws
 * ProviderError when the provider cannot be asked at all.
 */
export async function syncProfile(syncing: Syncing): Promise<SyncEnd> {
  const { db, mailbox, profile, goesOn } = syncing;
  const listed = await mailbox.calendars();
  if (!goesOn()) return { kind: "stopped" };
  if (listed.length === 0 && profile.lastError !== EMPTY && (await knownCalendars(syncing)).size > 0)
    return { kind: "partly", error: EMPTY };
  await storeCalendars(db, { profileId: profile.id, calendars: listed });
  await resumeGivenUpWrites(db, profile.id);
  const errors = await syncAll(syncing, listed);
  if (!goesOn()) return { kind: "stopped" };
  if (profile.initialSyncRequired && (errors.length === 0 || profile.failures >= MOST_FIRST_SYNCS))
    await completeInitialSync(db, profile.id);
  const [error] = errors;
  return error === undefined ? { kind: "synced" } : { kind: "partly", error };
}

async function syncAll(syncing: Syncing, listed: readonly RemoteCalendar[]): Promise<string[]> {
  const known = await knownCalendars(syncing);
  const errors: string[] = [];
  let down = 0;
  for (const remote of listed) {
    const calendar = known.get(remote.externalId);
    if (!syncing.goesOn() || down >= MOST_DOWN) break;
    if (!calendar || isAsBefore(calendar, remote)) continue;
    const error = await syncCalendar(syncing, calendar, remote).then(
      () => null,
      (thrown) => ofCalendar(thrown, calendar.id),
    );
    down = error === "down" ? down + 1 : 0;
    if (error !== null) errors.push(error);
  }
  return errors;
}

/** Nothing in it has changed, and our reads say what it does. */
function isAsBefore({ version, refused }: Known, remote: RemoteCalendar): boolean {
  return remote.version !== null && remote.version === version && refused.length === 0;
}

async function knownCalendars({ db, profile }: Syncing): Promise<Map<string, Known>> {
  const rows = await db.query<Known & { externalId: string }>(
    `SELECT id, external_id AS "externalId", version, cursor AS "syncToken", ARRAY(SELECT concat(w.id, '.', w.revision) FROM provider_writes w
  WHERE w.calendar_id = calendars.id AND ${isRefusedWrite("w")}) AS refused
FROM calendars WHERE profile_id = $1 AND NOT deleted`,
    [profile.id],
  );
  return new Map(rows.map(({ externalId, ...calendar }) => [externalId, calendar]));
}

/** Thrown on: what is the same for all calendars. Null: it is gone, as the next list will say. */
function ofCalendar(thrown: unknown, calendarId: string): string | null {
  if (thrown instanceof ProviderError) {
    const { kind } = thrown.fault;
    if (kind === "throttled") throw thrown;
    // The password was accepted for the list: what one calendar says of it is that calendar's trouble.
    if (kind === "credentials_rejected") return "calendar_refused";
    if (kind === "gone") return null;
    log({ room: "sync" }).warn({ calendarId, fault: thrown.message }, "a calendar could not be read");
    // A host that answers is not down, whatever it says of one calendar.
    return kind === "down" && /^http_(4\d\d|500|501)$/.test(thrown.detail) ? "calendar_failed" : kind;
  }
  if (databaseFault(thrown) !== null) throw thrown;
  log({ room: "sync" }).error({ calendarId, err: thrown }, "a calendar could not be read");
  return "internal";
}
