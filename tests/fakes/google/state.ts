import type { calendar_v3 } from "@googleapis/calendar";

/** The wire form of an event, as Google's own discovery document describes it. */
export type EventResource = calendar_v3.Schema$Event;
export type EventTime = calendar_v3.Schema$EventDateTime;
export type Attendee = calendar_v3.Schema$EventAttendee;
export type ConferenceData = calendar_v3.Schema$ConferenceData;
export type AccessRole = "freeBusyReader" | "reader" | "writerWithoutPrivateAccess" | "writer" | "owner";

export interface StoredEvent {
  /** Everything but what depends on who reads it: etag, self flags, the zone of times. */
  resource: EventResource & { id: string };
  /** The position in lists, which never changes. */
  position: number;
  /** The change that wrote it last. */
  version: number;
  /** How many reads a pending conference still waits for; null waits until it is told. */
  pendingReads?: number | null;
}

export interface CalendarRecord {
  id: string;
  summary: string;
  timeZone: string;
  description?: string;
  /** The email of the account that owns it. */
  owner: string;
  primary: boolean;
  conferenceTypes: string[];
  /** Google generates it, as it does calendars of holidays and birthdays: its events cannot be watched. */
  isGenerated: boolean;
  defaultReminders: { method: string; minutes: number }[];
  events: Map<string, StoredEvent>;
  /** Milliseconds of the last change. */
  updated: number;
  /** What each account (by sub) may do. */
  access: Map<string, AccessRole>;
  /** Sync tokens of before this change are expired, for all ("") or for one account. */
  syncFloors: Map<string, number>;
  /** What the calendar is of, if it is a room's or another resource's. */
  resource?: Resource;
}

/** A room, or a thing that can be booked, of an organization. */
export interface Resource {
  id: string;
  name: string;
  category: "CONFERENCE_ROOM" | "OTHER";
  capacity: number;
  building: string;
  floor: string;
  /** The domain of the organization. */
  domain: string;
}

/** A calendar in the list of an account. */
export interface ListEntry {
  calendarId: string;
  summaryOverride?: string;
  hidden: boolean;
  selected: boolean;
  deleted: boolean;
  position: number;
  version: number;
}

export interface Account {
  sub: string;
  email: string;
  name: string;
  /** The domain of a Google Workspace account. */
  hd?: string;
  /** Its other addresses. */
  aliases: string[];
  /** Whether the user administers the organization. */
  isAdmin: boolean;
  isSuspended: boolean;
  /** False once an administrator has turned Google Calendar off for the user. */
  hasCalendar: boolean;
  list: Map<string, ListEntry>;
  /** Sync tokens of the calendar list of before this change are expired. */
  listSyncFloor: number;
}

/** A group of an organization. */
export interface Group {
  id: string;
  email: string;
  /** The addresses of users and of other groups. */
  members: string[];
}

/** An email that Google would have sent. */
export interface Mail {
  to: string;
  kind: "invitation" | "update" | "cancellation" | "reply";
  calendarId: string;
  eventId: string;
  summary: string;
}

/** What the fake does otherwise than by default; tests change it at any time. */
export interface Knobs {
  /** What the user does at the consent page; "page" shows it, everything else redirects at once. */
  consent: "page" | "given" | "denied" | "without calendar scopes" | "fails";
  /** The email of the account that consents when `login_hint` names none. */
  signedIn?: string;
  /** The most entries on a page of a list, whatever maxResults asks for. */
  pageSize?: number;
  /** Seconds that an access token is valid. */
  accessTokenLifetime: number;
  /** What becomes of conference requests: after `pendingReads` calls of events.get, or never by itself if null. */
  conference: { outcome: "success" | "failure"; pendingReads: number | null };
  /**
   * What lists show of deleted events and cancelled instances: what the reference says, only what it guarantees even with showDeleted,
   * or nothing but the id, which compass-calendar saw in cancelled instances.
   */
  cancelled: "by the reference" | "guaranteed" | "id only";
  /** Days that `updatedMin` may lie back. */
  updatedMinDays: number;
}

/** A change that watchers are notified of. */
export type Change = { events: string } | { listOf: string };

export interface World {
  origin: string;
  now(): number;
  knobs: Knobs;
  accounts: Account[];
  groups: Group[];
  calendars: Map<string, CalendarRecord>;
  outbox: Mail[];
  /** Counts changes: versions, etags and sync tokens come from it. */
  nextVersion(): number;
  version(): number;
  changed(change: Change): void;
}

/** The account of an email address or of a subject. */
export function accountOf(world: World, key: string): Account | undefined {
  return world.accounts.find(({ email, sub }) => email.toLowerCase() === key.toLowerCase() || sub === key);
}

/** The domain of an address. */
export const domainIn = (email: string) => (email.split("@")[1] ?? "").toLowerCase();

/** The domain of the organization of an account. */
export const domainOf = ({ hd, email }: Account) => hd ?? domainIn(email);

/** An etag in the form of Google's: a quoted number that grows with each change. */
export function etagOf(version: number): string {
  return `"${3_400_000_000_000_000 + version * 2000}"`;
}

/** A timestamp as responses show it. */
export const rfc3339 = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The RFC 3339 timestamp of a parameter, in milliseconds; NaN for what has no offset. */
export function instantOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
}
