"""What the client raises. No error contains a token, a secret or the text of an event."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .openapi import AvailabilityProblem, BookingConflictsConflictsItem, ErrorKey
from .tagged_event import TaggedEvent


class AlmanacError(Exception):
    """Every error that the client itself raises."""


class ConfigurationError(AlmanacError, ValueError):
    """The arguments of the client are missing or wrong. Raised when it is created."""


class ConnectionFailed(AlmanacError):
    """No response: the service could not be reached, the connection broke, or the timeout passed. `__cause__` says more."""

    def __init__(self, request: str, is_timeout: bool) -> None:
        super().__init__(f"{request} got no response{' in time' if is_timeout else ''}")
        self.is_timeout = is_timeout


@dataclass(frozen=True)
class ErrorDetails:
    status: int
    #: Such as `POST /v1/channels`.
    request: str
    #: The Svc-Request-Id of the response: what the dashboard finds the request by.
    request_id: str | None
    #: With lower-case names.
    headers: Mapping[str, str]


class ApiError(AlmanacError):
    """The service responded with an error status."""

    def __init__(self, details: ErrorDetails, what: str = "") -> None:
        about = f": {what}" if what else ""
        named = f" (request {details.request_id})" if details.request_id else ""
        super().__init__(f"{details.request} responded {details.status}{about}{named}")
        self.status = details.status
        self.request = details.request
        self.request_id = details.request_id
        self.headers = details.headers


class OAuthError(ApiError):
    """400 of the OAuth endpoints. `invalid_grant` on a refresh: the user has to connect again."""

    def __init__(self, details: ErrorDetails, error: str, description: str | None) -> None:
        super().__init__(details, ": ".join(filter(None, [error, description])))
        self.error = error
        self.description = description


class AuthenticationError(ApiError):
    """401: the access token is still rejected after a refresh, or the client credentials are wrong."""

    def __init__(self, details: ErrorDetails) -> None:
        found = re.search(r'error="([^"]*)"', details.headers.get("www-authenticate", ""))
        #: `invalid_token` or `invalid_request`.
        self.error = found[1] if found else None
        super().__init__(details, self.error or "")


class PermissionDenied(ApiError):
    """403: the calendar is read-only, or the event is one that your application may not change or reply to."""


class NotFoundError(ApiError):
    """404: there is no such calendar, channel, trigger, booking or event, or `base_url` is not the address of the API."""


class ConflictError(ApiError):
    """409: the time of a booking is not free, or a hold can't be confirmed any more. Nothing was written."""

    def __init__(
        self,
        details: ErrorDetails,
        conflicts: Sequence[BookingConflictsConflictsItem],
        problems: Sequence[AvailabilityProblem],
        what: str | None,
    ) -> None:
        super().__init__(details, what or f"{len(conflicts)} conflicts, {len(problems)} problems")
        #: The time that is taken. Empty if the hold has expired, its event was deleted, or another one written in its place.
        self.conflicts = tuple(conflicts)
        #: Accounts whose time isn't known, regardless of their events.
        self.problems = tuple(problems)


class EventChangedError(ApiError):
    """412: the event is no longer the one that `if_match` names, and nothing was written."""

    def __init__(self, details: ErrorDetails, current: TaggedEvent) -> None:
        super().__init__(details)
        #: The current event, with the `etag` for the next attempt.
        self.current = current


@dataclass(frozen=True)
class FieldIssue:
    #: Such as `location.description` or `calendar_ids[0]`. `base` is the whole body.
    field: str
    key: ErrorKey
    #: For developers. Match on `key`.
    description: str


class ValidationError(ApiError):
    """422: the request is invalid, and nothing was written."""

    def __init__(self, details: ErrorDetails, issues: Sequence[FieldIssue]) -> None:
        super().__init__(details, ", ".join(f"{issue.field} {issue.key}" for issue in issues))
        self.issues = tuple(issues)

    def has(self, key: ErrorKey, field: str | None = None) -> bool:
        """Whether the response has this key, for this field if one is given."""
        return any(issue.key == key and field in (None, issue.field) for issue in self.issues)


class RateLimitError(ApiError):
    """429, after the retries: the application or the account is over its rate limit."""

    def __init__(self, details: ErrorDetails, retry_after: int) -> None:
        super().__init__(details, f"retry after {retry_after} s")
        #: Seconds to wait before the next request.
        self.retry_after = retry_after


class ServerError(ApiError):
    """5xx, after the retries."""

    def __init__(self, details: ErrorDetails, retry_after: int | None) -> None:
        super().__init__(details)
        #: Seconds to wait before the next request, if the service said so.
        self.retry_after = retry_after


class UnreachableError(ServerError):
    """503 to a booking or its confirmation, after the retries: a provider can't be reached to check whether the time is free. Nothing was written."""

    def __init__(self, details: ErrorDetails, retry_after: int | None, sub: str) -> None:
        super().__init__(details, retry_after)
        #: The account whose provider did not answer.
        self.sub = sub
