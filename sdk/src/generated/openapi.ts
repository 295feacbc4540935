// Generated from the OpenAPI document. Don't edit this file: see CONTRIBUTING.md.

/** One of the listed values, or one that this version of the client doesn't know. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Every operation of the API. */
export type OperationId =
  | "authorize"
  | "createToken"
  | "revokeToken"
  | "openApplicationCalendar"
  | "createLinkToken"
  | "showAccount"
  | "showUserinfo"
  | "listProfiles"
  | "listCalendars"
  | "listFreeBusy"
  | "listEvents"
  | "writeEvent"
  | "deleteEvent"
  | "changeOccurrence"
  | "openChannel"
  | "listChannels"
  | "testChannel"
  | "closeChannel"
  | "changeInSandbox";

export type TokenRequest =
  | {
      /** Your application's client id. Required unless you send it as HTTP Basic. */
      client_id?: string;
      /** Any active client secret of your application. Required unless you send it as HTTP Basic. */
      client_secret?: string;
      grant_type: "authorization_code";
      /** The authorization code. Single use, valid for 10 minutes. */
      code: string;
      /** The redirect URI of the authorization request. */
      redirect_uri: string;
      /** Required if the authorization request had a `code_challenge` (PKCE, RFC 7636). */
      code_verifier?: string;
    }
  | {
      /** Your application's client id. Required unless you send it as HTTP Basic. */
      client_id?: string;
      /** Any active client secret of your application. Required unless you send it as HTTP Basic. */
      client_secret?: string;
      grant_type: "refresh_token";
      refresh_token: string;
    };

export type RevokeRequest = {
  /** Your application's client id. Required unless you send it as HTTP Basic. */
  client_id?: string;
  /** Any active client secret of your application. Required unless you send it as HTTP Basic. */
  client_secret?: string;
  /** An access token or a refresh token. Required outside compatibility mode. */
  token: string;
  /** Compatibility mode only: accepted instead of `token`. */
  refresh_token?: string;
  /** Compatibility mode only: the account id, accepted instead of `token`. */
  sub?: string;
};

export type ApplicationCalendarRequest = {
  /** Your application's client id. Required unless you send it as HTTP Basic. */
  client_id?: string;
  /** Any active client secret of your application. Required unless you send it as HTTP Basic. */
  client_secret?: string;
  /** Your id for the calendar. The same id always opens the same calendar. */
  application_calendar_id: string;
};

export type EventWrite = {
  /** Your id for the event, unique within the calendar. */
  event_id: string;
  summary: string;
  description?: string;
  /** When the event starts. For a recurring event, when the first occurrence starts. */
  start: EventTime;
  /** When the event ends: a date if `start` is a date, otherwise a time. Dates are exclusive. */
  end: EventTime;
  /** The event's IANA time zone. Required for a recurring event with times, unless `start` has a `tzid`. */
  tzid?: string;
  location?: {
    description?: string;
  };
  /** A link, returned in reads. Its scheme must be one that calendars use: `http`, `https`, `ftp`, `mailto`, `message`, `mid`, `tel`, `sms`, `smsto`, `mms`, `fax`, `callto`, `geo`, `maps`, `webcal`, `webcals`, `calshow`, `urn`, `facetime`, `facetime-audio`, `imessage`, `sip`, `sips`, `h323`, `xmpp`, `im`, `irc`, `ircs`, `zoommtg`, `zoomus`, `zoomphonecall`, `msteams`, `ms-teams`, `lync`, `lync15`, `skype`, `webex`, `wbx`, `gotomeeting`, `gmeet`, `jitsi-meet`, `rcvideo`, `slack`, `discord`, `whatsapp`, `tg`, `viber`, `evernote`, `onenote`, `notion`, `obsidian`, `bear`, `craftdocs`, `things`, `omnifocus`, `fantastical`, `hook`. Text without a scheme is accepted too. */
  url?: string;
  /** `transparent` shows the event as free. */
  transparency?: "opaque" | "transparent";
  /** Guests to add and remove. If omitted, the guests stay unchanged. */
  attendees?: GuestChange;
  recurrence?: Recurrence;
  conferencing?: {
    /** `default` adds the calendar's own meeting link if it has one. `integrated` does the same but fails if it has none. `none` removes the link. */
    profile_id: "default" | "integrated" | "none";
  };
  /** If `false`, no invitations are sent. Calendars that always notify guests reject `false`. */
  notify_attendees?: boolean;
};

