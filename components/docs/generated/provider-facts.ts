import type { Access } from "@/server/domain/access";
import type { MeetingService } from "@/server/domain/events/conferencing";
import type { Provider, ProviderService } from "@/server/domain/providers";

/** Differences between providers: a cell for each row of the page, without what `ProviderTraits` already says. */
export interface ProviderFacts {
  services: readonly ProviderService[];
  accessEnds: string;
  /** What the provider is asked for, by the access that the application wants. */
  asked: Readonly<Record<Access, string>>;
  calendars: string;
  readonly: string;
  deleted: string;
  primary: string;
  /** The calendars that send invitations, if not all. */
  invitations: string;
  /** Empty: guests are always notified. */
  silent: string;
  replies: string;
  repliesReset: string;
  partialGuestLists: string;
  organizer: string;
  participation: string;
  free: string;
  /** Empty: calendars add no links. */
  addsLinksTo: string;
  newLink: string;
  removedLink: string;
  linkOfOthers: string;
  /** The services whose links calendars add, now or in the past. Null: no event has a link. */
  linkServices: readonly MeetingService[] | null;
  url: string;
  categories: string;
  private: string;
  unwritableSeries: string;
  exceptions: string;
  following: string;
  zones: string;
  kept: string;
}

/** True of both kinds of Microsoft accounts. */
const atMicrosoft = {
  asked: {
    full: "`Calendars.ReadWrite`",
    read: "`Calendars.Read`",
    free_busy: "`Calendars.Read`: with `Calendars.ReadBasic`, Microsoft sends no notifications",
  },
  calendars: "every calendar in the user's list, including those shared with them",
  readonly: "the user may not edit the calendar",
  deleted: "the calendar is deleted or no longer shared",
  primary: "the account's default calendar",
  invitations: "",
  silent: "",
  replies: "a `change` notification",
  repliesReset: "Microsoft sets them back to `needs_action`",
  partialGuestLists: "only if someone else organizes the event, whose guests can't be changed anyway",
  organizer: "named by Microsoft on every event, with the display name of the mailbox",
  participation: "the calendar owner's reply; `accepted` for organizers and for events without guests",
  free: "shown as free; working elsewhere and out of office are `busy`",
  removedLink:
    "the event no longer shows the link, in reads and in its description; Microsoft keeps the meeting, which can still be joined",
  linkOfOthers: "the event's online meeting; otherwise the first link of a known service in location and description",
  url: "kept but not shown in Outlook",
  categories: "the event's categories",
  private: "`true` for private, personal and confidential events",
  unwritableSeries:
    "monthly on several weekdays, or in a time zone that Windows has no name for: rejected with `errors.not_supported` or `errors.invalid`. With an occurrence moved to the day of another one or past it: accepted, then undone with a `change` notification",
  exceptions: "dropped by Microsoft when the series moves; Almanac writes them again",
  following: "ends the series and starts another, with its own `series_identifier` and without your `event_id`",
  zones: "IANA and Windows names; events with another time zone have the mailbox's",
  kept: "reminders, categories, attachments, the formatting of an unchanged description, and everything Microsoft stores about guests",
} as const satisfies Partial<ProviderFacts>;

