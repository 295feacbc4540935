from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class ResponseInfo:
    """What `on_response` gets: for logs and metrics. It holds no token and no text of an event."""

    method: str
    path: str
    status: int
    request_id: str | None
    #: 1 for the first attempt.
    attempt: int


@dataclass(frozen=True)
class Settings:
    #: Without a slash at the end.
    base_url: str
    timeout: float
    max_retries: int
    max_retry_after: float
    on_response: Callable[[ResponseInfo], None] | None
    now: Callable[[], float]
    sleep: Callable[[float], None]
    random: Callable[[], float]