export type EventDelete = {
  /** Your id for the event, unique within the calendar. */
  event_id: string;
  /** Delete only the occurrence originally on this day. */
  occurrence_date?: string;
  /** If `false`, no invitations are sent. Calendars that always notify guests reject `false`. */
  notify_attendees?: boolean;
};

export type OccurrenceWrite = {
  /** Your id for the event, unique within the calendar. */
  event_id: string;
  /** The occurrence's original day, in the event's time zone. */
  occurrence_date: string;
  start?: EventTime;
  end?: EventTime;
  /** Time zone of local times. Default: the series' time zone. */
  tzid?: string;
  summary?: string;
  description?: string;
  location?: {
    description?: string;
  };
  /** If `false`, no invitations are sent. Calendars that always notify guests reject `false`. */
  notify_attendees?: boolean;
};

/** A date (all-day), a time with an offset, or an object with a time and its time zone. */
export type EventTime =
  | string
  | {
      /** A date, a time with an offset, or a local time in `tzid` such as `2026-11-21T09:30:00`. */
      time: string;
      /** An IANA time zone. */
      tzid: string;
    };

export type GuestChange = {
  /** Guests to add. Existing guests stay. */
  invite?: Array<{
    email: string;
    display_name?: string | null;
  }>;
  /** Guests to remove. A guest listed in both lists is removed. */
  remove?: Array<{
    email: string;
  }>;
};

/** How the event repeats. `null` stops the repetition; if omitted, it stays unchanged. */
export type Recurrence = {
  /** Exactly one rule. */
  rules: Array<RecurrenceRule>;
  /** A list you send replaces the existing one; a list you omit stays unchanged. Name each day only once. */
  exceptions?: {
    /** Days to skip. */
    add?: Array<{
      date: string;
    }>;
    /** Days with changes. Send `start` and `end` together. */
    change?: Array<{
      date: string;
      start?: EventTime;
      end?: EventTime;
      summary?: string;
      description?: string;
      location?: {
        description?: string;
      };
    }>;
  };
} | null;

export type RecurrenceRule = {
  frequency: "daily" | "weekly" | "monthly" | "yearly";
  /** Repeat every this many days, weeks, months or years. Default: 1. */
  interval?: number;
  /** Total number of occurrences, including the first. */
  count?: number;
  /** The last day (inclusive) in the event's time zone. Mutually exclusive with `count`. Without either, the series never ends. */
  until?: string;
  /** Only in weekly and monthly rules. */
  by_day?: Array<{
    day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
    /** Required in monthly rules, not allowed in others. Which one in the month; -1 is the last. */
    nth_of_period?: 1 | 2 | 3 | 4 | -1;
  }>;
};

export type ChannelRequest = {
  /** An https URL on port 443 with a public host and no credentials. */
  callback_url: string;
  filters?: {
    /** Notify only of changes in these calendars. Default: every calendar of the account. */
    calendar_ids?: Array<string>;
    /** Notify only of changes to events your application created. */
    only_managed?: boolean;
  };
};

