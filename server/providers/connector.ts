import type { EventState, RuleSeries } from "@/server/domain/events/event-state";

/** Why a provider could not be asked, of everything that can happen to a connection or a right. `after`: milliseconds. */
export type ProviderFault =
  | { kind: "credentials_rejected" }
  | { kind: "gone" }
  | { kind: "conflict" }
  | { kind: "throttled"; after: number | null }
  | { kind: "sync_token_expired" }
  | { kind: "down" };

/** The only thing that connectors throw (house.md, "Errors"). `detail` is for staff: a status or a class of error, never text of a person. */
export class ProviderError extends Error {
  override name = "ProviderError";
  constructor(
    readonly fault: ProviderFault,
    readonly detail: string,
  ) {
    super(`${fault.kind}: ${detail}`);
  }
}

/** What a provider's calendars can do, as far as rules depend on it. */
export interface Capabilities {
  /** Calendars that make meeting links of their own. */
  meetingLinks: boolean;
  /** Writes that tell no guest. */
  silentWrites: boolean;
  /** It sends invitations, updates and cancellations. */
  invitations: boolean;
}

/** Whose calendars: what `connect` gave, as text that is kept sealed. */
export interface Session {
  credential: string;
}

/** A calendar account that was just connected. */
export interface ConnectedAccount {
  /** The provider's own unchanging name for it: the same account connected again has the same. */
  subject: string;
  /** What people know it by, such as its email address. */
  name: string;
  email: string;
  credential: string;
}

export interface RemoteCalendar {
  externalId: string;
  name: string;
  readonly: boolean;
  primary: boolean;
  integratedConferencing: boolean;
  tzid: string | null;
  /** Changes whenever something in the calendar does; null: it has to be pulled to know. */
  version: string | null;
}

export interface RemoteEvent {
  /** Unique in its calendar and unchanging: of CalDAV the path of the resource. */
  externalId: string;
  /** An etag; null: unknown, it has to be read to know. */
  version: string | null;
  /** Repetition is always in `icalRecurrence`, never in `series`. */
  state: EventState;
}

export interface PullPage {
  events: RemoteEvent[];
  /** Names of events that are no longer there. */
  gone: string[];
  /** Events that could not be read; `reason` never quotes them. */
  faults: { externalId: string; reason: string }[];
}

export interface PullEnd {
  /** Where the next pull goes on. */
  cursor: string | null;
  /** After a full pull the names of all that is there: what else is known is gone. Null after an incremental one. */
  present: ReadonlySet<string> | null;
}

export interface PullInput {
  calendarId: string;
  /** Null: everything. */
  cursor: string | null;
  /** The versions that are known of events; what has the same need not be read again. */
  known(externalIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}

export interface PushInput {
  calendarId: string;
  /** The event as the provider knows it; null: it was not pushed yet. */
  externalId: string | null;
  version: string | null;
  /** A name of ours that never changes: the resource's name and UID are made of it. */
  uid: string;
  /** What it is to say; null: it is to be deleted. */
  state: EventState | null;
  /** Its series as the application and the provider both had it last; exceptions that others have made since stay. Null: unknown. */
  base?: RuleSeries | null;
  /** What the application has changed since then (`touchedBy`): of all else what the provider has stays. Null: all, or unknown. */
  changedFields?: readonly string[] | null;
  /** What others said in `version` was read and not taken. */
  isRemoteChangeDeferred?: boolean;
  /** Addresses that the application took off the guest list since the last push. Guests whom nobody took off stay. */
  removedGuests: readonly string[];
  /** Whether guests are told. */
  notify: boolean;
}

export type Pushed =
  | {
      kind: "done";
      externalId: string;
      version: string | null /** As the provider keeps it now; null: deleted, or unknown. */;
      state: EventState | null;
      /** It says what others have changed, too, which is to be read. */
      tookRemote?: boolean;
    }
  /** For good: `reason` is shown to staff. */
  | { kind: "refused"; reason: string };

export interface Connector {
  capabilities: Capabilities;
  /** Throws `credentials_rejected` when the credentials are wrong. */
  connect(credentials: { username: string; password: string }): Promise<ConnectedAccount>;
  listCalendars(session: Session): Promise<RemoteCalendar[]>;
  /** Page by page. Throws `sync_token_expired` when the provider refuses the cursor: pull again without. */
  pull(session: Session, asked: PullInput): AsyncGenerator<PullPage, PullEnd>;
  push(session: Session, asked: PushInput): Promise<Pushed>;
  /** Asks to be told of changes; null: this provider has to be polled. */
  watch(session: Session, calendarId: string): Promise<{ expiresAt: number } | null>;
}
