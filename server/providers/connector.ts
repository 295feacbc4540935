import type { Access } from "@/server/domain/access";
import type { MeetingLink } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import type { ProviderTraits } from "@/server/domain/providers";
import type { Instant } from "@/server/domain/time/instant";
import type { Window } from "@/server/domain/window";
import type { AccessToken, RefreshedToken } from "@/server/providers/access-token";
import type { Identity } from "@/server/providers/identity";
import type { Organization } from "@/server/providers/organization";
import type { UnreadResource } from "@/server/providers/unread-resource";
import type { HookChallenge, HookNotice, HookRequest, Watching } from "@/server/providers/watching";
import type { EventParts, Writing } from "@/server/providers/writing";

/** Why a provider could not be asked, of everything that can happen to a connection or a right. `after`: milliseconds. */
export type ProviderFault =
  /** `isRenewal`: the provider gives no more access tokens, whatever they are for. */
  | { kind: "credentials_rejected"; isRenewal?: boolean }
  | { kind: "gone" }
  | { kind: "conflict" }
  /** What waits: this piece of work alone, everything of the mailbox, or all that this service asks the provider for. */
  | { kind: "throttled"; after: number | null; scope: "request" | "mailbox" | "application" }
  | { kind: "sync_token_expired" }
  /** The provider does not let what was asked for be read or written. */
  | { kind: "refused" }
  /** There is no mailbox, or not at this moment. */
  | { kind: "no_mailbox" }
  /** A feed is no calendar that could be read, or not the one that it was. */
  | { kind: "unusable"; reason: UnusableReason }
  /** The provider does not accept this service itself, which is for whoever runs it to fix. */
  | { kind: "misconfigured" }
  | { kind: "down" };

/** What is wrong with a feed, in the words of server/domain/trouble. */
export type UnusableReason =
  | "calendar_deleted"
  | "feed_empty"
  | "feed_cut_off"
  | "feed_too_large"
  | "feed_address_refused"
  | "not_a_calendar";

/** Names a fault as `profile_syncs` and `calendars` store it. */
export function storedFault(fault: ProviderFault): string {
  return fault.kind === "unusable" ? fault.reason : fault.kind;
}

/** The only thing that connectors throw (ADR 16). `detail` is for staff: a status or a class of error, never text of a person. */
export class ProviderError extends Error {
  override name = "ProviderError";
  constructor(
    readonly fault: ProviderFault,
    readonly detail: string,
  ) {
    super(`${fault.kind}: ${detail}`);
  }
}

/** The detail of `down` where the provider asks for credentials in a way that no connector has. */
export const UNSUPPORTED_SIGN_IN = "unsupported_sign_in";

/** What a mailbox is opened with. */
export interface MailboxAccess {
  /** What a sign-in gave, as text that is kept sealed: a password and a home, or a refresh token. */
  credential: string;
  /** An access token of OAuth, refreshed when it has expired or is the one that the provider has `rejected`. */
  accessToken(rejected?: string): Promise<string>;
  /** Stores a credential in place of this one. */
  renewed(credential: string): Promise<void>;
  /**
   * Counts requests against the budget of this service at the provider, before they are sent. Waits where the work can
   * wait, and throws `throttled` while the provider wants none. Omitted: they aren't counted.
   */
  spend?(requests: number): Promise<void>;
  /** Ends all requests of the mailbox, but not the refresh of an access token. Omitted: each has its own deadline. */
  signal?: AbortSignal;
}

/** A calendar account that was just connected. */
export interface CalendarAccount extends Identity {
  credential: string;
  /** The id of the application's own OAuth client that alone can renew the credential. Null or omitted: none. */
  ownClient?: string | null;
  /** Of OAuth: the first access token. */
  token?: AccessToken;
}

export interface RemoteCalendar {
  externalId: string;
  name: string;
  readonly: boolean;
  primary: boolean;
  integratedConferencing: boolean;
  /** Whether guests are invited to its events. Null or omitted: as the provider does otherwise. */
  invites?: boolean | null;
  tzid: string | null;
  /** Changes whenever something in the calendar does; null: it has to be pulled to know. */
  ctag: string | null;
}

