from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from .account_request import AccountRequests
from .availability import Availability
from .bookings import Bookings
from .changes import Changes
from .openapi import (
    Account,
    BatchEntry,
    BatchOutcome,
    CalendarsResponseCalendarsItem,
    Channel,
    ChannelRequest,
    ChannelResponseChannel,
    CompatibilityUserinfo,
    DeleteEventByUidQuery,
    DeliverySettings,
    DeliverySettingsResponseDelivery,
    Event,
    EventDelete,
    EventPatch,
    EventsDelete,
    EventWrite,
    Feed,
    FeedRequest,
    FeedResponse,
    FreeBusyPeriod,
    GetEventQuery,
    ListEventsQuery,
    ListFreeBusyQuery,
    ListWritesQuery,
    OccurrenceWrite,
    Pages,
    ParticipationStatus,
    PatchEventQuery,
    Profile,
    ProfileStatus,
    Receipt,
    ReconnectLinkRequest,
    ReplyToEventQuery,
    SandboxChange,
    Subscription,
    SubscriptionRequest,
    SubscriptionResponse,
    Trigger,
    TriggerRequest,
    TriggerResponse,
    Userinfo,
    Write,
    WritesResponse,
)
from .paged import Listed, Paged
from .query import query_string
from .tagged_event import TaggedEvent, tagged_event
from .transport import ApiRequest


class AccountClient:
    """Calls the API on behalf of one account. Get one from `almanac.account()` and keep it while you work with the account."""

    def __init__(self, request: AccountRequests) -> None:
        self._request = request
        self.profiles = Profiles(request)
        self.calendars = Calendars(request)
        self.events = Events(request)
        self.free_busy = FreeBusy(request)
        #: For this account alone: use `almanac.availability` for several.
        self.availability = Availability(request)
        #: For this account alone: use `almanac.bookings` for several.
        self.bookings = Bookings(request)
        self.changes = Changes(request)
        self.channels = Channels(request)
        self.subscriptions = Subscriptions(request)
        self.triggers = Triggers(request)
        self.feeds = Feeds(request)
        self.link_tokens = LinkTokens(request)
        self.reconnect_links = ReconnectLinks(request)
        self.writes = Writes(request)
        self.sandbox = Sandbox(request)

    def get(self) -> Account:
        return self._request.get("/v1/account")["account"]

    def userinfo(self) -> Userinfo | CompatibilityUserinfo:
        return self._request.get("/v1/userinfo")


class _Resource:
    def __init__(self, request: AccountRequests) -> None:
        self._request = request


class Profiles(_Resource):
    def list(self) -> list[Profile]:
        """The connected calendar accounts, each with its calendars."""
        return self._request.get("/v1/profiles")["profiles"]

    def status(self, profile_id: str) -> ProfileStatus:
        """Whether the calendar account is connected and up to date, and if not, why."""
        return self._request.get(f"/v1/profiles/{quote(profile_id, safe='')}/status")


class Calendars(_Resource):
    def list(self) -> list[CalendarsResponseCalendarsItem]:
        """The calendars of all profiles."""
        return self._request.get("/v1/calendars")["calendars"]


class LinkTokens(_Resource):
    def create(self) -> str:
        """A token for `authorization_url(link_token=…)`: the calendar account that the user connects there joins this account. Valid once, for 5 minutes."""
        return self._request(ApiRequest("POST", "/v1/link_tokens", is_repeatable=False))["link_token"]


class ReconnectLinks(_Resource):
    def create(self, profile_id: str, link: ReconnectLinkRequest | None = None) -> str:
        """A link to send to the user, who reconnects exactly this profile with it. It works once."""
        path = f"/v1/profiles/{quote(profile_id, safe='')}/reconnect_links"
        return self._request(ApiRequest("POST", path, is_repeatable=False, body=link or {}))["url"]


