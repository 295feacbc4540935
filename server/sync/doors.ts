import type { Database, Query } from "@/server/db/client";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { RemoteCalendar, RemoteEvent } from "@/server/providers/connector";

/** What the services do for a sync: the rooms of this floor do not know each other, so jobs hands it in. */
export interface SyncDoors {
  storeCalendars(db: Database, listed: { profileId: string; calendars: readonly RemoteCalendar[] }): Promise<void>;
  knownVersions(
    db: Database,
    calendarId: string,
    externalIds: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>>;
  knownNames(db: Database, calendarId: string): Promise<ReadonlySet<string>>;
  receiveEvents(db: Database, received: ReceivedPage): Promise<readonly ReceivingFault[]>;
  sweepGone(db: Database, sweep: Sweep): Promise<readonly ReceivingFault[]>;
  disconnectProfile(db: Database, profileId: string): Promise<boolean>;
  completeInitialSync(db: Database, profileId: string): Promise<boolean>;
}

export interface ReceivedPage {
  calendarId: string;
  events: readonly RemoteEvent[];
  gone: readonly string[];
  now: Instant;
  /** The versions that were known when these events were read. */
  seen: ReadonlyMap<string, string | null>;
  /** When the provider was asked, as the database wrote it. */
  since: string | null;
}

export interface Sweep {
  calendarId: string;
  present: ReadonlySet<string>;
  known: ReadonlySet<string>;
  /** Writes that had been refused when the pull began. */
  refused: readonly string[];
  since: string | null;
  now: Instant;
}

export interface ReceivingFault {
  externalId: string;
  reason: string;
  /** A push was stored since the provider was asked: what is true only another full pull tells. */
  isPassing?: boolean;
}

export interface PushDoors {
  /** Null: the event is gone with its calendar. */
  readForPush(query: Query, eventRow: string): Promise<ToPush | null>;
  /** False: the write was claimed by somebody else meanwhile. */
  storePushed(
    db: Database,
    push: {
      writeId: string;
      revision: number;
      lease: string;
      pushed: {
        externalId: string;
        version: string | null;
        state: EventState | null;
        said?: EventState | null;
        tookRemote?: boolean;
      };
    },
  ): Promise<boolean>;
}

/** An event as it is to be at its provider. */
export interface ToPush {
  /** The calendar's name at the provider. */
  calendar: string;
  externalId: string | null;
  version: string | null;
  uid: string;
  /** Null: it is to be deleted. */
  state: EventState | null;
  /** Its series as the application and the provider both had it last; null: unknown. */
  base: RuleSeries | null;
  /** What the application has changed since its provider heard of it last; null: all of it, or unknown. */
  changedFields: string[] | null;
  /** A sync has read since that others changed it, and has left it to the push. */
  isRemoteChangeDeferred: boolean;
}