export interface CalendarListing {
  calendars: RemoteCalendar[];
  /** Null: `calendars` are all that there are. Otherwise they are what changed since the sync token, and these are gone. */
  gone: string[] | null;
  /** What the next listing begins with. Null: all are listed again. */
  syncToken: string | null;
  /** Why the calendars can't be read, although there was an answer: they stay as they are. Omitted, or null: they can. */
  trouble?: UnusableReason | null;
}

export interface RemoteEvent {
  /** Unique in its calendar and unchanging: of CalDAV the path of the resource. */
  externalId: string;
  /** An etag; null: unknown, it has to be read to know. */
  version: string | null;
  /** Repetition is always in `icalRecurrence`, never in `series`. */
  state: EventState;
  /** The etags of exceptions that the provider keeps as items of their own, by their names. */
  parts?: EventParts;
  /** The name that it was created under (`nameOf`), if that is not the last segment of `externalId`. */
  createdAs?: string | null;
  /** The provider has not listed all guests: those who are known and not listed stay. */
  hasMoreGuests?: boolean;
}

/** What is known of an event. */
export interface KnownVersion {
  /** Null: the event is known, its etag is not. */
  version: string | null;
  parts: EventParts;
}

export interface ChangePage {
  events: RemoteEvent[];
  /** Names of events that are no longer there. */
  gone: string[];
  faults: UnreadResource[];
}

export interface ChangesEnd {
  /** What the next read of changes begins with. */
  syncToken: string | null;
  /** After a full read the names of all that is there: any other known event is gone. Null after an incremental one. */
  present: ReadonlySet<string> | null;
  /** What a full read covered: nothing outside of it is gone, and the sync token reports nothing there. Null: everything. */
  window: Window | null;
  /** When the sync token ends, if the provider says so. */
  validUntil: Instant | null;
}

export interface ChangesInput {
  calendarId: string;
  /** Null: everything. */
  syncToken: string | null;
  /** What a full read has to cover. A provider may cover more. */
  window: Window;
  /** The versions that are known of events; what has the same need not be read again. */
  known(externalIds: readonly string[]): Promise<ReadonlyMap<string, KnownVersion>>;
  /** Events that were written since the last read: if changes say nothing of them, they may be gone. Omitted: none. */
  unseen?: readonly string[];
}

export interface Credentials {
  username: string;
  password: string;
  server?: string; // its address, where the provider is none in particular
}

/** An event to be read by itself, as it is now. */
export interface EventToRead {
  calendarId: string;
  externalId: string;
  /** The etags of its exceptions, as they are known. */
  parts: EventParts;
  /** The calendar's time zone. */
  tzid: string | null;
}

export interface PasswordSignIn {
  kind: "password";
  /** Throws `credentials_rejected` when the credentials are wrong. */
  verify(credentials: Credentials): Promise<CalendarAccount>;
}

/**
 * `wrong_account`: it is of a kind that another provider here is for. `admin_consent`: an administrator of the user's organization has
 * to agree first. `blocked`: a policy of the organization asks for something that the user has not done.
 */
export type SignInFailure = "denied" | "missing_scope" | "expired" | "wrong_account" | "admin_consent" | "blocked";

/** Why a user came back from the provider's page without a connection. */
export interface SignInProblem {
  problem: SignInFailure;
  /** Whose grant it is, if the provider has given one all the same: nothing comes of it, so it is to be ended. */
  granted?: CalendarAccount;
}

/** An OAuth client at a provider: that of the installation, or one of an application's own. */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

