from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .error_of import error_of
from .errors import AlmanacError, ApiError, ConnectionFailed, ErrorDetails
from .retry import asked_wait, is_worth_retrying, wait_before
from .settings import ResponseInfo, Settings
from .version import VERSION


@dataclass(frozen=True)
class ApiRequest:
    method: str
    path: str
    #: Whether sending it twice does what sending it once does.
    is_repeatable: bool
    #: A query string, with its question mark.
    search: str = ""
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: What to return of a 2xx response, whose headers have lower-case names. Default: its JSON.
    read: Callable[[Any, Mapping[str, str]], Any] | None = None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and a token must not follow who does."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send(settings: Settings, request: ApiRequest, authorization: str | None = None) -> Any:
    """What is read of a 2xx response: its JSON, None for an empty one. Raises the error of any other, after the retries that are safe."""
    retry = 0
    while True:
        try:
            return _attempt(settings, request, authorization, retry + 1)
        except AlmanacError as error:
            if retry >= settings.max_retries or not is_worth_retrying(error, request.is_repeatable):
                raise
            if asked_wait(error) > settings.max_retry_after:
                raise
            wait = wait_before(retry, error, settings.random)
        settings.sleep(wait)
        retry += 1


def _attempt(settings: Settings, request: ApiRequest, authorization: str | None, number: int) -> Any:
    status, headers, body = _exchange(settings, request, authorization)
    request_id = headers.get("svc-request-id")
    if settings.on_response:
        settings.on_response(ResponseInfo(request.method, request.path, status, request_id, number))
    details = ErrorDetails(status, f"{request.method} {request.path}", request_id, headers)
    is_json, value = _parsed(body)
    if not 200 <= status < 300:
        raise error_of(details, value, settings.now())
    if body and not is_json:
        raise ApiError(details, "the body is not JSON")
    return request.read(value, headers) if request.read else value


def _exchange(settings: Settings, request: ApiRequest, authorization: str | None) -> tuple[int, dict[str, str], bytes]:
    headers = {"accept": "application/json", "user-agent": f"almanac-calendar-python/{VERSION}"}
    headers.update(request.headers)
    if authorization is not None:
        headers["authorization"] = authorization
    data = None
    if request.body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps(request.body).encode()
    url = settings.base_url + request.path + request.search
    sent = urllib.request.Request(url, data=data, headers=headers, method=request.method)
    try:
        with _open(sent, settings.timeout) as response:
            found = {name.lower(): value for name, value in response.headers.items()}
            return response.status, found, response.read()
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        is_timeout = isinstance(error, TimeoutError) or isinstance(reason, TimeoutError)
        raise ConnectionFailed(f"{request.method} {request.path}", is_timeout) from error


def _open(request: urllib.request.Request, timeout: float) -> Any:
    """The response, whatever its status."""
    try:
        return _opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        return error


def _parsed(body: bytes) -> tuple[bool, Any]:
    try:
        return True, json.loads(body)
    except ValueError:
        return False, None
