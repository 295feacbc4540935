"""Generated from the OpenAPI document. Don't edit this file: see CONTRIBUTING.md."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

OPERATION_IDS = ("authorize", "createToken", "revokeToken", "openApplicationCalendar", "createLinkToken", "showAccount", "showUserinfo", "listProfiles", "listCalendars", "listFreeBusy", "listEvents", "writeEvent", "deleteEvent", "changeOccurrence", "openChannel", "listChannels", "testChannel", "closeChannel", "changeInSandbox")

class TokenRequest1(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic.
    client_secret: NotRequired[str]
    grant_type: Literal["authorization_code"]
    # The authorization code. Single use, valid for 10 minutes.
    code: str
    # The redirect URI of the authorization request.
    redirect_uri: str
    # Required if the authorization request had a `code_challenge` (PKCE, RFC 7636).
    code_verifier: NotRequired[str]

class TokenRequest2(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic.
    client_secret: NotRequired[str]
    grant_type: Literal["refresh_token"]
    refresh_token: str

TokenRequest: TypeAlias = "TokenRequest1 | TokenRequest2"

class RevokeRequest(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic.
    client_secret: NotRequired[str]
    # An access token or a refresh token. Required outside compatibility mode.
    token: str
    # Compatibility mode only: accepted instead of `token`.
    refresh_token: NotRequired[str]
    # Compatibility mode only: the account id, accepted instead of `token`.
    sub: NotRequired[str]

class ApplicationCalendarRequest(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic.
    client_secret: NotRequired[str]
    # Your id for the calendar. The same id always opens the same calendar.
    application_calendar_id: str

class EventWriteLocation(TypedDict):
    description: NotRequired[str]

class EventWriteConferencing(TypedDict):
    # `default` adds the calendar's own meeting link if it has one. `integrated` does the same but fails if it has none. `none` removes the link.
    profile_id: Literal["default", "integrated", "none"]

class EventWrite(TypedDict):
    # Your id for the event, unique within the calendar.
    event_id: str
    summary: str
    description: NotRequired[str]
    # When the event starts. For a recurring event, when the first occurrence starts.
    start: EventTime
    # When the event ends: a date if `start` is a date, otherwise a time. Dates are exclusive.
    end: EventTime
    # The event's IANA time zone. Required for a recurring event with times, unless `start` has a `tzid`.
    tzid: NotRequired[str]
    location: NotRequired[EventWriteLocation]
    # A link, returned in reads. Its scheme must be one that calendars use: `http`, `https`, `ftp`, `mailto`, `message`, `mid`, `tel`, `sms`, `smsto`, `mms`, `fax`, `callto`, `geo`, `maps`, `webcal`, `webcals`, `calshow`, `urn`, `facetime`, `facetime-audio`, `imessage`, `sip`, `sips`, `h323`, `xmpp`, `im`, `irc`, `ircs`, `zoommtg`, `zoomus`, `zoomphonecall`, `msteams`, `ms-teams`, `lync`, `lync15`, `skype`, `webex`, `wbx`, `gotomeeting`, `gmeet`, `jitsi-meet`, `rcvideo`, `slack`, `discord`, `whatsapp`, `tg`, `viber`, `evernote`, `onenote`, `notion`, `obsidian`, `bear`, `craftdocs`, `things`, `omnifocus`, `fantastical`, `hook`. Text without a scheme is accepted too.
    url: NotRequired[str]
    # `transparent` shows the event as free.
    transparency: NotRequired[Literal["opaque", "transparent"]]
    # Guests to add and remove. If omitted, the guests stay unchanged.
    attendees: NotRequired[GuestChange]
    recurrence: NotRequired[Recurrence]
    conferencing: NotRequired[EventWriteConferencing]
    # If `false`, no invitations are sent. Calendars that always notify guests reject `false`.
    notify_attendees: NotRequired[bool]

class EventDelete(TypedDict):
    # Your id for the event, unique within the calendar.
    event_id: str
    # Delete only the occurrence originally on this day.
    occurrence_date: NotRequired[str]
    # If `false`, no invitations are sent. Calendars that always notify guests reject `false`.
    notify_attendees: NotRequired[bool]

class OccurrenceWriteLocation(TypedDict):
    description: NotRequired[str]

class OccurrenceWrite(TypedDict):
    # Your id for the event, unique within the calendar.
    event_id: str
    # The occurrence's original day, in the event's time zone.
    occurrence_date: str
    start: NotRequired[EventTime]
    end: NotRequired[EventTime]
    # Time zone of local times. Default: the series' time zone.
    tzid: NotRequired[str]
    summary: NotRequired[str]
    description: NotRequired[str]
    location: NotRequired[OccurrenceWriteLocation]
    # If `false`, no invitations are sent. Calendars that always notify guests reject `false`.
    notify_attendees: NotRequired[bool]

class EventTime3(TypedDict):
    # A date, a time with an offset, or a local time in `tzid` such as `2026-11-21T09:30:00`.
    time: str
    # An IANA time zone.
    tzid: str

# A date (all-day), a time with an offset, or an object with a time and its time zone.
EventTime: TypeAlias = "str | EventTime3"

class GuestChangeInviteItem(TypedDict):
    email: str
    display_name: NotRequired[str | None]

class GuestChangeRemoveItem(TypedDict):
    email: str

class GuestChange(TypedDict):
    # Guests to add. Existing guests stay.
    invite: NotRequired[list[GuestChangeInviteItem]]
    # Guests to remove. A guest listed in both lists is removed.
    remove: NotRequired[list[GuestChangeRemoveItem]]

class Recurrence1ExceptionsAddItem(TypedDict):
    date: str

class Recurrence1ExceptionsChangeItemLocation(TypedDict):
    description: NotRequired[str]

class Recurrence1ExceptionsChangeItem(TypedDict):
    date: str
    start: NotRequired[EventTime]
    end: NotRequired[EventTime]
    summary: NotRequired[str]
    description: NotRequired[str]
    location: NotRequired[Recurrence1ExceptionsChangeItemLocation]

# A list you send replaces the existing one; a list you omit stays unchanged. Name each day only once.
class Recurrence1Exceptions(TypedDict):
    # Days to skip.
    add: NotRequired[list[Recurrence1ExceptionsAddItem]]
    # Days with changes. Send `start` and `end` together.
    change: NotRequired[list[Recurrence1ExceptionsChangeItem]]

class Recurrence1(TypedDict):
    # Exactly one rule.
    rules: list[RecurrenceRule]
    # A list you send replaces the existing one; a list you omit stays unchanged. Name each day only once.
    exceptions: NotRequired[Recurrence1Exceptions]

# How the event repeats. `null` stops the repetition; if omitted, it stays unchanged.
Recurrence: TypeAlias = "Recurrence1 | None"

class RecurrenceRuleByDayItem(TypedDict):
    day: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    # Required in monthly rules, not allowed in others. Which one in the month; -1 is the last.
    nth_of_period: NotRequired[Literal[1, 2, 3, 4, -1]]

class RecurrenceRule(TypedDict):
    frequency: Literal["daily", "weekly", "monthly", "yearly"]
    # Repeat every this many days, weeks, months or years. Default: 1.
    interval: NotRequired[int]
    # Total number of occurrences, including the first.
    count: NotRequired[int]
    # The last day (inclusive) in the event's time zone. Mutually exclusive with `count`. Without either, the series never ends.
    until: NotRequired[str]
    # Only in weekly and monthly rules.
    by_day: NotRequired[list[RecurrenceRuleByDayItem]]

class ChannelRequestFilters(TypedDict):
    # Notify only of changes in these calendars. Default: every calendar of the account.
    calendar_ids: NotRequired[list[str]]
    # Notify only of changes to events your application created.
    only_managed: NotRequired[bool]

class ChannelRequest(TypedDict):
    # An https URL on port 443 with a public host and no credentials.
    callback_url: str
    filters: NotRequired[ChannelRequestFilters]

class SandboxChangeEventLocation(TypedDict):
    description: NotRequired[str]

class SandboxChangeEventConferencing(TypedDict):
    # `default` adds the calendar's own meeting link if it has one. `integrated` does the same but fails if it has none. `none` removes the link.
    profile_id: Literal["default", "integrated", "none"]

# What the event says after the change, with the fields of a write and `event_private`. Guests are changed as in a write.
class SandboxChangeEvent(TypedDict):
    summary: str
    description: NotRequired[str]
    # When the event starts. For a recurring event, when the first occurrence starts.
    start: EventTime
    # When the event ends: a date if `start` is a date, otherwise a time. Dates are exclusive.
    end: EventTime
    # The event's IANA time zone. Required for a recurring event with times, unless `start` has a `tzid`.
    tzid: NotRequired[str]
    location: NotRequired[SandboxChangeEventLocation]
    # A link, returned in reads. Its scheme must be one that calendars use: `http`, `https`, `ftp`, `mailto`, `message`, `mid`, `tel`, `sms`, `smsto`, `mms`, `fax`, `callto`, `geo`, `maps`, `webcal`, `webcals`, `calshow`, `urn`, `facetime`, `facetime-audio`, `imessage`, `sip`, `sips`, `h323`, `xmpp`, `im`, `irc`, `ircs`, `zoommtg`, `zoomus`, `zoomphonecall`, `msteams`, `ms-teams`, `lync`, `lync15`, `skype`, `webex`, `wbx`, `gotomeeting`, `gmeet`, `jitsi-meet`, `rcvideo`, `slack`, `discord`, `whatsapp`, `tg`, `viber`, `evernote`, `onenote`, `notion`, `obsidian`, `bear`, `craftdocs`, `things`, `omnifocus`, `fantastical`, `hook`. Text without a scheme is accepted too.
    url: NotRequired[str]
    # `transparent` shows the event as free.
    transparency: NotRequired[Literal["opaque", "transparent"]]
    # Guests to add and remove. If omitted, the guests stay unchanged.
    attendees: NotRequired[GuestChange]
    recurrence: NotRequired[Recurrence]
    conferencing: NotRequired[SandboxChangeEventConferencing]
    # Whether the event is marked as private. If omitted, that stays unchanged.
    event_private: NotRequired[bool]

# For `event_created`: who invites the user. If omitted, the user made the event.
class SandboxChangeOrganizer(TypedDict):
    email: str
    display_name: NotRequired[str | None]

# For `calendar_changed`: what the calendar is after the change. What is omitted stays unchanged.
class SandboxChangeCalendar(TypedDict):
    # Whether writes get a 403.
    calendar_readonly: NotRequired[bool]
    # Whether the calendar adds its own meeting links. A link that a write asks for stays pending.
    calendar_integrated_conferencing_available: NotRequired[bool]

class SandboxChange(TypedDict):
    # What the other person, or the provider, does.
    type: Literal["event_created", "event_changed", "event_deleted", "guest_replied", "meeting_link_created", "calendar_changed", "calendar_deleted", "calendar_restored", "profile_disconnected", "profile_reconnected", "initial_sync_started", "initial_sync_completed"]
    # Required for changes of calendars and events.
    calendar_id: NotRequired[str]
    # An event that your application wrote.
    event_id: NotRequired[str]
    # Any event, as reads name it.
    event_uid: NotRequired[str]
    # What the event says after the change, with the fields of a write and `event_private`. Guests are changed as in a write.
    event: NotRequired[SandboxChangeEvent]
    # For `event_created`: who invites the user. If omitted, the user made the event.
    organizer: NotRequired[SandboxChangeOrganizer]
    # The guest who replies, or the user's own address.
    email: NotRequired[str]
    # The reply.
    status: NotRequired[Literal["accepted", "declined", "tentative", "needs_action"]]
    # For `meeting_link_created`: where the meeting is. If omitted, an address at `meet.example.com`.
    join_url: NotRequired[str]
    # For `calendar_changed`: what the calendar is after the change. What is omitted stays unchanged.
    calendar: NotRequired[SandboxChangeCalendar]

class TokenResponse(TypedDict):
    token_type: Literal["bearer"]
    # Send it in the `Authorization: Bearer …` header.
    access_token: str
    # Seconds until the access token expires: 10800, or less when compatibility mode returns an existing token.
    expires_in: int
    # Exchange it for new access tokens. It never changes.
    refresh_token: str
    scope: Literal["read_write"]
    # The account id. Only in responses to a code exchange.
    sub: NotRequired[str]
    # The same as `sub`.
    account_id: NotRequired[str]
    linking_profile: NotRequired[LinkingProfile]

class ApplicationCalendarResponse(TypedDict):
    token_type: Literal["bearer"]
    # Send it in the `Authorization: Bearer …` header.
    access_token: str
    # Seconds until the access token expires: 10800, or less when compatibility mode returns an existing token.
    expires_in: int
    # Exchange it for new access tokens. It never changes.
    refresh_token: str
    scope: Literal["read_write"]
    # The account id.
    sub: str
    # The same as `sub`.
    account_id: str
    linking_profile: LinkingProfile
    application_calendar_id: str

# The connected calendar account.
class LinkingProfile(TypedDict):
    provider_name: str
    profile_id: str
    profile_name: str | None

class LinkTokenResponse(TypedDict):
    link_token: str

class AccountResponse(TypedDict):
    account: Account

class Account(TypedDict):
    account_id: str
    type: Literal["account", "application_calendar"]
    # The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID.
    email: str
    name: str
    scope: str
    default_tzid: str

class UserinfoSvcDataAuthorization(TypedDict):
    scope: str
    status: Literal["active"]

class UserinfoSvcDataApplicationCalendar(TypedDict):
    application_calendar_id: str

class UserinfoSvcData(TypedDict):
    authorization: UserinfoSvcDataAuthorization
    application_calendar: NotRequired[UserinfoSvcDataApplicationCalendar]
    # Every connected profile, with its calendars.
    profiles: list[Profile]

Userinfo = TypedDict(
    "Userinfo",
    {
        "sub": "str",
        # Only for application calendars, instead of `email`.
        "application_calendar_id": NotRequired["str"],
        # The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID.
        "email": NotRequired["str"],
        "name": "str",
        "zoneinfo": "str",
        "svc.type": "Literal['account', 'application_calendar']",
        "svc.data": "UserinfoSvcData",
    },
)

class CompatibilityUserinfoCronofyDataAuthorization(TypedDict):
    scope: str
    status: Literal["active"]

class CompatibilityUserinfoCronofyDataApplicationCalendar(TypedDict):
    application_calendar_id: str

class CompatibilityUserinfoCronofyData(TypedDict):
    authorization: CompatibilityUserinfoCronofyDataAuthorization
    application_calendar: NotRequired[CompatibilityUserinfoCronofyDataApplicationCalendar]
    # Every connected profile, with its calendars.
    profiles: list[Profile]

CompatibilityUserinfo = TypedDict(
    "CompatibilityUserinfo",
    {
        "sub": "str",
        # Only for application calendars, instead of `email`.
        "application_calendar_id": NotRequired["str"],
        # The address that the calendar's provider names. It is not verified: with Microsoft, an organization's administrator can set any address. Don't use it to sign users in or to match them with accounts you have; use the account ID.
        "email": NotRequired["str"],
        "name": "str",
        "zoneinfo": "str",
        "cronofy.type": "Literal['account', 'application_calendar']",
        "cronofy.data": "CompatibilityUserinfoCronofyData",
    },
)

class ProfilesResponse(TypedDict):
    profiles: list[Profile]

# A calendar account that a user connected, or the one behind an application calendar.
class Profile(TypedDict):
    provider_name: str
    provider_service: str
    profile_id: str
    profile_name: str
    # If `false`, the user must reconnect this calendar account.
    profile_connected: bool
    profile_relink_url: None
    # `true` until the first sync is complete.
    profile_initial_sync_required: bool
    profile_calendars: list[Calendar]

class CalendarsResponseCalendarsItem(TypedDict):
    provider_name: str
    profile_id: str
    profile_name: str
    calendar_id: str
    calendar_name: str
    # If `true`, you can't write events to this calendar.
    calendar_readonly: bool
    # `true` if the calendar was deleted at the provider. It stays listed.
    calendar_deleted: bool
    calendar_primary: bool
    # `true` if the calendar can add its own meeting link.
    calendar_integrated_conferencing_available: bool
    calendar_attachments_available: Literal[False]
    # For example `unrestricted`.
    permission_level: str

class CalendarsResponse(TypedDict):
    calendars: list[CalendarsResponseCalendarsItem]
    # The account id.
    sub: str

# A calendar.
class Calendar(TypedDict):
    calendar_id: str
    calendar_name: str
    # If `true`, you can't write events to this calendar.
    calendar_readonly: bool
    # `true` if the calendar was deleted at the provider. It stays listed.
    calendar_deleted: bool
    calendar_primary: bool
    # `true` if the calendar can add its own meeting link.
    calendar_integrated_conferencing_available: bool
    calendar_attachments_available: Literal[False]
    # For example `unrestricted`.
    permission_level: str

# This page and the total number of pages.
class Pages(TypedDict):
    current: int
    total: int
    # URL of the next page. Request it unchanged, with the same token. The last page has none.
    next_page: NotRequired[str]

class FreeBusyResponse(TypedDict):
    pages: Pages
    free_busy: list[FreeBusyPeriod]

# How an event, or one occurrence, affects the owner's availability.
class FreeBusyPeriod(TypedDict):
    calendar_id: str
    event_uid: str
    # Not clipped to the window.
    start: str
    # Dates are exclusive.
    end: str
    free_busy_status: Literal["busy", "tentative", "free"]
    # Only with `include_ids`, on events your application created.
    event_id: NotRequired[str]

class EventsResponse(TypedDict):
    pages: Pages
    events: list[Event]

class EventLocation(TypedDict):
    description: str

class EventOrganizer1(TypedDict):
    email: str
    display_name: str | None

# On the first occurrence of a series your application created: its rule as you sent it.
class EventRecurrence(TypedDict):
    rules: list[RecurrenceRule]

# On occurrences of a series your application created: its first occurrence.
class EventSeriesMaster(TypedDict):
    event_id: str
    event_uid: str

class EventConferencing1(TypedDict):
    provider_name: str
    join_url: str

class EventConferencing2(TypedDict):
    pending: Literal[True]

class EventOptions(TypedDict):
    delete: bool
    update: bool
    change_participation_status: bool

# An event, or one occurrence of a recurring event.
class Event(TypedDict):
    calendar_id: str
    event_uid: str
    # Only on events your application created.
    event_id: NotRequired[str]
    summary: str
    description: str
    start: str
    # Dates are exclusive.
    end: str
    # `true` only with `include_deleted`.
    deleted: bool
    # A UTC time in whole seconds.
    created: str
    # A UTC time in whole seconds.
    updated: str
    location: NotRequired[EventLocation]
    # Any text from the calendar, except links that run a script, such as `javascript:` and `data:`.
    url: NotRequired[str]
    # The calendar owner's reply.
    participation_status: Literal["needs_action", "accepted", "declined", "tentative", "unknown"]
    attendees: list[Attendee]
    transparency: Literal["opaque", "transparent"]
    extended_transparency: Literal["opaque", "transparent"]
    event_private: bool
    # `null` if the calendar names no organizer.
    organizer: EventOrganizer1 | None
    # For example `confirmed`. Cancelled events are not returned.
    status: str
    categories: list[str]
    # `true` on every occurrence of a recurring event.
    recurring: bool
    # On the first occurrence of a series your application created: its rule as you sent it.
    recurrence: NotRequired[EventRecurrence]
    # The same on all occurrences of one series.
    series_identifier: NotRequired[str]
    # On occurrences of a series your application created: its first occurrence.
    series_master: NotRequired[EventSeriesMaster]
    # On every occurrence: its original day in the series' time zone, even if it was moved.
    occurrence_date: NotRequired[str]
    # The meeting link, or `pending` while the calendar creates it. Omitted if the event has no link.
    conferencing: NotRequired[EventConferencing1 | EventConferencing2]
    options: EventOptions

# A guest and their reply.
class Attendee(TypedDict):
    # In lowercase.
    email: str
    display_name: str | None
    status: Literal["needs_action", "accepted", "declined", "tentative", "unknown"]

# The filters that are set.
class ChannelResponseChannelFilters(TypedDict):
    calendar_ids: NotRequired[list[str]]
    only_managed: NotRequired[bool]

class ChannelResponseChannel(TypedDict):
    channel_id: str
    callback_url: str
    # The filters that are set.
    filters: ChannelResponseChannelFilters
    # The key of `Svc-Signature`, as it is. After `whsec_` it is standard base64, so that libraries for Standard Webhooks accept it. Returned only here, and never in compatibility mode.
    signing_secret: NotRequired[str]

class ChannelResponse(TypedDict):
    channel: ChannelResponseChannel

class ChannelsResponse(TypedDict):
    channels: list[Channel]

class TestEventDelivery(TypedDict):
    # The `Svc-Delivery-Id` of the test event.
    delivery_id: str

class TestEvent(TypedDict):
    delivery: TestEventDelivery

# The filters that are set.
class ChannelFilters(TypedDict):
    calendar_ids: NotRequired[list[str]]
    only_managed: NotRequired[bool]

# Where Almanac sends notifications, and for which changes.
class Channel(TypedDict):
    channel_id: str
    callback_url: str
    # The filters that are set.
    filters: ChannelFilters

class UnknownChannel(TypedDict):
    error: Literal["not_found"]
    description: str

class Forbidden(TypedDict):
    error: Literal["forbidden"]
    description: str

class NotificationNotification(TypedDict):
    type: Literal["verification", "change", "profile_disconnected", "profile_initial_sync_completed"]
    # Only for `change`. Pass it as `last_modified` to GET /v1/events. Whole seconds.
    changes_since: NotRequired[str]

class Notification(TypedDict):
    notification: NotificationNotification
    channel: Channel

class Errors(TypedDict):
    errors: dict[str, list[Issue]]

class Issue(TypedDict):
    key: ErrorKey
    # For humans; worded differently in compatibility mode. Match on `key` instead.
    description: str

ErrorKey: TypeAlias = "Literal['errors.required', 'errors.invalid', 'errors.invalid_type', 'errors.invalid_format', 'errors.invalid_value', 'errors.too_small', 'errors.too_big', 'errors.invalid_json', 'errors.invalid_email', 'errors.attendees_unsupported', 'errors.notify_attendees_unsupported', 'errors.too_many_attendees', 'errors.conferencing_unavailable', 'errors.max_recurrence_rules_exceeded', 'errors.not_recognized', 'errors.not_supported', 'errors.must_be_integer_greater_than_zero', 'errors.must_be_date', 'errors.not_supported_count_until_combination', 'errors.not_recurring', 'errors.not_an_occurrence', 'errors.invalid_callback_url', 'errors.invalid_callback_url_blocked', 'errors.too_many_channels', 'errors.tzid_unrecognized', 'errors.invalid_time_pair']"

class OAuthError(TypedDict):
    error: Literal["invalid_client", "invalid_grant", "invalid_request", "unsupported_grant_type", "unauthorized_client", "invalid_scope", "access_denied", "server_error"]
    error_description: NotRequired[str]

class AuthorizeQuery(TypedDict):
    response_type: Literal["code"]
    client_id: str
    # Must match a registered redirect URI exactly.
    redirect_uri: str
    # Space-separated scopes out of `read_write`, `read_account`, `list_calendars`, `create_calendar`, `read_events`, `create_event`, `delete_event`, `event_reminders`, `read_free_busy`, `change_participation_status`. Whichever you name, `read_write` is granted.
    scope: NotRequired[str]
    # Returned unchanged. Check it before you exchange the code.
    state: NotRequired[str]
    # Skips the provider chooser.
    provider_name: NotRequired[str]
    # Skips the provider chooser for a CalDAV server that your application offers: its ID, as in the dashboard.
    caldav_server: NotRequired[str]
    # From POST /v1/link_tokens. The page names that account, and the calendar account joins it when you exchange the code.
    link_token: NotRequired[str]
    # PKCE (RFC 7636). The token request must then include the matching `code_verifier`.
    code_challenge: NotRequired[str]
    code_challenge_method: NotRequired[Literal["S256"]]
    # Language of the page, such as `de`.
    locale: NotRequired[str]

ListFreeBusyQuery = TypedDict(
    "ListFreeBusyQuery",
    {
        # The IANA time zone for dates in the request, such as `Europe/Paris`. Already part of `pages.next_page`.
        "tzid": "str",
        # Start of the window: a date in `tzid`, or a time with an offset. Default: 42 days ago.
        "from": NotRequired["str"],
        # End of the window (exclusive), in the same format as `from`. Default: 201 days from now.
        "to": NotRequired["str"],
        # Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account.
        "calendar_ids": NotRequired["list[str]"],
        # Include events your application created.
        "include_managed": NotRequired["bool"],
        # Return times with the offset of `tzid` instead of UTC.
        "localized_times": NotRequired["bool"],
        # Include the `event_id` of events your application created.
        "include_ids": NotRequired["bool"],
        # Identifies a later page. Take it from `pages.next_page`; all other parameters are then ignored.
        "cursor": NotRequired["str"],
    },
)

ListEventsQuery = TypedDict(
    "ListEventsQuery",
    {
        # The IANA time zone for dates in the request, such as `Europe/Paris`. Already part of `pages.next_page`.
        "tzid": "str",
        # Start of the window: a date in `tzid`, or a time with an offset. Default: 42 days ago.
        "from": NotRequired["str"],
        # End of the window (exclusive), in the same format as `from`. Default: 201 days from now.
        "to": NotRequired["str"],
        # Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account.
        "calendar_ids": NotRequired["list[str]"],
        # Include events your application created.
        "include_managed": NotRequired["bool"],
        # Return times with the offset of `tzid` instead of UTC.
        "localized_times": NotRequired["bool"],
        # Return only events your application created.
        "only_managed": NotRequired["bool"],
        # Include deleted events, marked with `deleted: true`.
        "include_deleted": NotRequired["bool"],
        # Return only events that changed at or after this time. Pass the `changes_since` of a notification here.
        "last_modified": NotRequired["str"],
        # Identifies a later page. Take it from `pages.next_page`; all other parameters are then ignored.
        "cursor": NotRequired["str"],
    },
)

