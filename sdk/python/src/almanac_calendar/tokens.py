from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NotRequired, Protocol, TypedDict, cast

#: A token is renewed so many seconds before it expires, for a request that is on its way then.
EARLY = 60


class Tokens(TypedDict):
    """What an application stores for each account, encrypted at rest. Plain JSON."""

    access_token: str
    #: Never changes.
    refresh_token: str
    #: When the access token expires, in seconds since 1970.
    expires_at: float
    scope: str


class StoredTokens(TypedDict):
    """What the client needs of it: with the refresh token alone it gets the rest."""

    refresh_token: str
    access_token: NotRequired[str]
    expires_at: NotRequired[float]
    scope: NotRequired[str]


class TokenStore(Protocol):
    """Where an application keeps the tokens of one account."""

    def load(self) -> StoredTokens | Tokens:
        """Called once, before the first request."""
        ...

    def save(self, tokens: Tokens) -> None:
        """Called after each refresh, with whatever else `load` returned. Requests wait for it."""
        ...


class AccountTokens:
    """The tokens of one account: loaded once, and renewed by one request however many threads wait for it."""

    def __init__(self, store: TokenStore, refresh: Callable[[str], Tokens], now: Callable[[], float]) -> None:
        self._store = store
        self._refresh = refresh
        self._now = now
        self._stored: dict[str, Any] | None = None
        self._lock = threading.Lock()

    def current(self) -> str:
        """An access token that has not expired."""
        with self._lock:
            stored = self._load()
            token = stored.get("access_token")
            if token is not None and stored.get("expires_at", float("inf")) - EARLY > self._now():
                return token
            return self._renew(stored)

    def instead_of(self, rejected: str) -> str:
        """Another access token than the one that was rejected."""
        with self._lock:
            stored = self._load()
            token = stored.get("access_token")
            return token if token is not None and token != rejected else self._renew(stored)

    def _load(self) -> dict[str, Any]:
        if self._stored is None:
            self._stored = dict(self._store.load())
        return self._stored

    def _renew(self, stored: dict[str, Any]) -> str:
        renewed = {**stored, **self._refresh(stored["refresh_token"])}
        self._stored = renewed
        self._store.save(cast(Tokens, renewed))
        return renewed["access_token"]
