from __future__ import annotations

from typing import Any

from .errors import AuthenticationError
from .settings import Settings
from .tokens import AccountTokens
from .transport import ApiRequest, send


class AccountRequests:
    """Requests with the account's access token: after a 401 once more, with a renewed one."""

    def __init__(self, settings: Settings, tokens: AccountTokens) -> None:
        self._settings = settings
        self._tokens = tokens

    def __call__(self, request: ApiRequest) -> Any:
        access_token = self._tokens.current()
        try:
            return send(self._settings, request, f"Bearer {access_token}")
        except AuthenticationError:
            return send(self._settings, request, f"Bearer {self._tokens.instead_of(access_token)}")

    def get(self, path: str, search: str = "") -> Any:
        return self(ApiRequest("GET", path, is_repeatable=True, search=search))
