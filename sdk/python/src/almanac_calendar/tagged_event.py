from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .openapi import NamedEvent


@dataclass(frozen=True)
class TaggedEvent:
    """An event as it was read, with the tag of this version."""

    #: Not in its repr, so that a log has no text of the event.
    event: NamedEvent = field(repr=False)
    #: Pass it as `if_match`, so that your change does not overwrite what you have not seen.
    etag: str


def tagged_event(body: Any, headers: Mapping[str, str]) -> TaggedEvent:
    return TaggedEvent(body, headers.get("etag", ""))
