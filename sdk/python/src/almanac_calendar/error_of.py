from __future__ import annotations

from typing import Any

from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ErrorDetails,
    EventChangedError,
    FieldIssue,
    NotFoundError,
    OAuthError,
    PermissionDenied,
    RateLimitError,
    ServerError,
    UnreachableError,
    ValidationError,
)
from .retry import retry_after_of
from .tagged_event import tagged_event


def error_of(details: ErrorDetails, body: Any, now: float) -> ApiError:
    """The error of a response whose status is not 2xx. `now` is in seconds since 1970."""
    fields = body if isinstance(body, dict) else {}
    match details.status:
        case 400 if isinstance(fields.get("error"), str):
            return OAuthError(details, fields["error"], fields.get("error_description"))
        case 401:
            return AuthenticationError(details)
        case 403:
            return PermissionDenied(details)
        case 404:
            # Of a channel, or of a path that the service does not have. Elsewhere there is none.
            return NotFoundError(details, str(fields.get("description", "")))
        case 409:
            lists = [value if isinstance(value := fields.get(name), list) else [] for name in ("conflicts", "problems")]
            return ConflictError(details, *lists, fields.get("description"))
        case 412 if "event_uid" in fields:
            return EventChangedError(details, tagged_event(body, details.headers))
        # A proxy may have responded instead of the service.
        case 422 if isinstance(fields.get("errors"), dict):
            return ValidationError(details, _issues(fields["errors"]))
        case 429:
            seconds = retry_after_of(details.headers, now)
            return RateLimitError(details, 1 if seconds is None else seconds)
        case 503 if fields.get("error") == "unreachable":
            return UnreachableError(details, retry_after_of(details.headers, now), str(fields.get("sub", "")))
        case status if status >= 500:
            return ServerError(details, retry_after_of(details.headers, now))
    return ApiError(details)


def _issues(errors: dict[str, list[dict[str, Any]]]) -> list[FieldIssue]:
    return [
        FieldIssue(field, issue["key"], issue["description"]) for field, issues in errors.items() for issue in issues
    ]
