from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from .openapi import BookingRequest, BookingResponse
from .transport import ApiRequest


class Bookings:
    """Events that are written only if everyone is free: of an application for any of its accounts, of an account for itself."""

    def __init__(self, request: Callable[[ApiRequest], Any]) -> None:
        self._request = request

    def book(self, booking: BookingRequest) -> BookingResponse:
        """Books the time, or holds it with `hold_seconds`. Sent again, it gives the same booking.

        Raises a ConflictError if someone is not free, and an UnreachableError if a provider can't be reached.
        """
        return self._request(ApiRequest("POST", "/v1/bookings", is_repeatable=True, body=booking))

    def get(self, booking_id: str) -> BookingResponse:
        return self._request(ApiRequest("GET", _path_of(booking_id), is_repeatable=True))

    def confirm(self, booking_id: str) -> BookingResponse:
        """Writes the event of a hold, if its time is still free.

        Raises a ConflictError if it is not, or the hold has expired, and an UnreachableError if a provider can't be reached.
        """
        return self._request(ApiRequest("POST", f"{_path_of(booking_id)}/confirm", is_repeatable=True))

    def cancel(self, booking_id: str) -> None:
        """Frees the time. If it was booked, its event is deleted and the guests are notified."""
        # Sent twice, the second finds no booking.
        self._request(ApiRequest("DELETE", _path_of(booking_id), is_repeatable=False))


def _path_of(booking_id: str) -> str:
    return f"/v1/bookings/{quote(booking_id, safe='')}"