export type SandboxChange = {
  /** What the other person, or the provider, does. */
  type:
    | "event_created"
    | "event_changed"
    | "event_deleted"
    | "guest_replied"
    | "meeting_link_created"
    | "calendar_changed"
    | "calendar_deleted"
    | "calendar_restored"
    | "profile_disconnected"
    | "profile_reconnected"
    | "initial_sync_started"
    | "initial_sync_completed";
  /** Required for changes of calendars and events. */
  calendar_id?: string;
  /** An event that your application wrote. */
  event_id?: string;
  /** Any event, as reads name it. */
  event_uid?: string;
  /** What the event says after the change, with the fields of a write and `event_private`. Guests are changed as in a write. */
  event?: {
    summary: string;
    description?: string;
    /** When the event starts. For a recurring event, when the first occurrence starts. */
    start: EventTime;
    /** When the event ends: a date if `start` is a date, otherwise a time. Dates are exclusive. */
    end: EventTime;
    /** The event's IANA time zone. Required for a recurring event with times, unless `start` has a `tzid`. */
    tzid?: string;
    location?: {
      description?: string;
    };
    /** A link, returned in reads. Its scheme must be one that calendars use: `http`, `https`, `ftp`, `mailto`, `message`, `mid`, `tel`, `sms`, `smsto`, `mms`, `fax`, `callto`, `geo`, `maps`, `webcal`, `webcals`, `calshow`, `urn`, `facetime`, `facetime-audio`, `imessage`, `sip`, `sips`, `h323`, `xmpp`, `im`, `irc`, `ircs`, `zoommtg`, `zoomus`, `zoomphonecall`, `msteams`, `ms-teams`, `lync`, `lync15`, `skype`, `webex`, `wbx`, `gotomeeting`, `gmeet`, `jitsi-meet`, `rcvideo`, `slack`, `discord`, `whatsapp`, `tg`, `viber`, `evernote`, `onenote`, `notion`, `obsidian`, `bear`, `craftdocs`, `things`, `omnifocus`, `fantastical`, `hook`. Text without a scheme is accepted too. */
    url?: string;
    /** `transparent` shows the event as free. */
    transparency?: "opaque" | "transparent";
    /** Guests to add and remove. If omitted, the guests stay unchanged. */
    attendees?: GuestChange;
    recurrence?: Recurrence;
    conferencing?: {
      /** `default` adds the calendar's own meeting link if it has one. `integrated` does the same but fails if it has none. `none` removes the link. */
      profile_id: "default" | "integrated" | "none";
    };
    /** Whether the event is marked as private. If omitted, that stays unchanged. */
    event_private?: boolean;
  };
  /** For `event_created`: who invites the user. If omitted, the user made the event. */
  organizer?: {
    email: string;
    display_name?: string | null;
  };
  /** The guest who replies, or the user's own address. */
  email?: string;
  /** The reply. */
  status?: "accepted" | "declined" | "tentative" | "needs_action";
  /** For `meeting_link_created`: where the meeting is. If omitted, an address at `meet.example.com`. */
  join_url?: string;
  /** For `calendar_changed`: what the calendar is after the change. What is omitted stays unchanged. */
  calendar?: {
    /** Whether writes get a 403. */
    calendar_readonly?: boolean;
    /** Whether the calendar adds its own meeting links. A link that a write asks for stays pending. */
    calendar_integrated_conferencing_available?: boolean;
  };
};

export type TokenResponse = {
  token_type: "bearer";
  /** Send it in the `Authorization: Bearer …` header. */
  access_token: string;
  /** Seconds until the access token expires: 10800, or less when compatibility mode returns an existing token. */
  expires_in: number;
  /** Exchange it for new access tokens. It never changes. */
  refresh_token: string;
  scope: "read_write";
  /** The account id. Only in responses to a code exchange. */
  sub?: string;
  /** The same as `sub`. */
  account_id?: string;
  linking_profile?: LinkingProfile;
};

export type ApplicationCalendarResponse = {
  token_type: "bearer";
  /** Send it in the `Authorization: Bearer …` header. */
  access_token: string;
  /** Seconds until the access token expires: 10800, or less when compatibility mode returns an existing token. */
  expires_in: number;
  /** Exchange it for new access tokens. It never changes. */
  refresh_token: string;
  scope: "read_write";
  /** The account id. */
  sub: string;
  /** The same as `sub`. */
  account_id: string;
  linking_profile: LinkingProfile;
  application_calendar_id: string;
};

/** The connected calendar account. */
export type LinkingProfile = {
  provider_name: Open<"google" | "office365" | "live_connect" | "apple" | "hosted" | "cronofy">;
  profile_id: string;
  profile_name: string | null;
};

