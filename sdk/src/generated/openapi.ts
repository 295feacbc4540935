// Generated from the OpenAPI document. Don't edit this file: see CONTRIBUTING.md.

/** One of the listed values, or one that this version of the client doesn't know. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Every operation of the API. */
export type OperationId =
  | "authorize"
  | "createToken"
  | "revokeToken"
  | "registerClient"
  | "openApplicationCalendar"
  | "createLinkToken"
  | "createReconnectLink"
  | "importProfile"
  | "authorizeByServiceAccount"
  | "listResources"
  | "showAccount"
  | "showUserinfo"
  | "listProfiles"
  | "showProfileStatus"
  | "listCalendars"
  | "createSubscription"
  | "listSubscriptions"
  | "deleteSubscription"
  | "createFeed"
  | "listFeeds"
  | "deleteFeed"
  | "listFreeBusy"
  | "listEvents"
  | "deleteEvents"
  | "getEvent"
  | "patchEvent"
  | "deleteEventByUid"
  | "listChanges"
  | "findAvailability"
  | "bookEvent"
  | "showBooking"
  | "cancelBooking"
  | "confirmBooking"
  | "writeEvent"
  | "deleteEvent"
  | "changeOccurrence"
  | "sendBatch"
  | "showReceipt"
  | "listWrites"
  | "replyToEvent"
  | "openChannel"
  | "listChannels"
  | "setDelivery"
  | "testChannel"
  | "closeChannel"
  | "createTrigger"
  | "listTriggers"
  | "deleteTrigger"
  | "changeInSandbox";

export type TokenRequest =
  | {
      /** Your application's client id. Required unless you send it as HTTP Basic. */
      client_id?: string;
      /** Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it. */
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
      /** Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it. */
      client_secret?: string;
      grant_type: "refresh_token";
      refresh_token: string;
    };

export type RevokeRequest = {
  /** Your application's client id. Required unless you send it as HTTP Basic. */
  client_id?: string;
  /** Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it. */
  client_secret?: string;
  /** An access token or a refresh token. Required outside compatibility mode. */
  token: string;
  /** Compatibility mode only: accepted instead of `token`. */
  refresh_token?: string;
  /** Compatibility mode only: the account id, accepted instead of `token`. */
  sub?: string;
};

export type RegistrationRequest = {
  /** https, or http on localhost, 127.0.0.1 or [::1], where any port is accepted later. */
  redirect_uris: Array<string>;
  /** Shown to users on the connect page. Default: the host of the first redirect URI. */
  client_name?: string;
  /** Registered clients are public: they have no secret. */
  token_endpoint_auth_method?: "none";
  /** Must contain `authorization_code`. */
  grant_types?: Array<string>;
  /** Must contain `code`. */
  response_types?: Array<string>;
};

export type RegisteredClient = {
  client_id: string;
  /** Seconds since 1970. */
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: Array<string>;
  token_endpoint_auth_method: "none";
  grant_types: Array<"authorization_code" | "refresh_token">;
  response_types: Array<"code">;
};

export type ApplicationCalendarRequest = {
  /** Your application's client id. Required unless you send it as HTTP Basic. */
  client_id?: string;
  /** Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it. */
  client_secret?: string;
  /** Your id for the calendar. The same id always opens the same calendar. */
  application_calendar_id: string;
};

export type AvailabilityRequest = {
  /** Groups, each of which needs enough free members. */
  participants: Array<AvailabilityGroup>;
  /** How long the meeting takes. */
  required_duration: {
    minutes: number;
  };
  /** The time to search. Also accepted as `available_periods`. */
  query_periods?: Array<AvailabilityPeriod>;
  /** Another name for `query_periods`. */
  available_periods?: Array<AvailabilityPeriod>;
  /** Time before and after the meeting that must be free of events. It may reach beyond periods and hours. */
  buffer?: {
    before?: {
      minutes: number;
    };
    after?: {
      minutes: number;
    };
  };
  /** How far apart slots start, counted from the start of each period. */
  start_interval?: {
    minutes: number;
  };
  /** Periods as long as possible, slots that do not overlap, or a slot at every interval. */
  response_format?: "periods" | "slots" | "overlapping_slots";
  max_results?: number;
  /** The hours of the week in which time is offered, in the time zone `tzid`. */
  working_hours?: Array<WorkingHours>;
  /** An IANA time zone such as `Europe/Paris`. */
  tzid?: string;
  /** Whether tentative events take time. */
  tentative?: "busy" | "free";
  /** Whether invitations that the member has not responded to take time. */
  unanswered?: "busy" | "free";
  /** Lists for each member what takes the time that is not free. */
  explain?: boolean;
};

