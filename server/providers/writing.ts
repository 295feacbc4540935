import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { LocalTime } from "@/server/domain/time/rfc3339";

/** The etags of exceptions that a provider keeps as items of their own, by their names. */
export type EventParts = Readonly<Record<string, string>>;

export interface WriteInput {
  calendarId: string;
  /** The event as the provider knows it; null: it was not pushed yet. */
  externalId: string | null;
  version: string | null;
  /** The etags of its exceptions, as `RemoteEvent` has them. */
  parts?: EventParts;
  /** The id of the event's row, which never changes and is its UID at the provider. */
  uid: string;
  /** `nameOf` of the row: a new event is created under it. */
  name: string;
  /** What it is to say; null: it is to be deleted. */
  state: EventState | null;
  /** Its series as the application and the provider both had it last; exceptions that others have made since stay. Null: unknown. */
  base?: RuleSeries | null;
  /** The fields that the application changed since then. All others stay as the provider has them. Null: all, or unknown. */
  changedFields?: readonly string[] | null;
  /** What others said in `version` was read and not taken. */
  isRemoteChangeDeferred?: boolean;
  /** Others created it: its people stay as they are, and it isn't created again. */
  isForeign?: boolean;
  /** Nothing is sent unless the provider still has `version`. */
  isConditional?: boolean;
  /** The user's replies to an event that someone else organizes. */
  replies?: readonly ReplyToWrite[];
  /** Addresses that the application took off the guest list since the last push. Guests whom nobody took off stay. */
  removedGuests: readonly string[];
  /** Whether guests are notified. */
  notify: boolean;
}

export interface ReplyToWrite {
  status: "accepted" | "declined" | "tentative";
  comment: string | null;
  /** The original start of an occurrence on the series' clock. Null: the reply is to the whole event. */
  recurrenceId: LocalTime | null;
}

/** A write that is no deletion. */
export type EventToWrite = WriteInput & { state: EventState };

/** A write of an event whose name at the provider is known. */
export type KnownWrite = WriteInput & { externalId: string };

/** One of the requests that a write consists of was accepted. */
export interface PartVersion {
  externalId: string;
  /** The name of an exception. Null: the event itself. */
  part: string | null;
  /** Null: the exception is gone. */
  version: string | null;
}

/** Where a write takes several requests: called after each, so that what was written is never taken for a change of others. */
export type Note = (part: PartVersion) => Promise<void>;

/** An event as the provider has it at one moment. */
export interface CurrentEvent {
  version: string | null;
  /** Merges the write over it and stores the result, if the provider still has it as it is here. */
  store(event: EventToWrite, note: Note): Promise<StoreOutcome | Again>;
}

export interface StoreOutcome {
  kind: "done";
  externalId: string;
  version: string | null;
  /** As the provider keeps it now. Null: deleted, or unknown. */
  state: EventState | null;
  /** The etags of all its exceptions. Omitted: there are none that are items of their own. */
  parts?: EventParts;
  /** It says what the provider had and the application does not. */
  tookRemote?: boolean;
  /** A sync has passed over `version` while the write waited, and nothing was sent that would have it listed again. */
  isPassedOver?: boolean;
}

/** The event is to be stored over `current`: an earlier try has created it, or a first request has changed it. */
export interface Again {
  kind: "again";
  current: CurrentEvent;
  tookRemote?: boolean;
}

export type ProviderWriteResult =
  | StoreOutcome
  /** For good: `reason` is shown to staff. */
  | { kind: "refused"; reason: string };

/** What a write needs of a mailbox. Each may throw `ChangedSince`, `Refused`, and `gone` where the event or its calendar is. */
export interface Writing {
  /** Reads the event as it is now. Null: it is gone. `since`: what the last try failed by. */
  read(event: KnownWrite, since: ChangedSince | null): Promise<CurrentEvent | null>;
  /** Creates the event under its name. */
  create(event: EventToWrite, since: ChangedSince | null, note: Note): Promise<StoreOutcome | Again>;
  /** Deletes the event, whatever others changed in it, and gives its external id. */
  remove(event: WriteInput, since: ChangedSince | null): Promise<string>;
  /** Replies to the event for the user, which its organizer learns of. */
  reply(event: KnownWrite, reply: ReplyToWrite, since: ChangedSince | null): Promise<void>;
}

/** The provider said no for good. */
export class Refused extends Error {
  override name = "Refused";
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** Others have changed the event since it was read. */
export class ChangedSince extends Error {
  override name = "ChangedSince";
  /** `version`: the one that was the condition of the request. */
  constructor(readonly version: string | null = null) {
    super();
  }
}