export type LinkTokenResponse = {
  link_token: string;
};

export type AccountResponse = {
  account: Account;
};

export type Account = {
  account_id: string;
  type: "account" | "application_calendar";
  /** The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID. */
  email: string;
  name: string;
  scope: string;
  default_tzid: string;
};

export type Userinfo = {
  sub: string;
  /** Only for application calendars, instead of `email`. */
  application_calendar_id?: string;
  /** The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID. */
  email?: string;
  name: string;
  zoneinfo: string;
  "svc.type": "account" | "application_calendar";
  "svc.data": {
    authorization: {
      scope: string;
      status: "active";
    };
    application_calendar?: {
      application_calendar_id: string;
    };
    /** Every connected profile, with its calendars. */
    profiles: Array<Profile>;
  };
};

export type CompatibilityUserinfo = {
  sub: string;
  /** Only for application calendars, instead of `email`. */
  application_calendar_id?: string;
  /** The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID. */
  email?: string;
  name: string;
  zoneinfo: string;
  "cronofy.type": "account" | "application_calendar";
  "cronofy.data": {
    authorization: {
      scope: string;
      status: "active";
    };
    application_calendar?: {
      application_calendar_id: string;
    };
    /** Every connected profile, with its calendars. */
    profiles: Array<Profile>;
  };
};

export type ProfilesResponse = {
  profiles: Array<Profile>;
};

/** A calendar account that a user connected, or the one behind an application calendar. */
export type Profile = {
  provider_name: Open<"google" | "office365" | "live_connect" | "apple" | "hosted" | "cronofy">;
  provider_service: Open<"google" | "gsuite" | "office365" | "outlook_com" | "icloud" | "hosted">;
  profile_id: string;
  profile_name: string;
  /** If `false`, the user must reconnect this calendar account. */
  profile_connected: boolean;
  profile_relink_url: null;
  /** `true` until the first sync is complete. */
  profile_initial_sync_required: boolean;
  profile_calendars: Array<Calendar>;
};

export type CalendarsResponse = {
  calendars: Array<{
    provider_name: Open<"google" | "office365" | "live_connect" | "apple" | "hosted" | "cronofy">;
    profile_id: string;
    profile_name: string;
    calendar_id: string;
    calendar_name: string;
    /** If `true`, you can't write events to this calendar. */
    calendar_readonly: boolean;
    /** `true` if the calendar was deleted at the provider. It stays listed. */
    calendar_deleted: boolean;
    calendar_primary: boolean;
    /** `true` if the calendar can add its own meeting link. */
    calendar_integrated_conferencing_available: boolean;
    calendar_attachments_available: false;
    /** For example `unrestricted`. */
    permission_level: string;
  }>;
  /** The account id. */
  sub: string;
};

/** A calendar. */
export type Calendar = {
  calendar_id: string;
  calendar_name: string;
  /** If `true`, you can't write events to this calendar. */
  calendar_readonly: boolean;
  /** `true` if the calendar was deleted at the provider. It stays listed. */
  calendar_deleted: boolean;
  calendar_primary: boolean;
  /** `true` if the calendar can add its own meeting link. */
  calendar_integrated_conferencing_available: boolean;
  calendar_attachments_available: false;
  /** For example `unrestricted`. */
  permission_level: string;
};

/** This page and the total number of pages. */
export type Pages = {
  current: number;
  total: number;
  /** URL of the next page. Request it unchanged, with the same token. The last page has none. */
  next_page?: string;
};

export type FreeBusyResponse = {
  pages: Pages;
  free_busy: Array<FreeBusyPeriod>;
};

/** How an event, or one occurrence, affects the owner's availability. */
export type FreeBusyPeriod = {
  calendar_id: string;
  event_uid: string;
  /** Not clipped to the window. */
  start: string;
  /** Dates are exclusive. */
  end: string;
  free_busy_status: "busy" | "tentative" | "free";
  /** Only with `include_ids`, on events your application created. */
  event_id?: string;
};

export type EventsResponse = {
  pages: Pages;
  events: Array<Event>;
};