export type AvailabilityGroup = {
  members: Array<AvailabilityMember>;
  /** How many different members must be free. Default: `all`. */
  required?: "all" | number;
};

export type AvailabilityMember = {
  /** The account's id, as in `sub`. */
  sub: string;
  /** Only events in these calendars count. Default: all of the account's. */
  calendar_ids?: Array<string>;
  /** The only time in which this member can be offered. Default: any. */
  available_periods?: Array<AvailabilityPeriod>;
  /** Only count events that your application created. */
  only_managed?: boolean;
};

/** A period. Its end is exclusive. */
export type AvailabilityPeriod = {
  /** A time with an offset or `Z`, in whole seconds. */
  start: string;
  /** A time with an offset or `Z`, in whole seconds. */
  end: string;
};

export type WorkingHours = {
  day: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
  /** `hh:mm` on the wall clock. */
  start: string;
  /** `hh:mm`, later than `start`, up to 24:00. */
  end: string;
};

export type AvailabilityResponse = {
  /** With `response_format` `periods`, which is the default. */
  available_periods?: Array<{
    /** A UTC time in whole seconds. */
    start: string;
    /** A UTC time in whole seconds. */
    end: string;
    /** Who is free for the whole period, in the order of the request. */
    participants: Array<{
      sub: string;
    }>;
  }>;
  /** With `response_format` `slots` or `overlapping_slots`. */
  available_slots?: Array<{
    /** A UTC time in whole seconds. */
    start: string;
    /** A UTC time in whole seconds. */
    end: string;
    /** Who is free for the whole period, in the order of the request. */
    participants: Array<{
      sub: string;
    }>;
  }>;
  /** Members that were not offered, regardless of their events, and why. */
  problems: Array<AvailabilityProblem>;
  /** For each member, until when changes at the provider are known. `null` if nothing was read yet. */
  as_of: Record<string, string | null>;
  /** With `explain`: what keeps each member from being offered, buffers included; the first 512 entries, by start. */
  unavailable?: Array<{
    sub: string;
    /** A UTC time in whole seconds. */
    start: string;
    /** A UTC time in whole seconds. */
    end: string;
    reason: Open<
      | "busy"
      | "outside_available_periods"
      | "disconnected"
      | "initial_sync"
      | "calendar_deleted"
      | "no_calendars"
      | "beyond_horizon"
    >;
  }>;
};

export type AvailabilityProblem = {
  sub: string;
  /** `disconnected`: the user must reconnect. `initial_sync`: a calendar has not been read yet. `calendar_deleted`, `no_calendars`: there is no calendar to check. `beyond_horizon`: the request reaches beyond the time that is read. */
  reason: Open<"disconnected" | "initial_sync" | "calendar_deleted" | "no_calendars" | "beyond_horizon">;
  /** Since when. For `beyond_horizon`, where what is read ends. `null` if it is unknown. */
  since: string | null;
};

export type BookingRequest = {
  /** The calendar that the event is written to. */
  calendar_id: string;
  /** The event, as in `POST /v1/calendars/{calendar_id}/events`. */
  event: EventWrite;
  /** Everyone who must be free. Their time is taken for as long as the booking exists. */
  require_free: Array<RequiredFree>;
  /** Time before and after the event that must also be free. */
  buffer?: {
    before?: {
      minutes: number;
    };
    after?: {
      minutes: number;
    };
  };
  /** Holds the time for this many seconds instead of writing the event, until you confirm the booking. */
  hold_seconds?: number;
  /** What happens if a provider can't be reached in time: `refuse` books nothing, `accept` uses what was last read. */
  if_unreachable?: "refuse" | "accept";
};