/** A missing provider has no column. Each that users can connect is here (tests/api/docs/providers.test.ts). */
export const providerFacts: Partial<Record<Provider, ProviderFacts>> = {
  hosted: {
    services: ["hosted"],
    asked: {
      full: "nobody: Almanac hosts the calendar",
      read: "nobody: Almanac hosts the calendar",
      free_busy: "nobody: Almanac hosts the calendar",
    },
    accessEnds: "you revoke the connection, which deletes the calendar",
    calendars: "one",
    readonly: "never",
    deleted: "never",
    primary: "its only calendar",
    invitations: "",
    silent: "guests are stored",
    replies: "none arrive",
    repliesReset: "kept",
    partialGuestLists: "never",
    organizer: "the application calendar's account",
    participation: "always `accepted`",
    free: "`transparency` is `transparent`",
    addsLinksTo: "",
    newLink: "none",
    removedLink: "nothing to remove",
    linkOfOthers: "none",
    linkServices: null,
    url: "stored as sent",
    categories: "empty",
    private: "always `false`",
    unwritableSeries: "none",
    exceptions: "as you write them",
    following: "nobody else edits your series",
    zones: "as you write them",
    kept: "nothing else is stored",
  },
  google: {
    services: ["google", "google_workspace"],
    asked: {
      full: "`calendar.events`, `calendar.calendarlist.readonly`",
      read: "`calendar.readonly`",
      free_busy: "`calendar.events.freebusy`, `calendar.calendarlist.readonly`",
    },
    accessEnds: "the user removes your access in their Google Account, or Google ends it",
    calendars: "every calendar in the user's list, including hidden ones",
    readonly: "the user may only read the calendar or its free/busy times",
    deleted: "the calendar is deleted, no longer shared, or removed from the user's list",
    primary: "the account's own calendar",
    invitations: "",
    silent: "nobody is notified",
    replies: "a `change` notification",
    repliesReset: "Google sets them back to `needs_action`",
    partialGuestLists: "guests can't be added or removed; everything else in the write is stored",
    organizer: "named by Google on every event",
    participation: "the calendar owner's reply; `accepted` for organizers and for owners who aren't guests",
    free: "shown as available, a birthday or a working location; focus time and out of office are `busy`",
    addsLinksTo: "writable calendars that allow Google Meet",
    newLink: "`pending` until Google has created it, usually for seconds; then the link, or none if Google can't",
    removedLink: "removed from the event",
    linkOfOthers: "the event's video link; otherwise the first link of a known service in location and description",
    linkServices: ["google_meet", "google_hangouts"],
    url: "shown in Google if it is a web address; otherwise kept but not shown",
    categories: "empty",
    private: "`true` for private and confidential visibility",
    unwritableSeries: "none",
    exceptions: "dropped by Google when the series moves; Almanac writes them again",
    following: "ends the series and starts another, with its own `series_identifier` and without your `event_id`",
    zones: "IANA names; a series without one has its calendar's time zone",
    kept: "reminders, colors, attachments, and everything Google stores about guests",
  },
  microsoft: {
    ...atMicrosoft,
    services: ["microsoft_365"],
    accessEnds:
      "the user or an administrator removes your access, a policy of the organization stops it, or Microsoft ends it",
    addsLinksTo: "writable calendars that allow Microsoft Teams",
    newLink: "`pending` until Microsoft has created it, usually for seconds; then the link, or none if Microsoft can't",
    linkServices: ["microsoft_teams", "skype_for_business"],
  },
  outlook: {
    ...atMicrosoft,
    services: ["outlook"],
    accessEnds: "the user removes your access in their Microsoft account, or Microsoft ends it",
    addsLinksTo: "",
    newLink: "none",
    linkServices: ["skype"],
  },
  icloud: {
    services: ["icloud"],
    asked: {
      full: "the password",
      read: "the password: CalDAV has no smaller permission",
      free_busy: "the password: CalDAV has no smaller permission",
    },
    accessEnds: "the user revokes or changes the password",
    calendars: "every calendar for events, except subscribed ones",
    readonly: "the account has no right to write to the calendar",
    deleted: "the server no longer lists the calendar",
    primary: "the server's default calendar; otherwise the first writable one",
    invitations:
      "; another CalDAV server sends them if it supports scheduling (RFC 6638), and otherwise a write with guests is rejected as for calendars hosted by Almanac",
    silent: "new guests aren't notified; the server may still notify guests who are already invited",
    replies: "a `change` notification",
    repliesReset: "the server decides",
    partialGuestLists: "never",
    organizer: "`null` for most events without guests",
    participation:
      "the reply of the guest with the account's address; `unknown` if there is none and someone else organizes",
    free: "marked as transparent",
    addsLinksTo: "",
    newLink: "none",
    removedLink: "removed from the event",
    linkOfOthers:
      "the event's conference property; otherwise the first link of a known service in URL, location and description",
    linkServices: [],
    url: "stored as the event's URL",
    categories: "the event's categories",
    private: "`true` for private and confidential events",
    unwritableSeries: "none",
    exceptions: "stored with the series in one object",
    following: "depends on the calendar app: the later occurrences move, or become another series",
    zones: "IANA and Windows names, and time zones that an event defines itself",
    kept: "alarms, attachments, and every other property of the event",
  },
};