class Events(_Resource):
    """The events of an account. Writes name them by your own `event_id`, so a write that is sent twice leaves one event."""

    def list(self, query: ListEventsQuery) -> Paged[Event]:
        """The events of a window, a recurring one once for each occurrence. Without `include_managed`, events of your own application are omitted."""

        def read(search: str | None) -> tuple[list[Event], Pages]:
            body = self._request.get("/v1/events", query_string(query) if search is None else search)
            return body["events"], body["pages"]

        return Paged(read)

    def write(self, calendar_id: str, event: EventWrite) -> None:
        """Creates the event, or replaces the one that has its `event_id`."""
        self._request(ApiRequest("POST", _events_of(calendar_id), is_repeatable=True, body=event))

    def delete(self, calendar_id: str, event: EventDelete) -> None:
        """Deletes the event, or with `occurrence_date` one of its occurrences. Succeeds if there is no such event."""
        self._request(ApiRequest("DELETE", _events_of(calendar_id), is_repeatable=True, body=event))

    def batch(self, entries: Sequence[BatchEntry]) -> Sequence[BatchOutcome]:
        """Carries out up to 50 writes and deletions in their order, and returns what became of each, in the same order: look at every `status`. One that fails does not stop the others. Those with 429 were over the rate limit: send them again."""
        return self._request(ApiRequest("POST", "/v1/batch", is_repeatable=True, body={"batch": entries}))["batch"]

    def delete_all(self, which: EventsDelete) -> None:
        """Deletes the events that your application created, in all calendars or in some."""
        self._request(ApiRequest("DELETE", "/v1/events", is_repeatable=True, body=which))

    def change_occurrence(self, calendar_id: str, change: OccurrenceWrite) -> None:
        """Changes one occurrence of a recurring event. Replaces an earlier change of the same occurrence."""
        path = f"{_events_of(calendar_id)}/occurrences"
        self._request(ApiRequest("POST", path, is_repeatable=True, body=change))

    def receipt(self, calendar_id: str, event_id: str) -> Receipt:
        """The outcome of your last write of the event: whether the calendar provider has it."""
        return self._request.get(f"{_events_of(calendar_id)}/{quote(event_id, safe='')}/receipt")

    def get(self, event_uid: str, query: GetEventQuery | None = None) -> TaggedEvent:
        """One event or occurrence by its `event_uid`, whoever created it, with what you may do with it."""
        return self._request(_named("GET", event_uid, query, is_repeatable=True, read=tagged_event))

    def update(
        self,
        event_uid: str,
        patch: EventPatch,
        query: PatchEventQuery | None = None,
        if_match: str | None = None,
    ) -> TaggedEvent:
        """Changes the fields that `patch` has, and removes those that it has as None. Returns the changed event. Raises `EventChangedError` unless the event still has the etag of `if_match`."""
        # Sent twice, the second would not match, or not find the occurrence that the first has moved.
        is_repeatable = if_match is None and (query or {}).get("scope") != "all"
        headers = _conditional(if_match)
        named = _named("PATCH", event_uid, query, is_repeatable, body=patch, headers=headers, read=tagged_event)
        return self._request(named)

    def delete_by_uid(
        self, event_uid: str, query: DeleteEventByUidQuery | None = None, if_match: str | None = None
    ) -> None:
        """Deletes the event or occurrence that has this `event_uid`. Raises `EventChangedError` unless it still has the etag of `if_match`."""
        self._request(_named("DELETE", event_uid, query, if_match is None, headers=_conditional(if_match)))

    def reply(
        self, calendar_id: str, event_uid: str, reply: ParticipationStatus, query: ReplyToEventQuery | None = None
    ) -> None:
        """Replies to an invitation as the user, whose reply the organizer learns of."""
        path = f"{_events_of(calendar_id)}/{quote(event_uid, safe='')}/participation_status"
        self._request(ApiRequest("POST", path, is_repeatable=True, search=query_string(query or {}), body=reply))


class Writes(_Resource):
    """What became of the events that your application wrote: the last write of each."""

    def list(self, query: ListWritesQuery | None = None) -> Listed[Write]:
        def read(search: str | None) -> tuple[list[Write], Any]:
            body: WritesResponse = self._request.get("/v1/writes", query_string(query or {}) if search is None else search)
            return body["writes"], body["pages"]

        return Listed(read)


class FreeBusy(_Resource):
    def list(self, query: ListFreeBusyQuery) -> Paged[FreeBusyPeriod]:
        """One period for each event and each occurrence. Declined invitations are omitted."""

        def read(search: str | None) -> tuple[list[FreeBusyPeriod], Pages]:
            body = self._request.get("/v1/free_busy", query_string(query) if search is None else search)
            return body["free_busy"], body["pages"]

        return Paged(read)