/** An event, or one occurrence of a recurring event. */
export type Event = {
  calendar_id: string;
  event_uid: string;
  /** Only on events your application created. */
  event_id?: string;
  summary: string;
  description: string;
  start: string;
  /** Dates are exclusive. */
  end: string;
  /** `true` only with `include_deleted`. */
  deleted: boolean;
  /** A UTC time in whole seconds. */
  created: string;
  /** A UTC time in whole seconds. */
  updated: string;
  location?: {
    description: string;
  };
  /** Any text from the calendar, except links that run a script, such as `javascript:` and `data:`. */
  url?: string;
  /** The calendar owner's reply. */
  participation_status: "needs_action" | "accepted" | "declined" | "tentative" | "unknown";
  attendees: Array<Attendee>;
  transparency: "opaque" | "transparent";
  extended_transparency: "opaque" | "transparent";
  event_private: boolean;
  /** `null` if the calendar names no organizer. */
  organizer: {
    email: string;
    display_name: string | null;
  } | null;
  /** For example `confirmed`. Cancelled events are not returned. */
  status: string;
  categories: Array<string>;
  /** `true` on every occurrence of a recurring event. */
  recurring: boolean;
  /** On the first occurrence of a series your application created: its rule as you sent it. */
  recurrence?: {
    rules: Array<RecurrenceRule>;
  };
  /** The same on all occurrences of one series. */
  series_identifier?: string;
  /** On occurrences of a series your application created: its first occurrence. */
  series_master?: {
    event_id: string;
    event_uid: string;
  };
  /** On every occurrence: its original day in the series' time zone, even if it was moved. */
  occurrence_date?: string;
  /** The meeting link, or `pending` while the calendar creates it. Omitted if the event has no link. */
  conferencing?:
    | {
        provider_name: Open<
          "google_meet" | "ms_teams" | "google_hangouts" | "skype_for_business" | "skype_for_consumer" | "other"
        >;
        join_url: string;
      }
    | {
        pending: true;
      };
  options: {
    delete: boolean;
    update: boolean;
    change_participation_status: boolean;
  };
};

/** A guest and their reply. */
export type Attendee = {
  /** In lowercase. */
  email: string;
  display_name: string | null;
  status: "needs_action" | "accepted" | "declined" | "tentative" | "unknown";
};

export type ChannelResponse = {
  channel: {
    channel_id: string;
    callback_url: string;
    /** The filters that are set. */
    filters: {
      calendar_ids?: Array<string>;
      only_managed?: boolean;
    };
    /** The key of `Svc-Signature`, as it is. After `whsec_` it is standard base64, so that libraries for Standard Webhooks accept it. Returned only here, and never in compatibility mode. */
    signing_secret?: string;
  };
};

export type ChannelsResponse = {
  channels: Array<Channel>;
};

export type TestEvent = {
  delivery: {
    /** The `Svc-Delivery-Id` of the test event. */
    delivery_id: string;
  };
};

/** Where Almanac sends notifications, and for which changes. */
export type Channel = {
  channel_id: string;
  callback_url: string;
  /** The filters that are set. */
  filters: {
    calendar_ids?: Array<string>;
    only_managed?: boolean;
  };
};

export type UnknownChannel = {
  error: "not_found";
  description: string;
};

export type Forbidden = {
  error: "forbidden";
  description: string;
};

export type Notification = {
  notification: {
    type: "verification" | "change" | "profile_disconnected" | "profile_initial_sync_completed";
    /** Only for `change`. Pass it as `last_modified` to GET /v1/events. Whole seconds. */
    changes_since?: string;
  };
  channel: Channel;
};

export type Errors = {
  errors: Record<string, Array<Issue>>;
};

export type Issue = {
  key: ErrorKey;
  /** For humans; worded differently in compatibility mode. Match on `key` instead. */
  description: string;
};

