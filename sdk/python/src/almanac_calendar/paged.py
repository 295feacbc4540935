from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from .openapi import Pages

Item = TypeVar("Item")


class Listed(Generic[Item]):
    """A list that arrives in pages that aren't counted, each requested when it is needed. Each iteration reads it again."""

    def __init__(self, read: Callable[[str | None], tuple[list[Item], Mapping[str, Any]]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        search: str | None = None
        while True:
            items, pages = self._read(search)
            yield from items
            if "next_page" not in pages:
                return
            search = _search_of(pages["next_page"])


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: list[Item]
    #: The number of this page, from 1.
    current: int
    #: How many pages there are.
    total: int


class Paged(Generic[Item]):
    """A list that arrives in pages, each requested when it is needed. Each iteration reads it again."""

    def __init__(self, read: Callable[[str | None], tuple[list[Item], Pages]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[Item]]:
        search: str | None = None
        while True:
            items, pages = self._read(search)
            yield Page(items, pages["current"], pages["total"])
            if "next_page" not in pages:
                return
            search = _search_of(pages["next_page"])


def _search_of(next_page: str) -> str:
    """The query that names the page. The token stays with the address that the client was given."""
    return f"?{urlsplit(next_page).query}"
