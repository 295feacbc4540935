"""When a request is sent again. All times are in seconds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime

from .errors import AlmanacError, ConnectionFailed, RateLimitError, ServerError

FIRST_WAIT = 0.5
LONGEST_OWN_WAIT = 20.0


def is_worth_retrying(error: AlmanacError, is_repeatable: bool) -> bool:
    """A 429 was rejected before anything was done, so any request may follow one."""
    if isinstance(error, RateLimitError):
        return True
    return is_repeatable and isinstance(error, (ServerError, ConnectionFailed))


def wait_before(retry: int, error: AlmanacError, random: Callable[[], float]) -> float:
    """Until the given retry (the first is 0): longer each time, at random, and never less than Retry-After."""
    most = min(FIRST_WAIT * 2**retry, LONGEST_OWN_WAIT)
    own = most / 2 + (most / 2) * random()
    asked = asked_wait(error)
    # What was rejected together must not come back together.
    return max(own, asked + asked * 0.1 * random())


def asked_wait(error: AlmanacError) -> float:
    """The Retry-After; 0 without one."""
    return (getattr(error, "retry_after", None) or 0) * 1.0


def retry_after_of(headers: Mapping[str, str], now: float) -> int | None:
    """A Retry-After header is a number or a date (RFC 9110, 10.2.3)."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    try:
        return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - now))
    except ValueError:
        return None