export interface OAuthSignIn {
  kind: "oauth";
  /**
   * Where to send the user. The provider names this service and not the application that asks, so it has to ask the user each time, also
   * one who has consented before. `loginHint`: the account that should sign in, if it is known. `access`: what to ask for; omitted:
   * everything. `secret` stays with us and is given to `finish`: it holds the PKCE verifier.
   */
  begin(request: { redirectUri: string; state: string; loginHint?: string; access?: Access }): {
    url: string;
    secret: string;
  };
  /** Exchanges the code of the callback for a credential. `access`: as it was asked for. */
  finish(callback: {
    redirectUri: string;
    query: URLSearchParams;
    secret: string;
    access?: Access;
  }): Promise<CalendarAccount | SignInProblem>;
  /**
   * Takes over a refresh token that a user gave this client elsewhere. `missing_scope`: it allows too little, or does not
   * say whose it is. Throws `credentials_rejected` when the provider refuses it.
   */
  takeOver(refreshToken: string): Promise<CalendarAccount | SignInProblem>;
  /** Throws `credentials_rejected` when the grant was revoked. */
  refresh(credential: string): Promise<RefreshedToken>;
  /** The same for another client of the provider: an application's own. */
  as(client: OAuthClient): OAuthSignIn;
}

/** `monthly_weekdays`: it repeats on several weekdays of a month. `time_zone`: the provider has no time zone for it. */
export type UnwritableSeries = "monthly_weekdays" | "time_zone";

/** Nobody signs in: what is read is named by an application. */
export interface NoSignIn {
  kind: "none";
}

/** A provider: how accounts sign in to it, and how their calendars are opened. */
export interface Connector {
  traits: ProviderTraits;
  signIn: PasswordSignIn | OAuthSignIn | NoSignIn;
  open(access: MailboxAccess): Mailbox;
  /** The same name for the same event row in any process, so that a write whose response was lost finds what it created. */
  nameOf(eventRow: string): string;
  /** What the provider could never be brought to say of a series: then its write is refused at once. Omitted, or null: nothing. */
  unwritable?(state: EventState): UnwritableSeries | null;
  /** Of a provider whose organizations can open the mailboxes of their users. */
  organization?: Organization;
  /** What a request says that claims to come from the provider. It is not verified yet. Unreadable: no notices. */
  readHook?(request: HookRequest): readonly HookNotice[] | HookChallenge;
}

export interface PasswordConnector extends Connector {
  signIn: PasswordSignIn;
}
/** A question for the time that is taken in a calendar. */
export interface BusyTimeInput {
  calendarId: string;
  window: Window;
  /** Events whose time does not count, by their external ids or, while those are unknown, as `nameOf` names them. */
  without: ReadonlySet<string>;
}

/** Time that is taken at a provider. All-day events are UTC midnights, which are days in the owner's zone. */
export interface TakenSpan {
  starts: Instant;
  ends: Instant;
  allDay: boolean;
}

/** The calendars of one connected account. */
export interface Mailbox extends Writing {
  /** How often it is polled. Omitted: as the operator configured. */
  pollMs?: number;
  reader?: number; // raised whenever events are read otherwise than before: each calendar is then read once more
  /** Throws `sync_token_expired` when the provider refuses the sync token. A provider without one lists all. */
  calendars(syncToken: string | null): Promise<CalendarListing>;
  /** Page by page. Throws `sync_token_expired` when the provider refuses the sync token: read again without. */
  changes(from: ChangesInput): AsyncGenerator<ChangePage, ChangesEnd>;
  /** Reads one event as a read of changes does: `gone` names it if there is none any more. */
  event(event: EventToRead): Promise<ChangePage>;
  /** Looks for the meeting link of an event that was written with one to be created. */
  meetingLink?(event: { calendarId: string; externalId: string }): Promise<MeetingLink | "pending" | "failed">;
  /**
   * Reads what time is taken in a calendar right now, and at least all of it that overlaps the window. Throws if any of
   * it can't be read. Omitted: the provider can't be asked.
   */
  busyTime?(asked: BusyTimeInput): Promise<readonly TakenSpan[]>;
  /** Of a provider that notifies us of changes. */
  watch?: Watching;
  /** Ends our access at the provider. */
  revoke?(): Promise<void>;
}
