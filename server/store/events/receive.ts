import type { Database } from "@/server/db/client";
import { isDatabaseTrouble } from "@/server/db/faults";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { KnownVersion } from "@/server/providers/connector";
import type { EventParts } from "@/server/providers/writing";
import { wakeForChange } from "@/server/store/channels/outbox";
import { type Batch, type BatchResult, type RemoteChange, receiveBatch } from "@/server/store/events/receive-batch";
import type { KeepsSeries } from "@/server/store/events/received-state";

/** An event from a connector. A cancelled one counts as deleted. */
export interface ReceivedEvent {
  /** The provider's own name for it, unique in the calendar. */
  externalId: string;
  /** Its etag; null: unknown. */
  version: string | null;
  state: EventState;
  parts?: EventParts;
  createdAs?: string | null;
  hasMoreGuests?: boolean;
}

export interface ReceiveEventsInput {
  calendarId: string;
  events: readonly ReceivedEvent[];
  /** The provider's names of events that no longer exist. */
  gone: readonly string[];
  now: Instant;
  /** Keeps the application's series when the provider's is equivalent. Omitted: the provider's series always counts. */
  keepsSeries?: KeepsSeries;
  /** The etags from `knownVersions` when these events were read: the next sync handles what was pushed since then. */
  seen?: ReadonlyMap<string, KnownVersion>;
  /** When the provider was queried, as PostgreSQL wrote it. Events pushed since then are skipped. */
  since?: string | null;
  /** Known versions are read again: a newer version of the provider's reader may read them differently. */
  isReread?: boolean;
}

export type ReceivingFault = BatchResult["problems"][number];

/** A write to the calendar waits for at most this many events. */
const EVENTS_AT_A_TIME = 200;

/**
 * Stores events in a calendar as its provider reports them, many in one transaction. A bad event does not stop the others. Unchanged
 * events are not written. Changes are signalled to the application's channels in the same transaction ("Events"), except during a
 * profile's first sync, which ends with a signal of its own. An event with a waiting write keeps its local state, except replies and
 * guests. Throws when the database is unavailable.
 */
export async function receiveEvents(
  db: Database,
  { calendarId, events, gone, now, keepsSeries = () => null, seen, since = null, isReread }: ReceiveEventsInput,
): Promise<ReceivingFault[]> {
  const changes = [...remoteChangesOf(events, gone).values()];
  const faults: ReceivingFault[] = [];
  let signalled = false;
  for (let from = 0; from < changes.length; from += EVENTS_AT_A_TIME) {
    const some = changes.slice(from, from + EVENTS_AT_A_TIME);
    const batch = { calendarId, changes: some, now, keepsSeries, seen, since, isReread };
    const { problems, isSignalled } = await storeBatch(db, batch);
    faults.push(...problems);
    signalled ||= isSignalled;
  }
  if (signalled) wakeForChange();
  return faults;
}

/** Returns the last reported state of each event. */
function remoteChangesOf(events: readonly ReceivedEvent[], gone: readonly string[]): Map<string, RemoteChange> {
  const changes = new Map<string, RemoteChange>();
  for (const { state, parts = {}, createdAs = null, hasMoreGuests = false, ...event } of events) {
    const isCancelled = state.status === "cancelled";
    const change = { parts, createdAs, hasMoreGuests, state: isCancelled ? null : state, ...event };
    changes.set(event.externalId, change);
  }
  const deleted = { version: null, state: null, parts: {}, createdAs: null, hasMoreGuests: false };
  for (const externalId of gone) changes.set(externalId, { externalId, ...deleted });
  return changes;
}

/** Stores a batch. One that fails is halved, down to the faulty event. */
async function storeBatch(db: Database, batch: Batch): Promise<BatchResult> {
  try {
    return await db.transaction((query) => receiveBatch(query, batch));
  } catch (error) {
    // An unavailable database is no event's fault: skipping events here would lose them, since they are not read again.
    if (isDatabaseTrouble(error)) throw error;
    const { changes } = batch;
    const [only] = changes;
    if (only && changes.length === 1) {
      return { problems: [{ externalId: only.externalId, reason: reasonOf(error) }], isSignalled: false };
    }
    const middle = Math.ceil(changes.length / 2);
    const first = await storeBatch(db, { ...batch, changes: changes.slice(0, middle) });
    const second = await storeBatch(db, { ...batch, changes: changes.slice(middle) });
    return {
      problems: [...first.problems, ...second.problems],
      isSignalled: first.isSignalled || second.isSignalled,
    };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
