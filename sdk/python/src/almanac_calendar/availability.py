from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .openapi import AvailabilityRequest, AvailabilityResponse
from .transport import ApiRequest


class Availability:
    """When people are free: of an application for any of its accounts, of an account for itself."""

    def __init__(self, request: Callable[[ApiRequest], Any]) -> None:
        self._request = request

    def find(self, question: AvailabilityRequest) -> AvailabilityResponse:
        """Finds when enough members of every group are free. A member of which too little is known is never free: see `problems`."""
        return self._request(ApiRequest("POST", "/v1/availability", is_repeatable=True, body=question))
