from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .openapi import ResourcesResponse, ServiceAccountAuthorization
from .transport import ApiRequest


class Organizations:
    """Mailboxes that their organizations open for the application."""

    def __init__(self, request: Callable[[ApiRequest], Any]) -> None:
        self._request = request

    def authorize(self, mailboxes: Sequence[ServiceAccountAuthorization]) -> None:
        """Asks for mailboxes. What comes of each is sent to its `callback_url`."""
        body = {"service_account_authorizations": list(mailboxes)}
        self._request(ApiRequest("POST", "/v1/service_account_authorizations", is_repeatable=True, body=body))

    def rooms(self) -> ResourcesResponse:
        """Lists the rooms, and the organizations whose rooms could not be listed."""
        return self._request(ApiRequest("GET", "/v1/resources", is_repeatable=True))
