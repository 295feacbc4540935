from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from .account_request import AccountRequests
from .openapi import ChangesResponse, ListChangesQuery
from .query import query_string


class Changes:
    """What changed in the calendars of an account."""

    def __init__(self, request: AccountRequests) -> None:
        self._request = request

    def list(self, query: ListChangesQuery | None = None) -> ChangesResponse:
        """One page of changes, with the cursor of the next. Without a cursor, the feed starts now."""
        return self._request.get("/v1/changes", query_string(query or {}))

    def follow(self, query: ListChangesQuery | None = None) -> Iterator[ChangesResponse]:
        """The pages up to now. Store the `cursor` of each once you have handled its changes.

        With `reset`, forget what you stored first.
        """
        rest = {name: value for name, value in (query or {}).items() if name != "from"}
        page = self.list(query)
        yield page
        while page["has_more"]:
            page = self.list(cast(ListChangesQuery, {**rest, "cursor": page["cursor"]}))
            yield page