class Channels(_Resource):
    """The webhook channels of an account."""

    def create(self, channel: ChannelRequest) -> ChannelResponseChannel:
        """Store the `signing_secret`: it is returned only here. A verification is sent to the URL at once."""
        # Sent twice, it would open two channels.
        return self._request(ApiRequest("POST", "/v1/channels", is_repeatable=False, body=channel))["channel"]

    def list(self) -> list[Channel]:
        """The open channels."""
        return self._request.get("/v1/channels")["channels"]

    def test(self, channel_id: str) -> str:
        """Sends the channel a `change` although nothing changed. Gives its delivery id, which the webhook repeats."""
        # Sent twice, it would be two events.
        path = f"/v1/channels/{quote(channel_id, safe='')}/test"
        return self._request(ApiRequest("POST", path, is_repeatable=False))["delivery"]["delivery_id"]

    def set_delivery(self, channel_id: str, settings: DeliverySettings) -> DeliverySettingsResponseDelivery:
        """Sets what its notifications say and how they are signed: what is omitted returns to the default."""
        path = f"/v1/channels/{quote(channel_id, safe='')}/delivery"
        return self._request(ApiRequest("PUT", path, is_repeatable=True, body=settings))["delivery"]

    def close(self, channel_id: str) -> None:
        """Succeeds if the channel is closed already."""
        self._request(ApiRequest("DELETE", f"/v1/channels/{quote(channel_id, safe='')}", is_repeatable=True))


class Subscriptions(_Resource):
    """The calendar feeds (ICS) that an account is subscribed to."""

    def create(self, subscription: SubscriptionRequest) -> SubscriptionResponse:
        """Adds the feed's calendar, read-only. The same `url` again updates the subscription."""
        return self._request(ApiRequest("POST", "/v1/subscriptions", is_repeatable=True, body=subscription))

    def list(self) -> list[Subscription]:
        """The subscriptions, oldest first, without their addresses."""
        return self._request.get("/v1/subscriptions")["subscriptions"]

    def delete(self, calendar_id: str) -> None:
        """Removes the feed's calendar with all events at once."""
        # Sent twice, the second finds no subscription.
        path = f"/v1/subscriptions/{quote(calendar_id, safe='')}"
        self._request(ApiRequest("DELETE", path, is_repeatable=False))


class Triggers(_Resource):
    """Webhooks before or after the events of an account start or end."""

    def create(self, trigger: TriggerRequest) -> TriggerResponse:
        """Store the `signing_secret`: it is returned only here."""
        # Sent twice, it would create two triggers.
        return self._request(ApiRequest("POST", "/v1/triggers", is_repeatable=False, body=trigger))

    def list(self) -> list[Trigger]:
        """The triggers, oldest first."""
        return self._request.get("/v1/triggers")["triggers"]

    def delete(self, trigger_id: str) -> None:
        """It no longer fires, and its pending notifications are cancelled."""
        # Sent twice, the second finds no trigger.
        self._request(ApiRequest("DELETE", f"/v1/triggers/{quote(trigger_id, safe='')}", is_repeatable=False))


class Feeds(_Resource):
    """Secret addresses at which calendar apps subscribe to a calendar."""

    def create(self, calendar_id: str, feed: FeedRequest) -> FeedResponse:
        """Store the `url`: it is returned only here. Anyone who has it can read the feed."""
        # Sent twice, it would create two feeds.
        return self._request(ApiRequest("POST", _feeds_of(calendar_id), is_repeatable=False, body=feed))

    def list(self, calendar_id: str) -> list[Feed]:
        """The feeds of a calendar, oldest first, without their addresses."""
        return self._request.get(_feeds_of(calendar_id))["feeds"]

    def delete(self, calendar_id: str, feed_id: str) -> None:
        """Its address responds with 404 from now on."""
        # Sent twice, the second finds no feed.
        path = f"{_feeds_of(calendar_id)}/{quote(feed_id, safe='')}"
        self._request(ApiRequest("DELETE", path, is_repeatable=False))


class Sandbox(_Resource):
    """For tests of your application, in application calendars alone."""

    def change(self, change: SandboxChange) -> None:
        """Simulates a change by another person or the provider. Repeating a change has no effect, except that `event_created` adds another event."""
        is_repeatable = change["type"] != "event_created"
        self._request(ApiRequest("POST", "/v1/sandbox/changes", is_repeatable, body=change))


def _events_of(calendar_id: str) -> str:
    return f"/v1/calendars/{quote(calendar_id, safe='')}/events"


def _feeds_of(calendar_id: str) -> str:
    return f"/v1/calendars/{quote(calendar_id, safe='')}/feeds"


def _named(
    method: str, event_uid: str, query: Mapping[str, Any] | None, is_repeatable: bool, **more: Any
) -> ApiRequest:
    path = f"/v1/events/{quote(event_uid, safe='')}"
    return ApiRequest(method, path, is_repeatable, search=query_string(query or {}), **more)


def _conditional(if_match: str | None) -> dict[str, str]:
    return {} if if_match is None else {"if-match": if_match}