export type RequiredFree = {
  /** The account's id, as in `sub`. */
  sub: string;
  /** The calendars that must be free, and whose time is taken. Default: all of the account's. */
  calendar_ids?: Array<string>;
};

export type BookingResponse = {
  booking_id: string;
  /** `held`: the time is taken until `hold_expires_at`. `booked`: the event is written. `expired`: the hold was not confirmed in time. `cancelled`: the event was deleted in another way than with `DELETE /v1/bookings/{booking_id}`. */
  state: "booked" | "held" | "expired" | "cancelled";
  /** As reads name the event; of a series its first occurrence. */
  event_uid: string;
  /** Until when the time is held. */
  hold_expires_at?: string;
};

export type BookingConflicts = {
  /** The time that is taken, at most 50 entries, by start. Events and holds that overlap or touch are one. */
  conflicts: Array<{
    calendar_id: string;
    /** A UTC time in whole seconds. */
    start: string;
    /** A UTC time in whole seconds. */
    end: string;
  }>;
  /** Accounts whose time isn't known, regardless of their events. */
  problems: Array<AvailabilityProblem>;
};

export type Unreachable = {
  error: "unreachable";
  sub: string;
};

export type Conflict = {
  error: "conflict";
  description: string;
};

/** A JSON merge patch (RFC 7396): fields you omit stay unchanged, and `null` removes a field. */
export type EventPatch = {
  summary?: string;
  description?: string | null;
  /** Send it together with `end`. With `scope=all`, the series moves as far as the named occurrence does. */
  start?: EventTime;
  /** A date if `start` is a date, otherwise a time. Dates are exclusive. */
  end?: EventTime;
  location?: {
    description?: string | null;
  } | null;
  /** A link. Of a recurring event, it is changed with `scope=all`. */
  url?: string | null;
  /** `null` is `opaque`. Of a recurring event, it is changed with `scope=all`. */
  transparency?: "opaque" | "transparent" | null;
};

export type ParticipationStatus = {
  /** The user's reply. */
  status: "accepted" | "declined" | "tentative";
  /** A note to the organizer. */
  comment?: string;
};

export type BatchRequest = {
  batch: Array<BatchEntry>;
};

export type BatchEntry = {
  /** `POST` or `DELETE`. */
  method: string;
  /** `/v1/calendars/{calendar_id}/events`, as the single request has it. */
  relative_url: string;
  /** The body of the single request. */
  data?: EventWrite | EventDelete;
};

export type BatchResponse = {
  batch: Array<BatchOutcome>;
};

export type BatchOutcome = {
  /** The status that the single request would have had. */
  status: number;
  /** For example `Retry-After`, if the status is 429 or 503. */
  headers: Record<string, string>;
  data?: Errors;
};

