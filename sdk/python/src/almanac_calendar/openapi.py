"""Generated from the OpenAPI document. Don't edit this file: see CONTRIBUTING.md."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

OPERATION_IDS = ("authorize", "createToken", "revokeToken", "registerClient", "openApplicationCalendar", "createLinkToken", "createReconnectLink", "importProfile", "authorizeByServiceAccount", "listResources", "showAccount", "showUserinfo", "listProfiles", "showProfileStatus", "listCalendars", "createSubscription", "listSubscriptions", "deleteSubscription", "createFeed", "listFeeds", "deleteFeed", "listFreeBusy", "listEvents", "deleteEvents", "getEvent", "patchEvent", "deleteEventByUid", "listChanges", "findAvailability", "bookEvent", "showBooking", "cancelBooking", "confirmBooking", "writeEvent", "deleteEvent", "changeOccurrence", "sendBatch", "showReceipt", "listWrites", "replyToEvent", "openChannel", "listChannels", "setDelivery", "testChannel", "closeChannel", "createTrigger", "listTriggers", "deleteTrigger", "changeInSandbox")

class TokenRequest1(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it.
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
    # Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it.
    client_secret: NotRequired[str]
    grant_type: Literal["refresh_token"]
    refresh_token: str

TokenRequest: TypeAlias = "TokenRequest1 | TokenRequest2"

class RevokeRequest(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it.
    client_secret: NotRequired[str]
    # An access token or a refresh token. Required outside compatibility mode.
    token: str
    # Compatibility mode only: accepted instead of `token`.
    refresh_token: NotRequired[str]
    # Compatibility mode only: the account id, accepted instead of `token`.
    sub: NotRequired[str]

class RegistrationRequest(TypedDict):
    # https, or http on localhost, 127.0.0.1 or [::1], where any port is accepted later.
    redirect_uris: list[str]
    # Shown to users on the connect page. Default: the host of the first redirect URI.
    client_name: NotRequired[str]
    # Registered clients are public: they have no secret.
    token_endpoint_auth_method: NotRequired[Literal["none"]]
    # Must contain `authorization_code`.
    grant_types: NotRequired[list[str]]
    # Must contain `code`.
    response_types: NotRequired[list[str]]

class RegisteredClient(TypedDict):
    client_id: str
    # Seconds since 1970.
    client_id_issued_at: int
    client_name: str
    redirect_uris: list[str]
    token_endpoint_auth_method: Literal["none"]
    grant_types: list[Literal["authorization_code", "refresh_token"]]
    response_types: list[Literal["code"]]

class ApplicationCalendarRequest(TypedDict):
    # Your application's client id. Required unless you send it as HTTP Basic.
    client_id: NotRequired[str]
    # Any active client secret of your application. Required unless you send it as HTTP Basic. A public client omits it.
    client_secret: NotRequired[str]
    # Your id for the calendar. The same id always opens the same calendar.
    application_calendar_id: str

# How long the meeting takes.
class AvailabilityRequestRequiredDuration(TypedDict):
    minutes: int

class AvailabilityRequestBufferBefore(TypedDict):
    minutes: int

class AvailabilityRequestBufferAfter(TypedDict):
    minutes: int

# Time before and after the meeting that must be free of events. It may reach beyond periods and hours.
class AvailabilityRequestBuffer(TypedDict):
    before: NotRequired[AvailabilityRequestBufferBefore]
    after: NotRequired[AvailabilityRequestBufferAfter]

# How far apart slots start, counted from the start of each period.
class AvailabilityRequestStartInterval(TypedDict):
    minutes: int

class AvailabilityRequest(TypedDict):
    # Groups, each of which needs enough free members.
    participants: list[AvailabilityGroup]
    # How long the meeting takes.
    required_duration: AvailabilityRequestRequiredDuration
    # The time to search. Also accepted as `available_periods`.
    query_periods: NotRequired[list[AvailabilityPeriod]]
    # Another name for `query_periods`.
    available_periods: NotRequired[list[AvailabilityPeriod]]
    # Time before and after the meeting that must be free of events. It may reach beyond periods and hours.
    buffer: NotRequired[AvailabilityRequestBuffer]
    # How far apart slots start, counted from the start of each period.
    start_interval: NotRequired[AvailabilityRequestStartInterval]
    # Periods as long as possible, slots that do not overlap, or a slot at every interval.
    response_format: NotRequired[Literal["periods", "slots", "overlapping_slots"]]
    max_results: NotRequired[int]
    # The hours of the week in which time is offered, in the time zone `tzid`.
    working_hours: NotRequired[list[WorkingHours]]
    # An IANA time zone such as `Europe/Paris`.
    tzid: NotRequired[str]
    # Whether tentative events take time.
    tentative: NotRequired[Literal["busy", "free"]]
    # Whether invitations that the member has not responded to take time.
    unanswered: NotRequired[Literal["busy", "free"]]
    # Lists for each member what takes the time that is not free.
    explain: NotRequired[bool]

class AvailabilityGroup(TypedDict):
    members: list[AvailabilityMember]
    # How many different members must be free. Default: `all`.
    required: NotRequired[Literal["all"] | int]

class AvailabilityMember(TypedDict):
    # The account's id, as in `sub`.
    sub: str
    # Only events in these calendars count. Default: all of the account's.
    calendar_ids: NotRequired[list[str]]
    # The only time in which this member can be offered. Default: any.
    available_periods: NotRequired[list[AvailabilityPeriod]]
    # Only count events that your application created.
    only_managed: NotRequired[bool]

# A period. Its end is exclusive.
class AvailabilityPeriod(TypedDict):
    # A time with an offset or `Z`, in whole seconds.
    start: str
    # A time with an offset or `Z`, in whole seconds.
    end: str

class WorkingHours(TypedDict):
    day: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    # `hh:mm` on the wall clock.
    start: str
    # `hh:mm`, later than `start`, up to 24:00.
    end: str

class AvailabilityResponseAvailablePeriodsItemParticipantsItem(TypedDict):
    sub: str

class AvailabilityResponseAvailablePeriodsItem(TypedDict):
    # A UTC time in whole seconds.
    start: str
    # A UTC time in whole seconds.
    end: str
    # Who is free for the whole period, in the order of the request.
    participants: list[AvailabilityResponseAvailablePeriodsItemParticipantsItem]

class AvailabilityResponseAvailableSlotsItemParticipantsItem(TypedDict):
    sub: str

class AvailabilityResponseAvailableSlotsItem(TypedDict):
    # A UTC time in whole seconds.
    start: str
    # A UTC time in whole seconds.
    end: str
    # Who is free for the whole period, in the order of the request.
    participants: list[AvailabilityResponseAvailableSlotsItemParticipantsItem]

class AvailabilityResponseUnavailableItem(TypedDict):
    sub: str
    # A UTC time in whole seconds.
    start: str
    # A UTC time in whole seconds.
    end: str
    reason: str

class AvailabilityResponse(TypedDict):
    # With `response_format` `periods`, which is the default.
    available_periods: NotRequired[list[AvailabilityResponseAvailablePeriodsItem]]
    # With `response_format` `slots` or `overlapping_slots`.
    available_slots: NotRequired[list[AvailabilityResponseAvailableSlotsItem]]
    # Members that were not offered, regardless of their events, and why.
    problems: list[AvailabilityProblem]
    # For each member, until when changes at the provider are known. `null` if nothing was read yet.
    as_of: dict[str, str | None]
    # With `explain`: what keeps each member from being offered, buffers included; the first 512 entries, by start.
    unavailable: NotRequired[list[AvailabilityResponseUnavailableItem]]

class AvailabilityProblem(TypedDict):
    sub: str
    # `disconnected`: the user must reconnect. `initial_sync`: a calendar has not been read yet. `calendar_deleted`, `no_calendars`: there is no calendar to check. `beyond_horizon`: the request reaches beyond the time that is read.
    reason: str
    # Since when. For `beyond_horizon`, where what is read ends. `null` if it is unknown.
    since: str | None

class BookingRequestBufferBefore(TypedDict):
    minutes: int

class BookingRequestBufferAfter(TypedDict):
    minutes: int

# Time before and after the event that must also be free.
class BookingRequestBuffer(TypedDict):
    before: NotRequired[BookingRequestBufferBefore]
    after: NotRequired[BookingRequestBufferAfter]

class BookingRequest(TypedDict):
    # The calendar that the event is written to.
    calendar_id: str
    # The event, as in `POST /v1/calendars/{calendar_id}/events`.
    event: EventWrite
    # Everyone who must be free. Their time is taken for as long as the booking exists.
    require_free: list[RequiredFree]
    # Time before and after the event that must also be free.
    buffer: NotRequired[BookingRequestBuffer]
    # Holds the time for this many seconds instead of writing the event, until you confirm the booking.
    hold_seconds: NotRequired[int]
    # What happens if a provider can't be reached in time: `refuse` books nothing, `accept` uses what was last read.
    if_unreachable: NotRequired[Literal["refuse", "accept"]]

class RequiredFree(TypedDict):
    # The account's id, as in `sub`.
    sub: str
    # The calendars that must be free, and whose time is taken. Default: all of the account's.
    calendar_ids: NotRequired[list[str]]

class BookingResponse(TypedDict):
    booking_id: str
    # `held`: the time is taken until `hold_expires_at`. `booked`: the event is written. `expired`: the hold was not confirmed in time. `cancelled`: the event was deleted in another way than with `DELETE /v1/bookings/{booking_id}`.
    state: Literal["booked", "held", "expired", "cancelled"]
    # As reads name the event; of a series its first occurrence.
    event_uid: str
    # Until when the time is held.
    hold_expires_at: NotRequired[str]

class BookingConflictsConflictsItem(TypedDict):
    calendar_id: str
    # A UTC time in whole seconds.
    start: str
    # A UTC time in whole seconds.
    end: str

class BookingConflicts(TypedDict):
    # The time that is taken, at most 50 entries, by start. Events and holds that overlap or touch are one.
    conflicts: list[BookingConflictsConflictsItem]
    # Accounts whose time isn't known, regardless of their events.
    problems: list[AvailabilityProblem]

class Unreachable(TypedDict):
    error: Literal["unreachable"]
    sub: str

class Conflict(TypedDict):
    error: Literal["conflict"]
    description: str

class EventPatchLocation1(TypedDict):
    description: NotRequired[str | None]

# A JSON merge patch (RFC 7396): fields you omit stay unchanged, and `null` removes a field.
class EventPatch(TypedDict):
    summary: NotRequired[str]
    description: NotRequired[str | None]
    # Send it together with `end`. With `scope=all`, the series moves as far as the named occurrence does.
    start: NotRequired[EventTime]
    # A date if `start` is a date, otherwise a time. Dates are exclusive.
    end: NotRequired[EventTime]
    location: NotRequired[EventPatchLocation1 | None]
    # A link. Of a recurring event, it is changed with `scope=all`.
    url: NotRequired[str | None]
    # `null` is `opaque`. Of a recurring event, it is changed with `scope=all`.
    transparency: NotRequired[Literal["opaque", "transparent"] | None]

class ParticipationStatus(TypedDict):
    # The user's reply.
    status: Literal["accepted", "declined", "tentative"]
    # A note to the organizer.
    comment: NotRequired[str]

class BatchRequest(TypedDict):
    batch: list[BatchEntry]

class BatchEntry(TypedDict):
    # `POST` or `DELETE`.
    method: str
    # `/v1/calendars/{calendar_id}/events`, as the single request has it.
    relative_url: str
    # The body of the single request.
    data: NotRequired[EventWrite | EventDelete]

class BatchResponse(TypedDict):
    batch: list[BatchOutcome]

class BatchOutcome(TypedDict):
    # The status that the single request would have had.
    status: int
    # For example `Retry-After`, if the status is 429 or 503.
    headers: dict[str, str]
    data: NotRequired[Errors]

class EventsDelete(TypedDict):
    # Delete them in every writable calendar.
    delete_all: NotRequired[Literal[True]]
    # Delete them in these calendars.
    calendar_ids: NotRequired[list[str]]

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

class DeliverySettings(TypedDict):
    # `changes`: notifications of the type `change` say what changed, as `GET /v1/changes` does.
    payload: NotRequired[Literal["thin", "changes"]]
    # `standard_webhooks`: notifications also carry the headers of Standard Webhooks.
    signature: NotRequired[Literal["default", "standard_webhooks"]]
    # Send a notification of the type `write_refused` when a provider rejects an event that your application wrote.
    write_refused: NotRequired[bool]

class DeliverySettingsResponseDelivery(TypedDict):
    payload: Literal["thin", "changes"]
    signature: Literal["default", "standard_webhooks"]
    write_refused: bool
    # With `standard_webhooks`: the key that its libraries accept, in base64. It is the channel's own key.
    signing_secret: NotRequired[str]

class DeliverySettingsResponse(TypedDict):
    delivery: DeliverySettingsResponseDelivery

class SubscriptionRequest(TypedDict):
    # The address of the feed: an https or webcal URL of a public host. It is never returned.
    url: str
    # What the calendar is called.
    name: str
    # About how often the feed is read.
    refresh_minutes: NotRequired[int]

class SubscriptionResponse(TypedDict):
    calendar_id: str

class SubscriptionsResponse(TypedDict):
    subscriptions: list[Subscription]

class Subscription(TypedDict):
    calendar_id: str
    # Its status says whether the feed is read in time, and if not, why.
    profile_id: str
    name: str
    # The host of the feed’s address.
    host: str
    refresh_minutes: int

class TriggerRequest(TypedDict):
    # An https URL on port 443 with a public host and no credentials.
    callback_url: str
    # Notify before the start or the end of events. Send either `before` or `after`.
    before: NotRequired[Literal["event_start", "event_end"]]
    # Notify after the start or the end of events.
    after: NotRequired[Literal["event_start", "event_end"]]
    # How many minutes before or after.
    minutes: int
    # Only events in these calendars. Default: every calendar of the account.
    calendar_ids: NotRequired[list[str]]
    # Only events that your application created.
    only_managed: NotRequired[bool]
    # Only events with at least this many guests.
    min_guests: NotRequired[int]

class TriggerResponse(TypedDict):
    trigger_id: str
    callback_url: str
    before: NotRequired[Literal["event_start", "event_end"]]
    after: NotRequired[Literal["event_start", "event_end"]]
    minutes: int
    calendar_ids: NotRequired[list[str]]
    only_managed: NotRequired[bool]
    min_guests: NotRequired[int]
    # The key for `Svc-Signature`, as for channels. Returned only here, and never in compatibility mode.
    signing_secret: NotRequired[str]

class TriggersResponse(TypedDict):
    triggers: list[Trigger]

class Trigger(TypedDict):
    trigger_id: str
    callback_url: str
    before: NotRequired[Literal["event_start", "event_end"]]
    after: NotRequired[Literal["event_start", "event_end"]]
    minutes: int
    calendar_ids: NotRequired[list[str]]
    only_managed: NotRequired[bool]
    min_guests: NotRequired[int]

class FeedRequest(TypedDict):
    # `busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests.
    detail: Literal["busy", "titles", "full"]
    # How many days before today the feed shows, counted in UTC.
    days_back: NotRequired[int]
    # How many days after today the feed shows.
    days_ahead: NotRequired[int]

class FeedResponse(TypedDict):
    feed_id: str
    # `busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests.
    detail: Literal["busy", "titles", "full"]
    days_back: int
    days_ahead: int
    # A UTC time in whole seconds.
    created: str
    # When it was last read, to the minute. `null`: never.
    last_read_at: str | None
    # The secret address. Anyone who has it can read the feed. Returned only here.
    url: str

class FeedsResponse(TypedDict):
    feeds: list[Feed]

class Feed(TypedDict):
    feed_id: str
    # `busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests.
    detail: Literal["busy", "titles", "full"]
    days_back: int
    days_ahead: int
    # A UTC time in whole seconds.
    created: str
    # When it was last read, to the minute. `null`: never.
    last_read_at: str | None

class ReconnectLinkRequest(TypedDict):
    # For how many seconds the link works.
    expires_in: NotRequired[int]
    # Where the user returns to. Must match a registered redirect URI exactly. Default: the first one of your application, https before others.
    redirect_uri: NotRequired[str]

class ImportRequest(TypedDict):
    # The provider that issued the token, as `provider_name` names it.
    provider_name: str
    # The user's refresh token, issued to the OAuth client that Almanac uses for your application.
    refresh_token: str
    # The account that the profile is added to. Omitted: the one that has the profile, or a new one.
    sub: NotRequired[str]

class ServiceAccountAuthorizationsRequest2(TypedDict):
    # Several mailboxes at once.
    service_account_authorizations: list[ServiceAccountAuthorization]

ServiceAccountAuthorizationsRequest: TypeAlias = "ServiceAccountAuthorization | ServiceAccountAuthorizationsRequest2"

class ServiceAccountAuthorization(TypedDict):
    # The email address of a user or room of an organization that your administrator has added.
    email: str
    # Where the result is sent. Pass it as `redirect_uri` when you exchange the code.
    callback_url: str
    # Returned with the result.
    state: NotRequired[str]

class ResourcesResponseProblemsItem(TypedDict):
    # The first domain of the organization.
    domain: str
    reason: str

class ResourcesResponse(TypedDict):
    resources: list[Resource]
    # Organizations whose rooms could not be listed.
    problems: list[ResourcesResponseProblemsItem]

class Resource(TypedDict):
    # Pass it to `POST /v1/service_account_authorizations`.
    email: str
    name: str
    # How many people fit in. `null`: unknown.
    capacity: int | None
    building: str | None
    # The account through which your application books the room. `null`: not authorized yet.
    sub: str | None

class SandboxChangeEventLocation(TypedDict):
    description: NotRequired[str]

class SandboxChangeEventConferencing(TypedDict):
    # `default` adds the calendar's own meeting link if it has one. `integrated` does the same but fails if it has none. `none` removes the link.
    profile_id: Literal["default", "integrated", "none"]

# The event after the change, with the fields of a write and `event_private`. Guests are changed as in a write.
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

# For `event_created`: who invites the user. If omitted, the user created the event.
class SandboxChangeOrganizer(TypedDict):
    email: str
    display_name: NotRequired[str | None]

# For `calendar_changed`: the calendar after the change. Omitted fields stay unchanged.
class SandboxChangeCalendar(TypedDict):
    # Whether writes get a 403.
    calendar_readonly: NotRequired[bool]
    # Whether the calendar adds its own meeting links. A link that a write asks for stays pending.
    calendar_integrated_conferencing_available: NotRequired[bool]

class SandboxChange(TypedDict):
    # What another person or the provider does.
    type: Literal["event_created", "event_changed", "event_deleted", "guest_replied", "meeting_link_created", "calendar_changed", "calendar_deleted", "calendar_restored", "profile_disconnected", "profile_reconnected", "profile_delayed", "profile_recovered", "writes_sent", "initial_sync_started", "initial_sync_completed"]
    # Required for changes of calendars and events.
    calendar_id: NotRequired[str]
    # An event that your application wrote.
    event_id: NotRequired[str]
    # Any event, as reads name it.
    event_uid: NotRequired[str]
    # The event after the change, with the fields of a write and `event_private`. Guests are changed as in a write.
    event: NotRequired[SandboxChangeEvent]
    # For `event_created`: who invites the user. If omitted, the user created the event.
    organizer: NotRequired[SandboxChangeOrganizer]
    # The guest who replies, or the user's own address.
    email: NotRequired[str]
    # The reply.
    status: NotRequired[Literal["accepted", "declined", "tentative", "needs_action"]]
    # For `meeting_link_created`: where the meeting is. If omitted, an address at `meet.example.com`.
    join_url: NotRequired[str]
    # For `calendar_changed`: the calendar after the change. Omitted fields stay unchanged.
    calendar: NotRequired[SandboxChangeCalendar]

class TokenResponse(TypedDict):
    token_type: Literal["bearer"]
    # Send it in the `Authorization: Bearer …` header.
    access_token: str
    # Seconds until the access token expires: 10800, or less when compatibility mode returns an existing token.
    expires_in: int
    # Exchange it for new access tokens. It never changes, except for public clients.
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
    # Exchange it for new access tokens. It never changes, except for public clients.
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

class ReconnectLinkResponse(TypedDict):
    # Send it only to the user. Anyone who has it can open the page.
    url: str

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

class ProfileStatus(TypedDict):
    # `disconnected`: the user must reconnect. `delayed`: the last two reads in a row failed, or a read is overdue, so reads may be incomplete.
    state: Literal["connected", "disconnected", "delayed"]
    reason: Reason | None
    # Since when `reason` applies. Null without a reason, or if the time is unknown.
    since: str | None
    # When its calendars were last read. Null: never, and for application calendars, which need no reads.
    last_read_at: str | None
    # When they are read next, at the latest. Null while it is disconnected, and for application calendars.
    next_read_at: str | None
    # Whether the provider notifies Almanac of changes: `live` for all calendars that it can, `partial` for some of them, `off` for none. `unsupported`: this provider never does. Without notifications, changes are found when the calendars are read next.
    pushes: str
    # Events that the provider doesn't have yet.
    pending_writes: int
    # Events that the provider rejected, or that Almanac gave up on.
    failed_writes: int

# The reason, from one list for profiles and writes:
# 
# - `initial_sync`: The first sync is not complete yet.
# - `credentials_rejected`: The provider rejected the sign-in. The user must reconnect.
# - `delegation_withdrawn`: The provider no longer accepts the organization’s key. An administrator has to renew it. Users don’t need to reconnect.
# - `delegation_removed`: The organization was removed from the application. The user can still connect on their own.
# - `delegation_refused`: The provider no longer lets the organization’s key open this mailbox. Authorize it again once that is fixed.
# - `throttled`: The provider is rate limiting requests.
# - `down`: The provider returned an error or didn’t respond.
# - `no_mailbox`: The provider has no mailbox for this account right now.
# - `misconfigured`: The provider doesn’t accept this service’s client ID or secret, or its API isn’t enabled. Users don’t need to reconnect.
# - `sync_token_expired`: Full resync required.
# - `no_calendars_listed`: The provider returned no calendars, although it had some before.
# - `calendar_refused`: The provider denied access to one of the calendars.
# - `calendar_failed`: The provider couldn’t read one of the calendars.
# - `overdue`: Syncs are due but haven’t started.
# - `interrupted`: Syncs end before they finish.
# - `internal`: Internal error. See the log for details.
# - `calendar_deleted`: The feed no longer exists at its address.
# - `feed_empty`: The feed is suddenly empty. Its events are kept for a day.
# - `feed_cut_off`: The feed ends before its end. Its events are kept for a day.
# - `feed_too_large`: The feed is larger than 5 MB or has more than 20,000 occurrences.
# - `feed_address_refused`: The feed’s address leads to a host that isn’t public.
# - `not_a_calendar`: The feed’s address returns something other than a calendar.
# - `gone`: It no longer exists at the provider.
# - `conflict`: The event was changed at the provider at the same time.
# - `not_organizer`: The provider lets only the organizer change the time, the guests and the rule of this event.
# - `partial_guest_list`: The provider shows only part of the event’s guest list, so guests can’t be added or removed.
# - `monthly_weekdays_unsupported`: The provider can’t repeat an event on several weekdays of a month.
# - `time_zone_unsupported`: The provider has no time zone in which this event could repeat.
# - `rule_unsupported`: The provider can’t move a series whose rule was changed there.
# - `occurrence_not_restored`: The provider didn’t bring back a deleted occurrence.
# - `occurrence_out_of_order`: The provider can’t move an occurrence to the day of another one, or past it.
# - `occurrences_overlap`: The provider can’t repeat an event that lasts longer than the time to the next one.
# - `too_large`: The event is too large for the provider.
# - `read_only`: The user no longer lets the application change this calendar.
# - `rejected`: The provider rejected the event.
Reason: TypeAlias = "Literal['initial_sync', 'credentials_rejected', 'delegation_withdrawn', 'delegation_removed', 'delegation_refused', 'throttled', 'down', 'no_mailbox', 'misconfigured', 'sync_token_expired', 'no_calendars_listed', 'calendar_refused', 'calendar_failed', 'overdue', 'interrupted', 'internal', 'calendar_deleted', 'feed_empty', 'feed_cut_off', 'feed_too_large', 'feed_address_refused', 'not_a_calendar', 'gone', 'conflict', 'not_organizer', 'partial_guest_list', 'monthly_weekdays_unsupported', 'time_zone_unsupported', 'rule_unsupported', 'occurrence_not_restored', 'occurrence_out_of_order', 'occurrences_overlap', 'too_large', 'read_only', 'rejected']"

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

class ChangesResponse(TypedDict):
    # In the order in which they happened in each calendar.
    changes: list[ListedChange]
    # Pass it with the next request. Store it once you have handled the changes.
    cursor: str
    # Whether more changes are waiting.
    has_more: bool
    # The cursor was too old: discard what you stored. The feed starts over with what exists.
    reset: NotRequired[Literal[True]]

class Change(TypedDict):
    # Unique to each change. Following the cursor returns each change once.
    id: str
    # `replied`: only replies of guests or the user changed. `link_added`: the meeting link was added. `booking_conflict`: someone took a booked time at the provider.
    kind: Literal["created", "updated", "deleted", "replied", "link_added", "booking_conflict"]
    calendar_id: str
    # As reads name the event; of a series its first occurrence.
    event_uid: str
    # Your id, if your application created the event.
    event_id: NotRequired[str]
    # Of a series: what its occurrences in reads have in common.
    series_identifier: NotRequired[str]
    # If a single occurrence of a series changed: its original day.
    occurrence_date: NotRequired[str]
    # What changed. Empty for events that were created or deleted.
    fields: list[Literal["summary", "description", "location", "url", "start", "end", "tzid", "transparency", "event_private", "status", "participation_status", "organizer", "attendees", "categories", "conferencing", "recurrence"]]
    # Whether a request of your application made the change.
    by: Literal["application", "others"]
    # A UTC time in whole seconds.
    at: str

class ListedChange(TypedDict):
    # Unique to each change. Following the cursor returns each change once.
    id: str
    # `replied`: only replies of guests or the user changed. `link_added`: the meeting link was added. `booking_conflict`: someone took a booked time at the provider.
    kind: Literal["created", "updated", "deleted", "replied", "link_added", "booking_conflict"]
    calendar_id: str
    # As reads name the event; of a series its first occurrence.
    event_uid: str
    # Your id, if your application created the event.
    event_id: NotRequired[str]
    # Of a series: what its occurrences in reads have in common.
    series_identifier: NotRequired[str]
    # If a single occurrence of a series changed: its original day.
    occurrence_date: NotRequired[str]
    # What changed. Empty for events that were created or deleted.
    fields: list[Literal["summary", "description", "location", "url", "start", "end", "tzid", "transparency", "event_private", "status", "participation_status", "organizer", "attendees", "categories", "conferencing", "recurrence"]]
    # Whether a request of your application made the change.
    by: Literal["application", "others"]
    # A UTC time in whole seconds.
    at: str
    # With `include=event`: the current event, in UTC, as GET /v1/events returns it; of a series, the occurrence that the change names. Omitted if the calendar no longer has it, or reads do not return it.
    event: NotRequired[Event]

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

class NamedEventLocation(TypedDict):
    description: str

class NamedEventOrganizer1(TypedDict):
    email: str
    display_name: str | None

# On the first occurrence of a series your application created: its rule as you sent it.
class NamedEventRecurrence(TypedDict):
    rules: list[RecurrenceRule]

# On occurrences of a series your application created: its first occurrence.
class NamedEventSeriesMaster(TypedDict):
    event_id: str
    event_uid: str

class NamedEventConferencing1(TypedDict):
    provider_name: str
    join_url: str

class NamedEventConferencing2(TypedDict):
    pending: Literal[True]

class NamedEventOptions(TypedDict):
    delete: bool
    update: bool
    change_participation_status: bool

# What your application may do with the event.
class NamedEventRights(TypedDict):
    # Whether PATCH changes the event.
    update: bool
    # Whether DELETE deletes it.
    delete: bool
    # Whether the user can reply to it with `participation_status`.
    reply: bool

# An event, or one occurrence, and what you may do with it.
class NamedEvent(TypedDict):
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
    location: NotRequired[NamedEventLocation]
    # Any text from the calendar, except links that run a script, such as `javascript:` and `data:`.
    url: NotRequired[str]
    # The calendar owner's reply.
    participation_status: Literal["needs_action", "accepted", "declined", "tentative", "unknown"]
    attendees: list[Attendee]
    transparency: Literal["opaque", "transparent"]
    extended_transparency: Literal["opaque", "transparent"]
    event_private: bool
    # `null` if the calendar names no organizer.
    organizer: NamedEventOrganizer1 | None
    # For example `confirmed`. Cancelled events are not returned.
    status: str
    categories: list[str]
    # `true` on every occurrence of a recurring event.
    recurring: bool
    # On the first occurrence of a series your application created: its rule as you sent it.
    recurrence: NotRequired[NamedEventRecurrence]
    # The same on all occurrences of one series.
    series_identifier: NotRequired[str]
    # On occurrences of a series your application created: its first occurrence.
    series_master: NotRequired[NamedEventSeriesMaster]
    # On every occurrence: its original day in the series' time zone, even if it was moved.
    occurrence_date: NotRequired[str]
    # The meeting link, or `pending` while the calendar creates it. Omitted if the event has no link.
    conferencing: NotRequired[NamedEventConferencing1 | NamedEventConferencing2]
    options: NamedEventOptions
    # What your application may do with the event.
    rights: NamedEventRights

# A guest and their reply.
class Attendee(TypedDict):
    # In lowercase.
    email: str
    display_name: str | None
    status: Literal["needs_action", "accepted", "declined", "tentative", "unknown"]

# The outcome of your application's last write of an event, which may be its deletion.
class Receipt(TypedDict):
    # `pending`: the provider doesn't have it yet. `sent`: the provider has it. `refused`: the provider rejected it, or Almanac gave up.
    state: Literal["pending", "sent", "refused"]
    # How many attempts were made since you wrote it.
    attempts: int
    # When it was written while it is pending, then when it was sent or refused. In an application calendar, when the event last changed.
    at: str
    reason: Reason | None

# The next page.
class WritesResponsePages(TypedDict):
    # URL of the next page. Request it unchanged, with the same token. The last page has none.
    next_page: NotRequired[str]

class WritesResponse(TypedDict):
    # The next page.
    pages: WritesResponsePages
    writes: list[Write]

# An event of your application, and the outcome of its last write.
class Write(TypedDict):
    calendar_id: str
    # Your application's id.
    event_id: str
    # `pending`: the provider doesn't have it yet. `sent`: the provider has it. `refused`: the provider rejected it, or Almanac gave up.
    state: Literal["pending", "sent", "refused"]
    # How many attempts were made since you wrote it.
    attempts: int
    # When it was written while it is pending, then when it was sent or refused. In an application calendar, when the event last changed.
    at: str
    reason: Reason | None

# The filters that are set.
class ChannelResponseChannelFilters(TypedDict):
    calendar_ids: NotRequired[list[str]]
    only_managed: NotRequired[bool]

class ChannelResponseChannel(TypedDict):
    channel_id: str
    callback_url: str
    # The filters that are set.
    filters: ChannelResponseChannelFilters
    # The key for `Svc-Signature`, `whsec_` included. The rest is standard base64, so libraries for Standard Webhooks accept it. Returned only here, and never in compatibility mode.
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

class Maintenance(TypedDict):
    error: Literal["maintenance"]
    description: str

class NotificationNotification(TypedDict):
    type: Literal["verification", "change", "profile_disconnected", "profile_initial_sync_completed", "trigger", "write_refused"]
    # Only for `change`. Pass it as `last_modified` to GET /v1/events. Whole seconds.
    changes_since: NotRequired[str]
    # Only for `change`, on a channel with `payload` `changes`: what changed since then.
    changes: NotRequired[list[Change]]
    # `changes` is incomplete: read `GET /v1/changes`.
    more: NotRequired[Literal[True]]
    # Only for `trigger`.
    trigger_id: NotRequired[str]
    # Only for `trigger` and `write_refused`: the event, or the occurrence, as reads name it.
    event_uid: NotRequired[str]
    # Only for `trigger`: more than a minute after its time.
    late: NotRequired[Literal[True]]
    # Only for `write_refused`: where the event was written.
    calendar_id: NotRequired[str]
    # Only for `write_refused`: your id of the event, if your application created it.
    event_id: NotRequired[str]
    # Only for `write_refused`: as in `GET /v1/writes`.
    reason: NotRequired[str]

class Notification(TypedDict):
    notification: NotificationNotification
    # Not for `trigger`.
    channel: NotRequired[Channel]

class Errors(TypedDict):
    errors: dict[str, list[Issue]]

class Issue(TypedDict):
    key: ErrorKey
    # For humans; worded differently in compatibility mode. Match on `key` instead.
    description: str

ErrorKey: TypeAlias = "Literal['errors.required', 'errors.invalid', 'errors.invalid_type', 'errors.invalid_format', 'errors.invalid_value', 'errors.too_small', 'errors.too_big', 'errors.invalid_json', 'errors.invalid_email', 'errors.attendees_unsupported', 'errors.notify_attendees_unsupported', 'errors.too_many_attendees', 'errors.conferencing_unavailable', 'errors.max_recurrence_rules_exceeded', 'errors.not_recognized', 'errors.not_supported', 'errors.must_be_integer_greater_than_zero', 'errors.must_be_date', 'errors.not_supported_count_until_combination', 'errors.not_recurring', 'errors.not_an_occurrence', 'errors.is_organizer', 'errors.not_a_guest', 'errors.invalid_callback_url', 'errors.invalid_callback_url_blocked', 'errors.too_many_channels', 'errors.tzid_unrecognized', 'errors.invalid_time_pair']"

class OAuthError(TypedDict):
    error: Literal["invalid_client", "invalid_grant", "invalid_request", "unsupported_grant_type", "unauthorized_client", "invalid_scope", "access_denied", "server_error"]
    error_description: NotRequired[str]

class RegistrationError(TypedDict):
    error: Literal["invalid_redirect_uri", "invalid_client_metadata", "invalid_request"]
    error_description: str

class AuthorizeQuery(TypedDict):
    response_type: Literal["code"]
    client_id: str
    # Must match a registered redirect URI exactly. A public client may use any port of the user's own machine.
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
    # Asks for less: `read` lets you read events but not write, `free_busy` only lets you see when the user is busy. Omitted: full access, which also lifts an earlier restriction.
    access: NotRequired[Literal["read", "free_busy"]]
    # PKCE (RFC 7636). The token request must then include the matching `code_verifier`. Required of a public client.
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

class GetEventQuery(TypedDict):
    # Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`.
    occurrence_date: NotRequired[str]
    # Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope.
    scope: NotRequired[Literal["this", "all"]]

class PatchEventQuery(TypedDict):
    # Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`.
    occurrence_date: NotRequired[str]
    # Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope.
    scope: NotRequired[Literal["this", "all"]]
    # If `false`, guests are not notified. Calendars that always notify guests reject `false`. Guests of events that your application didn't create are never notified.
    notify_attendees: NotRequired[bool]

class DeleteEventByUidQuery(TypedDict):
    # Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`.
    occurrence_date: NotRequired[str]
    # Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope.
    scope: NotRequired[Literal["this", "all"]]
    # If `false`, guests are not notified. Calendars that always notify guests reject `false`. Guests of events that your application didn't create are never notified.
    notify_attendees: NotRequired[bool]

ListChangesQuery = TypedDict(
    "ListChangesQuery",
    {
        # The `cursor` of the last response. Omitted: the feed starts now, or with what exists.
        "cursor": NotRequired["str"],
        # Without a cursor: `beginning` first returns every event that exists, as created.
        "from": NotRequired["Literal['beginning']"],
        # Return only changes in these calendars. Repeat the parameter for each one. Default: every calendar.
        "calendar_ids": NotRequired["list[str]"],
        # How many changes to return at most.
        "limit": NotRequired["int"],
        # `event`: each change includes the current event. A page ends at about 1 MB of events.
        "include": NotRequired["Literal['event']"],
    },
)

class ListWritesQuery(TypedDict):
    # Return only writes in this state.
    state: NotRequired[Literal["pending", "sent", "refused"]]
    # Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account.
    calendar_ids: NotRequired[list[str]]
    # Identifies a later page. Take it from `pages.next_page`, together with the other parameters.
    cursor: NotRequired[str]

class ReplyToEventQuery(TypedDict):
    # Of a recurring event: the original day of the occurrence you mean. `event_uid` is then the uid of any of its occurrences, or its `series_identifier`.
    occurrence_date: NotRequired[str]
    # Of a recurring event: `this` is the occurrence, `all` is the whole series. `ETag` covers the scope.
    scope: NotRequired[Literal["this", "all"]]

