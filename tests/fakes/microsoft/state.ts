import type {
  Attendee,
  CalendarColor,
  FreeBusyStatus,
  Importance,
  Location,
  OnlineMeetingInfo,
  OnlineMeetingProviderType,
  PatternedRecurrence,
  Recipient,
  ResponseStatus,
  Sensitivity,
} from "@microsoft/microsoft-graph-types";

/** The tenant of personal accounts: issue 14 and the page "ID token claims reference". */
export const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** A wall clock in a place. */
export interface StoredTime {
  /** YYYY-MM-DDTHH:MM:SS. */
  local: string;
  /** A name of the tz database. */
  zone: string;
  /** The name that originalStartTimeZone and its like show. */
  shown: string;
}

/** The fields of an event that clients write, and that an occurrence may have otherwise than its series. */
export interface EventContent {
  subject: string;
  /** The whole HTML document. */
  html: string;
  start: StoredTime;
  end: StoredTime;
  isAllDay: boolean;
  locations: Location[];
  attendees: Attendee[];
  categories: string[];
  importance: Importance;
  sensitivity: Sensitivity;
  showAs: FreeBusyStatus;
  isReminderOn: boolean;
  reminderMinutesBeforeStart: number;
  responseRequested: boolean;
  allowNewTimeProposals: boolean;
  hideAttendees: boolean;
}

/** An occurrence that differs from its series. */
export interface Exception {
  /** What it has otherwise; the times always. */
  own: Partial<EventContent> & Pick<EventContent, "start" | "end">;
  isCancelled: boolean;
  responseStatus?: ResponseStatus;
  properties: Map<string, string>;
  version: number;
  modified: number;
}

/** The online meeting of an event. */
export interface Meeting {
  provider: OnlineMeetingProviderType;
  info: OnlineMeetingInfo;
  /** How many reads the link still waits for; null waits until it is told, 0 is there. */
  pendingReads: number | null;
  /** False after a write removed its text from the body. */
  isOn: boolean;
}

export interface StoredEvent {
  /** The position in lists and in rounds of change tracking. */
  serial: number;
  /** The default id, which changes when the event is moved. */
  id: string;
  immutableId: string;
  iCalUId: string;
  calendar: CalendarRecord;
  content: EventContent;
  recurrence: PatternedRecurrence | null;
  /** By the date of the occurrence in the series. */
  exceptions: Map<string, Exception>;
  cancelled: Set<string>;
  organizer: Recipient;
  responseStatus: ResponseStatus;
  isCancelled: boolean;
  transactionId?: string;
  properties: Map<string, string>;
  meeting: Meeting | null;
  created: number;
  modified: number;
  /** The change that wrote it last; etag and changeKey come from it. */
  version: number;
  /** The change that change tracking shows last. */
  tracked: number;
  /** When Exchange will rewrite the change key by itself, if it will. */
  settles?: number;
  /** The content before the last change. */
  previous?: EventContent;
}

/** What remains of an event that left a calendar. */
export interface Tombstone {
  serial: number;
  id: string;
  immutableId: string;
  version: number;
}

export interface CalendarRecord {
  id: string;
  name: string;
  color: CalendarColor;
  hexColor: string;
  owner: Account;
  isDefault: boolean;
  providers: OnlineMeetingProviderType[];
  defaultProvider: OnlineMeetingProviderType;
  events: Map<string, StoredEvent>;
  tombstones: Tombstone[];
  version: number;
  /** Delta tokens of before this change are expired. */
  tokenFloor: number;
}

/** A calendar in the list of an account. */
export interface ListEntry {
  calendar: CalendarRecord;
  canEdit: boolean;
  /** The name under which a shared calendar is listed. */
  name?: string;
}

export interface Account {
  /** The object id in its tenant. */
  oid: string;
  tid: string;
  /** The subject of id tokens, which differs from app to app: here a constant. */
  sub: string;
  email: string;
  name: string;
  kind: "work" | "personal";
  /** The zone of the mailbox, by its Windows name. */
  timeZone: string;
  list: ListEntry[];
  /** Every transactionId that created an event, with the body that it came with. */
  transactions: Map<string, { event: StoredEvent; body: string }>;
  hasMailbox: boolean;
  /** The other addresses of the mailbox. */
  aliases: string[];
  /** False for who may not sign in; the mailbox stays. */
  isEnabled: boolean;
  /** What the account is of, if it is a room's. */
  room?: Room;
  /** The policy of the tenant lets administrators alone consent. */
  needsAdmin: boolean;
}

/** A room of an organization; its name and address are those of its account. */
export interface Room {
  /** The id of the place, which is not that of the account. */
  placeId: string;
  capacity: number;
  building: string;
  floorLabel: string;
}

/** A group of an organization. */
export interface Group {
  id: string;
  tid: string;
  email: string;
  /** The addresses of its members. */
  members: string[];
}