export type EventsDelete = {
  /** Delete them in every writable calendar. */
  delete_all?: true;
  /** Delete them in these calendars. */
  calendar_ids?: Array<string>;
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

export type DeliverySettings = {
  /** `changes`: notifications of the type `change` say what changed, as `GET /v1/changes` does. */
  payload?: "thin" | "changes";
  /** `standard_webhooks`: notifications also carry the headers of Standard Webhooks. */
  signature?: "default" | "standard_webhooks";
  /** Send a notification of the type `write_refused` when a provider rejects an event that your application wrote. */
  write_refused?: boolean;
};

export type DeliverySettingsResponse = {
  delivery: {
    payload: "thin" | "changes";
    signature: "default" | "standard_webhooks";
    write_refused: boolean;
    /** With `standard_webhooks`: the key that its libraries accept, in base64. It is the channel's own key. */
    signing_secret?: string;
  };
};

export type SubscriptionRequest = {
  /** The address of the feed: an https or webcal URL of a public host. It is never returned. */
  url: string;
  /** What the calendar is called. */
  name: string;
  /** About how often the feed is read. */
  refresh_minutes?: number;
};

export type SubscriptionResponse = {
  calendar_id: string;
};

export type SubscriptionsResponse = {
  subscriptions: Array<Subscription>;
};

export type Subscription = {
  calendar_id: string;
  /** Its status says whether the feed is read in time, and if not, why. */
  profile_id: string;
  name: string;
  /** The host of the feed’s address. */
  host: string;
  refresh_minutes: number;
};

export type TriggerRequest = {
  /** An https URL on port 443 with a public host and no credentials. */
  callback_url: string;
  /** Notify before the start or the end of events. Send either `before` or `after`. */
  before?: "event_start" | "event_end";
  /** Notify after the start or the end of events. */
  after?: "event_start" | "event_end";
  /** How many minutes before or after. */
  minutes: number;
  /** Only events in these calendars. Default: every calendar of the account. */
  calendar_ids?: Array<string>;
  /** Only events that your application created. */
  only_managed?: boolean;
  /** Only events with at least this many guests. */
  min_guests?: number;
};

export type TriggerResponse = {
  trigger_id: string;
  callback_url: string;
  before?: "event_start" | "event_end";
  after?: "event_start" | "event_end";
  minutes: number;
  calendar_ids?: Array<string>;
  only_managed?: boolean;
  min_guests?: number;
  /** The key for `Svc-Signature`, as for channels. Returned only here, and never in compatibility mode. */
  signing_secret?: string;
};

export type TriggersResponse = {
  triggers: Array<Trigger>;
};

export type Trigger = {
  trigger_id: string;
  callback_url: string;
  before?: "event_start" | "event_end";
  after?: "event_start" | "event_end";
  minutes: number;
  calendar_ids?: Array<string>;
  only_managed?: boolean;
  min_guests?: number;
};

export type FeedRequest = {
  /** `busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests. */
  detail: "busy" | "titles" | "full";
  /** How many days before today the feed shows, counted in UTC. */
  days_back?: number;
  /** How many days after today the feed shows. */
  days_ahead?: number;
};

export type FeedResponse = {
  feed_id: string;
  /** `busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests. */
  detail: "busy" | "titles" | "full";
  days_back: number;
  days_ahead: number;
  /** A UTC time in whole seconds. */
  created: string;
  /** When it was last read, to the minute. `null`: never. */
  last_read_at: string | null;
  /** The secret address. Anyone who has it can read the feed. Returned only here. */
  url: string;
};

export type FeedsResponse = {
  feeds: Array<Feed>;
};

export type Feed = {
  feed_id: string;
  /** `busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests. */
  detail: "busy" | "titles" | "full";
  days_back: number;
  days_ahead: number;
  /** A UTC time in whole seconds. */
  created: string;
  /** When it was last read, to the minute. `null`: never. */
  last_read_at: string | null;
};

export type ReconnectLinkRequest = {
  /** For how many seconds the link works. */
  expires_in?: number;
  /** Where the user returns to. Must match a registered redirect URI exactly. Default: the first one of your application, https before others. */
  redirect_uri?: string;
};

export type ImportRequest = {
  /** The provider that issued the token, as `provider_name` names it. */
  provider_name: string;
  /** The user's refresh token, issued to the OAuth client that Almanac uses for your application. */
  refresh_token: string;
  /** The account that the profile is added to. Omitted: the one that has the profile, or a new one. */
  sub?: string;
};

export type ServiceAccountAuthorizationsRequest =
  | ServiceAccountAuthorization
  | {
      /** Several mailboxes at once. */
      service_account_authorizations: Array<ServiceAccountAuthorization>;
    };

export type ServiceAccountAuthorization = {
  /** The email address of a user or room of an organization that your administrator has added. */
  email: string;
  /** Where the result is sent. Pass it as `redirect_uri` when you exchange the code. */
  callback_url: string;
  /** Returned with the result. */
  state?: string;
};

export type ResourcesResponse = {
  resources: Array<Resource>;
  /** Organizations whose rooms could not be listed. */
  problems: Array<{
    /** The first domain of the organization. */
    domain: string;
    reason: Open<"delegation_refused" | "provider_unavailable">;
  }>;
};

export type Resource = {
  /** Pass it to `POST /v1/service_account_authorizations`. */
  email: string;
  name: string;
  /** How many people fit in. `null`: unknown. */
  capacity: number | null;
  building: string | null;
  /** The account through which your application books the room. `null`: not authorized yet. */
  sub: string | null;
};

export type SandboxChange = {
  /** What another person or the provider does. */
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
    | "profile_delayed"
    | "profile_recovered"
    | "writes_sent"
    | "initial_sync_started"
    | "initial_sync_completed";
  /** Required for changes of calendars and events. */
  calendar_id?: string;
  /** An event that your application wrote. */
  event_id?: string;
  /** Any event, as reads name it. */
  event_uid?: string;
  /** The event after the change, with the fields of a write and `event_private`. Guests are changed as in a write. */
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
  /** For `event_created`: who invites the user. If omitted, the user created the event. */
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
  /** For `calendar_changed`: the calendar after the change. Omitted fields stay unchanged. */
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
  /** Exchange it for new access tokens. It never changes, except for public clients. */
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
  /** Exchange it for new access tokens. It never changes, except for public clients. */
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
  provider_name: Open<"google" | "office365" | "live_connect" | "apple" | "feed" | "hosted" | "cronofy">;
  profile_id: string;
  profile_name: string | null;
};

export type LinkTokenResponse = {
  link_token: string;
};

export type ReconnectLinkResponse = {
  /** Send it only to the user. Anyone who has it can open the page. */
  url: string;
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
  provider_name: Open<"google" | "office365" | "live_connect" | "apple" | "feed" | "hosted" | "cronofy">;
  provider_service: Open<"google" | "gsuite" | "office365" | "outlook_com" | "icloud" | "feed" | "hosted">;
  profile_id: string;
  profile_name: string;
  /** If `false`, the user must reconnect this calendar account. */
  profile_connected: boolean;
  profile_relink_url: null;
  /** `true` until the first sync is complete. */
  profile_initial_sync_required: boolean;
  profile_calendars: Array<Calendar>;
};

export type ProfileStatus = {
  /** `disconnected`: the user must reconnect. `delayed`: the last two reads in a row failed, or a read is overdue, so reads may be incomplete. */
  state: "connected" | "disconnected" | "delayed";
  reason: Reason | null;
  /** Since when `reason` applies. Null without a reason, or if the time is unknown. */
  since: string | null;
  /** When its calendars were last read. Null: never, and for application calendars, which need no reads. */
  last_read_at: string | null;
  /** When they are read next, at the latest. Null while it is disconnected, and for application calendars. */
  next_read_at: string | null;
  /** Whether the provider notifies Almanac of changes: `live` for all calendars that it can, `partial` for some of them, `off` for none. `unsupported`: this provider never does. Without notifications, changes are found when the calendars are read next. */
  pushes: Open<"live" | "partial" | "off" | "unsupported">;
  /** Events that the provider doesn't have yet. */
  pending_writes: number;
  /** Events that the provider rejected, or that Almanac gave up on. */
  failed_writes: number;
};

/** The reason, from one list for profiles and writes:
 *
 * - `initial_sync`: The first sync is not complete yet.
 * - `credentials_rejected`: The provider rejected the sign-in. The user must reconnect.
 * - `delegation_withdrawn`: The provider no longer accepts the organization’s key. An administrator has to renew it. Users don’t need to reconnect.
 * - `delegation_removed`: The organization was removed from the application. The user can still connect on their own.
 * - `delegation_refused`: The provider no longer lets the organization’s key open this mailbox. Authorize it again once that is fixed.
 * - `throttled`: The provider is rate limiting requests.
 * - `down`: The provider returned an error or didn’t respond.
 * - `no_mailbox`: The provider has no mailbox for this account right now.
 * - `misconfigured`: The provider doesn’t accept this service’s client ID or secret, or its API isn’t enabled. Users don’t need to reconnect.
 * - `sync_token_expired`: Full resync required.
 * - `no_calendars_listed`: The provider returned no calendars, although it had some before.
 * - `calendar_refused`: The provider denied access to one of the calendars.
 * - `calendar_failed`: The provider couldn’t read one of the calendars.
 * - `overdue`: Syncs are due but haven’t started.
 * - `interrupted`: Syncs end before they finish.
 * - `internal`: Internal error. See the log for details.
 * - `calendar_deleted`: The feed no longer exists at its address.
 * - `feed_empty`: The feed is suddenly empty. Its events are kept for a day.
 * - `feed_cut_off`: The feed ends before its end. Its events are kept for a day.
 * - `feed_too_large`: The feed is larger than 5 MB or has more than 20,000 occurrences.
 * - `feed_address_refused`: The feed’s address leads to a host that isn’t public.
 * - `not_a_calendar`: The feed’s address returns something other than a calendar.
 * - `gone`: It no longer exists at the provider.
 * - `conflict`: The event was changed at the provider at the same time.
 * - `not_organizer`: The provider lets only the organizer change the time, the guests and the rule of this event.
 * - `partial_guest_list`: The provider shows only part of the event’s guest list, so guests can’t be added or removed.
 * - `monthly_weekdays_unsupported`: The provider can’t repeat an event on several weekdays of a month.
 * - `time_zone_unsupported`: The provider has no time zone in which this event could repeat.
 * - `rule_unsupported`: The provider can’t move a series whose rule was changed there.
 * - `occurrence_not_restored`: The provider didn’t bring back a deleted occurrence.
 * - `occurrence_out_of_order`: The provider can’t move an occurrence to the day of another one, or past it.
 * - `occurrences_overlap`: The provider can’t repeat an event that lasts longer than the time to the next one.
 * - `too_large`: The event is too large for the provider.
 * - `read_only`: The user no longer lets the application change this calendar.
 * - `rejected`: The provider rejected the event. */
export type Reason =
  | "initial_sync"
  | "credentials_rejected"
  | "delegation_withdrawn"
  | "delegation_removed"
  | "delegation_refused"
  | "throttled"
  | "down"
  | "no_mailbox"
  | "misconfigured"
  | "sync_token_expired"
  | "no_calendars_listed"
  | "calendar_refused"
  | "calendar_failed"
  | "overdue"
  | "interrupted"
  | "internal"
  | "calendar_deleted"
  | "feed_empty"
  | "feed_cut_off"
  | "feed_too_large"
  | "feed_address_refused"
  | "not_a_calendar"
  | "gone"
  | "conflict"
  | "not_organizer"
  | "partial_guest_list"
  | "monthly_weekdays_unsupported"
  | "time_zone_unsupported"
  | "rule_unsupported"
  | "occurrence_not_restored"
  | "occurrence_out_of_order"
  | "occurrences_overlap"
  | "too_large"
  | "read_only"
  | "rejected";

export type CalendarsResponse = {
  calendars: Array<{
    provider_name: Open<"google" | "office365" | "live_connect" | "apple" | "feed" | "hosted" | "cronofy">;
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

export type ChangesResponse = {
  /** In the order in which they happened in each calendar. */
  changes: Array<ListedChange>;
  /** Pass it with the next request. Store it once you have handled the changes. */
  cursor: string;
  /** Whether more changes are waiting. */
  has_more: boolean;
  /** The cursor was too old: discard what you stored. The feed starts over with what exists. */
  reset?: true;
};

export type Change = {
  /** Unique to each change. Following the cursor returns each change once. */
  id: string;
  /** `replied`: only replies of guests or the user changed. `link_added`: the meeting link was added. `booking_conflict`: someone took a booked time at the provider. */
  kind: "created" | "updated" | "deleted" | "replied" | "link_added" | "booking_conflict";
  calendar_id: string;
  /** As reads name the event; of a series its first occurrence. */
  event_uid: string;
  /** Your id, if your application created the event. */
  event_id?: string;
  /** Of a series: what its occurrences in reads have in common. */
  series_identifier?: string;
  /** If a single occurrence of a series changed: its original day. */
  occurrence_date?: string;
  /** What changed. Empty for events that were created or deleted. */
  fields: Array<
    | "summary"
    | "description"
    | "location"
    | "url"
    | "start"
    | "end"
    | "tzid"
    | "transparency"
    | "event_private"
    | "status"
    | "participation_status"
    | "organizer"
    | "attendees"
    | "categories"
    | "conferencing"
    | "recurrence"
  >;
  /** Whether a request of your application made the change. */
  by: "application" | "others";
  /** A UTC time in whole seconds. */
  at: string;
};

export type ListedChange = {
  /** Unique to each change. Following the cursor returns each change once. */
  id: string;
  /** `replied`: only replies of guests or the user changed. `link_added`: the meeting link was added. `booking_conflict`: someone took a booked time at the provider. */
  kind: "created" | "updated" | "deleted" | "replied" | "link_added" | "booking_conflict";
  calendar_id: string;
  /** As reads name the event; of a series its first occurrence. */
  event_uid: string;
  /** Your id, if your application created the event. */
  event_id?: string;
  /** Of a series: what its occurrences in reads have in common. */
  series_identifier?: string;
  /** If a single occurrence of a series changed: its original day. */
  occurrence_date?: string;
  /** What changed. Empty for events that were created or deleted. */
  fields: Array<
    | "summary"
    | "description"
    | "location"
    | "url"
    | "start"
    | "end"
    | "tzid"
    | "transparency"
    | "event_private"
    | "status"
    | "participation_status"
    | "organizer"
    | "attendees"
    | "categories"
    | "conferencing"
    | "recurrence"
  >;
  /** Whether a request of your application made the change. */
  by: "application" | "others";
  /** A UTC time in whole seconds. */
  at: string;
  /** With `include=event`: the current event, in UTC, as GET /v1/events returns it; of a series, the occurrence that the change names. Omitted if the calendar no longer has it, or reads do not return it. */
  event?: Event;
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

/** An event, or one occurrence, and what you may do with it. */
export type NamedEvent = {
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
  /** What your application may do with the event. */
  rights: {
    /** Whether PATCH changes the event. */
    update: boolean;
    /** Whether DELETE deletes it. */
    delete: boolean;
    /** Whether the user can reply to it with `participation_status`. */
    reply: boolean;
  };
};

/** A guest and their reply. */
export type Attendee = {
  /** In lowercase. */
  email: string;
  display_name: string | null;
  status: "needs_action" | "accepted" | "declined" | "tentative" | "unknown";
};

/** The outcome of your application's last write of an event, which may be its deletion. */
export type Receipt = {
  /** `pending`: the provider doesn't have it yet. `sent`: the provider has it. `refused`: the provider rejected it, or Almanac gave up. */
  state: "pending" | "sent" | "refused";
  /** How many attempts were made since you wrote it. */
  attempts: number;
  /** When it was written while it is pending, then when it was sent or refused. In an application calendar, when the event last changed. */
  at: string;
  reason: Reason | null;
};

export type WritesResponse = {
  /** The next page. */
  pages: {
    /** URL of the next page. Request it unchanged, with the same token. The last page has none. */
    next_page?: string;
  };
  writes: Array<Write>;
};

/** An event of your application, and the outcome of its last write. */
export type Write = {
  calendar_id: string;
  /** Your application's id. */
  event_id: string;
  /** `pending`: the provider doesn't have it yet. `sent`: the provider has it. `refused`: the provider rejected it, or Almanac gave up. */
  state: "pending" | "sent" | "refused";
  /** How many attempts were made since you wrote it. */
  attempts: number;
  /** When it was written while it is pending, then when it was sent or refused. In an application calendar, when the event last changed. */
  at: string;
  reason: Reason | null;
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
    /** The key for `Svc-Signature`, `whsec_` included. The rest is standard base64, so libraries for Standard Webhooks accept it. Returned only here, and never in compatibility mode. */
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

export type Maintenance = {
  error: "maintenance";
  description: string;
};

export type Notification = {
  notification: {
    type:
      | "verification"
      | "change"
      | "profile_disconnected"
      | "profile_initial_sync_completed"
      | "trigger"
      | "write_refused";
    /** Only for `change`. Pass it as `last_modified` to GET /v1/events. Whole seconds. */
    changes_since?: string;
    /** Only for `change`, on a channel with `payload` `changes`: what changed since then. */
    changes?: Array<Change>;
    /** `changes` is incomplete: read `GET /v1/changes`. */
    more?: true;
    /** Only for `trigger`. */
    trigger_id?: string;
    /** Only for `trigger` and `write_refused`: the event, or the occurrence, as reads name it. */
    event_uid?: string;
    /** Only for `trigger`: more than a minute after its time. */
    late?: true;
    /** Only for `write_refused`: where the event was written. */
    calendar_id?: string;
    /** Only for `write_refused`: your id of the event, if your application created it. */
    event_id?: string;
    /** Only for `write_refused`: as in `GET /v1/writes`. */
    reason?: string;
  };
  /** Not for `trigger`. */
  channel?: Channel;
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
  | "errors.is_organizer"
  | "errors.not_a_guest"
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

export type RegistrationError = {
  error: "invalid_redirect_uri" | "invalid_client_metadata" | "invalid_request";
  error_description: string;
};

/** Query of `authorize`: Connect a calendar account. */
export type AuthorizeQuery = {
  response_type: "code";
  client_id: string;
  /** Must match a registered redirect URI exactly. A public client may use any port of the user's own machine. */
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
  /** Asks for less: `read` lets you read events but not write, `free_busy` only lets you see when the user is busy. Omitted: full access, which also lifts an earlier restriction. */
  access?: "read" | "free_busy";
  /** PKCE (RFC 7636). The token request must then include the matching `code_verifier`. Required of a public client. */
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

/** Query of `getEvent`: Get an event. */
export type GetEventQuery = {
  /** Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`. */
  occurrence_date?: string;
  /** Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope. */
  scope?: "this" | "all";
};

/** Query of `patchEvent`: Change an event. */
export type PatchEventQuery = {
  /** Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`. */
  occurrence_date?: string;
  /** Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope. */
  scope?: "this" | "all";
  /** If `false`, guests are not notified. Calendars that always notify guests reject `false`. Guests of events that your application didn't create are never notified. */
  notify_attendees?: boolean;
};

/** Query of `deleteEventByUid`: Delete an event by its uid. */
export type DeleteEventByUidQuery = {
  /** Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`. */
  occurrence_date?: string;
  /** Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope. */
  scope?: "this" | "all";
  /** If `false`, guests are not notified. Calendars that always notify guests reject `false`. Guests of events that your application didn't create are never notified. */
  notify_attendees?: boolean;
};

/** Query of `listChanges`: List what changed. */
export type ListChangesQuery = {
  /** The `cursor` of the last response. Omitted: the feed starts now, or with what exists. */
  cursor?: string;
  /** Without a cursor: `beginning` first returns every event that exists, as created. */
  from?: "beginning";
  /** Return only changes in these calendars. Repeat the parameter for each one. Default: every calendar. */
  calendar_ids?: Array<string>;
  /** How many changes to return at most. */
  limit?: number;
  /** `event`: each change includes the current event. A page ends at about 1 MB of events. */
  include?: "event";
};

/** Query of `listWrites`: List receipts. */
export type ListWritesQuery = {
  /** Return only writes in this state. */
  state?: "pending" | "sent" | "refused";
  /** Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account. */
  calendar_ids?: Array<string>;
  /** Identifies a later page. Take it from `pages.next_page`, together with the other parameters. */
  cursor?: string;
};

/** Query of `replyToEvent`: Reply to an invitation. */
export type ReplyToEventQuery = {
  /** Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`. */
  occurrence_date?: string;
  /** Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope. */
  scope?: "this" | "all";
};
