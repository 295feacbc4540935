from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

from .settings import Settings
from .transport import ApiRequest, send


class ApplicationRequests:
    """Requests with the application's credentials, as HTTP Basic (RFC 6749 §2.3.1)."""

    def __init__(self, settings: Settings, client_id: str, client_secret: str) -> None:
        pair = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}"
        self._settings = settings
        self._authorization = f"Basic {base64.b64encode(pair.encode()).decode()}"

    def __call__(self, request: ApiRequest) -> Any:
        return send(self._settings, request, self._authorization)