/** An email that Exchange would have sent. */
export interface Mail {
  to: string;
  from: string;
  kind: "invitation" | "update" | "cancellation" | "accepted" | "tentativelyAccepted" | "declined";
  eventId: string;
  subject: string;
  comment?: string;
  /** The date of the occurrence it is about. */
  occurrence?: string;
}

/** What the fake does otherwise than by default; tests change it at any time. */
export interface Knobs {
  /**
   * What happens at the sign-in page. "page" shows it, everything else redirects at once: "given" and "denied" by the user, "admin consent"
   * (AADSTS90094), "not consented" (AADSTS65001), "conditional access" (AADSTS53003), "fails" (a page of its own).
   */
  consent: "page" | "given" | "denied" | "admin consent" | "not consented" | "conditional access" | "fails";
  /** The email of the account that signs in when `login_hint` names none. */
  signedIn?: string;
  /** What an account of the wrong kind meets: an error redirected to the client, a page of Microsoft's, or (misconfigured) a sign-in. */
  wrongKind: "redirects" | "page" | "signs in";
  /** Seconds that an access token is valid. */
  accessTokenLifetime: number;
  /** Seconds that a refresh token works on after its first use; null for ever, as the page "Refresh tokens" says. */
  refreshGrace: number | null;
  /** A refresh token that is used after the grace ends every token that came of the same sign-in. */
  reuseEndsFamily: boolean;
  /** The most entries on a page of a list, whatever the client asks for. */
  pageSize?: number;
  /** Each list begins with a page that has no entry. */
  emptyPages: boolean;
  /** Change tracking lists a series master with its occurrences [R ridafkih/keeper.sh#409]; the reference does not promise it. */
  tracksMasters: boolean;
  /**
   * What change tracking shows when an occurrence is deleted: the series again, without it, or nothing at all.
   * [R microsoft-graph-docs#4501]: "No indication is given for a deleted occurrence".
   */
  deletedOccurrences: "series again" | "silent";
  /** A series may be split on pages of a round; [R microsoft-graph-docs#4501] says it never is. */
  splitsSeries: boolean;
  /** Changed events come twice in a round, first as they were [R microsoft-graph-docs#3121]. */
  duplicates: boolean;
  /** The code of 410 when a delta token is expired. */
  goneCode: "SyncStateNotFound" | "syncStateNotFound" | "resyncRequired";
  /** What becomes of a Teams meeting: its link is there after so many reads of the event, or when it is told if null. */
  meetings: { pendingReads: number | null };
  /** Milliseconds after which Exchange rewrites the change key of a new event [R compass-calendar#3673]; null never. */
  changeKeySettles: number | null;
  /** Which day of the month stands for one that the month does not have [K]: CDO reference of DayOfMonth. */
  shortMonths: "last day" | "skipped";
  /** A create with the transactionId of the same event again: the event, or 409. */
  repeatedTransaction: "returned" | "refused";
  /** Which names of zones are accepted: those of the reference, or every one of the tz database. */
  zoneNames: "documented" | "any place";
  /** Requests at once that a mailbox answers: page "Service-specific throttling limits". */
  mailboxConcurrency: number;
  /** Seconds in Retry-After of a request beyond that. */
  retryAfter: number;
  /** Requests before Retry-After has passed get 429 again, and are not only counted. */
  insists: boolean;
  /** Milliseconds that each request to a mailbox takes. */
  latency: number;
  /** Minutes that a subscription may last: 4,230 in every edition of the reference at hand. */
  longestSubscription: number;
  /** Milliseconds that a receiver has for a notice. */
  noticeTimeout: number;
  /** The list of rooms has links to its next pages; [R learn.microsoft.com, question 1021419]: it may have none. */
  linksRooms: boolean;
  /** Declining takes the event out of the calendar [K]. */
  declinedStay: boolean;
}

/** A change that subscribers are notified of. */
export interface Change {
  type: "created" | "updated" | "deleted";
  calendar: CalendarRecord;
  event: Pick<StoredEvent, "id" | "immutableId" | "version">;
}

export interface World {
  origin: string;
  now(): number;
  knobs: Knobs;
  accounts: Account[];
  groups: Group[];
  calendars: Map<string, CalendarRecord>;
  outbox: Mail[];
  nextVersion(): number;
  version(): number;
  changed(change: Change): void;
}

/** The account of an email address, of an object id or of a subject. */
export function accountOf(world: World, key: string): Account | undefined {
  const wanted = key.toLowerCase();
  return world.accounts.find(({ email, oid, sub }) => [email, oid, sub].some((one) => one.toLowerCase() === wanted));
}

/** Field `changeKey`, which "changes every time the item is changed". */
export function changeKeyOf(version: number): string {
  return Buffer.from(`fake/change+key${String(version).padStart(9, "0")}`).toString("base64");
}

/** A weak etag of the change key: the samples of "Create event". */
export const etagOf = (version: number) => `W/"${changeKeyOf(version)}"`;

/** Whether two email addresses are the same but for their case. */
export const sameAddress = (one: string | null | undefined, other: string | null | undefined) =>
  (one ?? "").toLowerCase() === (other ?? "").toLowerCase();