export type ErrorKey =
  | "errors.required"
  | "errors.invalid"
  | "errors.invalid_type"
  | "errors.invalid_format"
  | "errors.invalid_value"
  | "errors.too_small"
  | "errors.too_big"
  | "errors.invalid_json"
  | "errors.invalid_email"
  | "errors.attendees_unsupported"
  | "errors.notify_attendees_unsupported"
  | "errors.too_many_attendees"
  | "errors.conferencing_unavailable"
  | "errors.max_recurrence_rules_exceeded"
  | "errors.not_recognized"
  | "errors.not_supported"
  | "errors.must_be_integer_greater_than_zero"
  | "errors.must_be_date"
  | "errors.not_supported_count_until_combination"
  | "errors.not_recurring"
  | "errors.not_an_occurrence"
  | "errors.invalid_callback_url"
  | "errors.invalid_callback_url_blocked"
  | "errors.too_many_channels"
  | "errors.tzid_unrecognized"
  | "errors.invalid_time_pair";

export type OAuthError = {
  error:
    | "invalid_client"
    | "invalid_grant"
    | "invalid_request"
    | "unsupported_grant_type"
    | "unauthorized_client"
    | "invalid_scope"
    | "access_denied"
    | "server_error";
  error_description?: string;
};

/** Query of `authorize`: Connect a calendar account. */
export type AuthorizeQuery = {
  response_type: "code";
  client_id: string;
  /** Must match a registered redirect URI exactly. */
  redirect_uri: string;
  /** Space-separated scopes out of `read_write`, `read_account`, `list_calendars`, `create_calendar`, `read_events`, `create_event`, `delete_event`, `event_reminders`, `read_free_busy`, `change_participation_status`. Whichever you name, `read_write` is granted. */
  scope?: string;
  /** Returned unchanged. Check it before you exchange the code. */
  state?: string;
  /** Skips the provider chooser. */
  provider_name?: Open<"google" | "office365" | "live_connect" | "apple">;
  /** Skips the provider chooser for a CalDAV server that your application offers: its ID, as in the dashboard. */
  caldav_server?: string;
  /** From POST /v1/link_tokens. The page names that account, and the calendar account joins it when you exchange the code. */
  link_token?: string;
  /** PKCE (RFC 7636). The token request must then include the matching `code_verifier`. */
  code_challenge?: string;
  code_challenge_method?: "S256";
  /** Language of the page, such as `de`. */
  locale?: string;
};

/** Query of `listFreeBusy`: List free/busy periods. */
export type ListFreeBusyQuery = {
  /** The IANA time zone for dates in the request, such as `Europe/Paris`. Already part of `pages.next_page`. */
  tzid: string;
  /** Start of the window: a date in `tzid`, or a time with an offset. Default: 42 days ago. */
  from?: string;
  /** End of the window (exclusive), in the same format as `from`. Default: 201 days from now. */
  to?: string;
  /** Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account. */
  calendar_ids?: Array<string>;
  /** Include events your application created. */
  include_managed?: boolean;
  /** Return times with the offset of `tzid` instead of UTC. */
  localized_times?: boolean;
  /** Include the `event_id` of events your application created. */
  include_ids?: boolean;
  /** Identifies a later page. Take it from `pages.next_page`; all other parameters are then ignored. */
  cursor?: string;
};

/** Query of `listEvents`: List events. */
export type ListEventsQuery = {
  /** The IANA time zone for dates in the request, such as `Europe/Paris`. Already part of `pages.next_page`. */
  tzid: string;
  /** Start of the window: a date in `tzid`, or a time with an offset. Default: 42 days ago. */
  from?: string;
  /** End of the window (exclusive), in the same format as `from`. Default: 201 days from now. */
  to?: string;
  /** Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account. */
  calendar_ids?: Array<string>;
  /** Include events your application created. */
  include_managed?: boolean;
  /** Return times with the offset of `tzid` instead of UTC. */
  localized_times?: boolean;
  /** Return only events your application created. */
  only_managed?: boolean;
  /** Include deleted events, marked with `deleted: true`. */
  include_deleted?: boolean;
  /** Return only events that changed at or after this time. Pass the `changes_since` of a notification here. */
  last_modified?: string;
  /** Identifies a later page. Take it from `pages.next_page`; all other parameters are then ignored. */
  cursor?: string;
};
