from __future__ import annotations

from urllib.parse import quote

from .account_request import AccountRequests
from .openapi import (
    Account,
    CalendarsResponseCalendarsItem,
    Channel,
    ChannelRequest,
    ChannelResponseChannel,
    CompatibilityUserinfo,
    Event,
    EventDelete,
    EventWrite,
    FreeBusyPeriod,
    ListEventsQuery,
    ListFreeBusyQuery,
    OccurrenceWrite,
    Pages,
    Profile,
    SandboxChange,
    Userinfo,
)
from .paged import Paged
from .query import query_string
from .transport import ApiRequest


class AccountClient:
    """Calls the API on behalf of one account. Get one from `almanac.account()` and keep it while you work with the account."""

    def __init__(self, request: AccountRequests) -> None:
        self._request = request
        self.profiles = Profiles(request)
        self.calendars = Calendars(request)
        self.events = Events(request)
        self.free_busy = FreeBusy(request)
        self.channels = Channels(request)
        self.link_tokens = LinkTokens(request)
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


class Calendars(_Resource):
    def list(self) -> list[CalendarsResponseCalendarsItem]:
        """The calendars of all profiles."""
        return self._request.get("/v1/calendars")["calendars"]


class LinkTokens(_Resource):
    def create(self) -> str:
        """A token for `authorization_url(link_token=…)`: the calendar account that the user connects there joins this account. Valid once, for 5 minutes."""
        return self._request(ApiRequest("POST", "/v1/link_tokens", is_repeatable=False))["link_token"]


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

    def change_occurrence(self, calendar_id: str, change: OccurrenceWrite) -> None:
        """Changes one occurrence of a recurring event. Replaces an earlier change of the same occurrence."""
        path = f"{_events_of(calendar_id)}/occurrences"
        self._request(ApiRequest("POST", path, is_repeatable=True, body=change))


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

    def close(self, channel_id: str) -> None:
        """Succeeds if the channel is closed already."""
        self._request(ApiRequest("DELETE", f"/v1/channels/{quote(channel_id, safe='')}", is_repeatable=True))


class Sandbox(_Resource):
    """For tests of your application, in application calendars alone."""

    def change(self, change: SandboxChange) -> None:
        """Plays another person, or the provider. Repeating a change has no effect, except that `event_created` adds another event."""
        is_repeatable = change["type"] != "event_created"
        self._request(ApiRequest("POST", "/v1/sandbox/changes", is_repeatable, body=change))


def _events_of(calendar_id: str) -> str:
    return f"/v1/calendars/{quote(calendar_id, safe='')}/events"
