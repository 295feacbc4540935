from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from random import random as system_random
from typing import Any, Literal, cast

from .account import AccountClient
from .account_request import AccountRequests
from .application_request import ApplicationRequests
from .availability import Availability
from .bookings import Bookings
from .check_arguments import check_arguments
from .openapi import LinkingProfile
from .organizations import Organizations
from .query import query_string
from .settings import ResponseInfo, Settings
from .tokens import AccountTokens, StoredTokens, Tokens, TokenStore
from .transport import ApiRequest, send
from .webhooks import Delivery, SigningSecret, verify_authorization, verify_webhook


class Connection(Tokens):
    """The tokens of a new connection, and whose they are."""

    account_id: str
    profile: LinkingProfile


class Almanac:
    """The client of one application. Create one and keep it: threads can share it."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        app_url: str | None = None,
        other_client_secrets: Sequence[str] = (),
        timeout: float = 30,
        max_retries: int = 3,
        max_retry_after: float = 60,
        on_response: Callable[[ResponseInfo], None] | None = None,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = system_random,
    ) -> None:
        """`other_client_secrets` are the other active ones during a rotation. Times are in seconds; `now`, `sleep` and `random` are for tests. Raises ConfigurationError."""
        check_arguments(base_url, app_url, client_id, client_secret)
        base_url = base_url.rstrip("/")
        self._settings = Settings(base_url, timeout, max_retries, max_retry_after, on_response, now, sleep, random)
        self._app_url = (app_url or base_url).rstrip("/")
        self._client_id = client_id
        self._client_secret = client_secret
        self._refreshing: dict[str, Future[Tokens]] = {}
        self._lock = threading.Lock()
        of_application = ApplicationRequests(self._settings, client_id, client_secret)
        #: For any accounts of the application.
        self.availability = Availability(of_application)
        #: For any accounts of the application.
        self.bookings = Bookings(of_application)
        #: Mailboxes that their organizations open.
        self.organizations = Organizations(of_application)
        self.application_calendars = ApplicationCalendars(self)
        self.profiles = ApplicationProfiles(self, of_application)
        self.webhooks = Webhooks([client_secret, *other_client_secrets], now)

    def authorization_url(
        self,
        *,
        redirect_uri: str,
        state: str,
        provider_name: str | None = None,
        link_token: str | None = None,
        access: Literal["read", "free_busy"] | None = None,
        scope: str | None = None,
        code_challenge: str | None = None,
        locale: str | None = None,
    ) -> str:
        """Where to send the user's browser to connect a calendar account. Compare the `state` before you exchange the code."""
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "state": state,
            "scope": scope,
            "provider_name": provider_name,
            "link_token": link_token,
            "access": access,
            "code_challenge": code_challenge,
            "code_challenge_method": "S256" if code_challenge else None,
            "locale": locale,
        }
        return f"{self._app_url}/oauth/authorize{query_string(query)}"

    def exchange_code(self, *, code: str, redirect_uri: str, code_verifier: str | None = None) -> Connection:
        """The tokens for the `code` of the redirect. A code is valid once, for 10 minutes."""
        grant = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        if code_verifier is not None:
            grant["code_verifier"] = code_verifier
        return self._connection(self._post("/oauth/token", grant, is_repeatable=False))

    def refresh(self, refresh_token: str) -> Tokens:
        """A new access token. Accounts do this themselves; concurrent calls share one request."""
        own: Future[Tokens] = Future()
        with self._lock:
            shared = self._refreshing.setdefault(refresh_token, own)
        if shared is not own:
            return shared.result()
        try:
            grant = {"grant_type": "refresh_token", "refresh_token": refresh_token}
            own.set_result(self._tokens(self._post("/oauth/token", grant, is_repeatable=True)))
        except BaseException as error:
            own.set_exception(error)
        finally:
            with self._lock:
                del self._refreshing[refresh_token]
        return own.result()

    def revoke(self, token: str) -> None:
        """Ends the connection that the access or refresh token belongs to: all of its tokens, channels and stored events."""
        self._post("/oauth/token/revoke", {"token": token}, is_repeatable=True)

    def account(self, tokens: StoredTokens | Tokens | TokenStore) -> AccountClient:
        """Calls on behalf of an account. Pass a store, and renewed tokens are saved to it."""
        store = _Passed(cast(StoredTokens, tokens)) if isinstance(tokens, Mapping) else tokens
        account_tokens = AccountTokens(store, self.refresh, self._settings.now)
        return AccountClient(AccountRequests(self._settings, account_tokens))

    def _post(self, path: str, fields: Mapping[str, str], *, is_repeatable: bool) -> Any:
        body = {"client_id": self._client_id, "client_secret": self._client_secret, **fields}
        return send(self._settings, ApiRequest("POST", path, is_repeatable=is_repeatable, body=body))

    def _tokens(self, response: dict[str, Any]) -> Tokens:
        expires_at = self._settings.now() + response["expires_in"]
        kept = {name: response[name] for name in ("access_token", "refresh_token", "scope")}
        return cast(Tokens, {**kept, "expires_at": expires_at})

    def _connection(self, response: dict[str, Any]) -> Connection:
        owner = {"account_id": response["account_id"], "profile": response["linking_profile"]}
        return cast(Connection, {**self._tokens(response), **owner})


class ApplicationCalendars:
    def __init__(self, almanac: Almanac) -> None:
        self._almanac = almanac

    def open(self, application_calendar_id: str) -> Connection:
        """Opens a calendar that Almanac hosts. The same id always opens the same calendar."""
        fields = {"application_calendar_id": application_calendar_id}
        return self._almanac._connection(self._almanac._post("/v1/application_calendars", fields, is_repeatable=True))


class ApplicationProfiles:
    def __init__(self, almanac: Almanac, request: ApplicationRequests) -> None:
        self._almanac = almanac
        self._request = request

    def import_token(self, *, provider_name: str, refresh_token: str, account_id: str | None = None) -> Connection:
        """Connects the account of a user who gave a refresh token to the OAuth client that Almanac is configured with."""
        body = {"provider_name": provider_name, "refresh_token": refresh_token}
        if account_id is not None:
            body["sub"] = account_id
        request = ApiRequest("POST", "/v1/profiles/import", is_repeatable=True, body=body)
        return self._almanac._connection(self._request(request))


class Webhooks:
    def __init__(self, client_secrets: Sequence[str], now: Callable[[], float]) -> None:
        self._client_secrets = client_secrets
        self._now = now

    def verify(
        self, *, body: bytes, headers: Mapping[str, str], signing_secret: SigningSecret = None, tolerance: float = 300
    ) -> Delivery:
        """The delivery, once it is certain that Almanac sent it. Raises a WebhookVerificationError otherwise."""
        return verify_webhook(
            body=body,
            headers=headers,
            client_secret=self._client_secrets,
            signing_secret=signing_secret,
            tolerance=tolerance,
            now=self._now,
        )

    def verify_authorization(self, *, body: bytes, headers: Mapping[str, str]) -> dict[str, str]:
        """What came of a mailbox that `organizations.authorize` asked for. Raises a WebhookVerificationError otherwise."""
        return verify_authorization(body=body, headers=headers, client_secret=self._client_secrets)


class _Passed:
    """Tokens that nobody stores."""

    def __init__(self, tokens: StoredTokens) -> None:
        self._tokens = tokens

    def load(self) -> StoredTokens:
        return self._tokens

    def save(self, tokens: Tokens) -> None:
        pass


@dataclass(frozen=True)
class Pkce:
    """For `authorization_url` (the challenge) and `exchange_code` (the verifier)."""

    code_verifier: str
    code_challenge: str


def create_pkce() -> Pkce:
    """A verifier at random with its S256 challenge (RFC 7636)."""
    verifier = secrets.token_urlsafe(32)
    digest = hashlib.sha256(verifier.encode()).digest()
    return Pkce(verifier, base64.urlsafe_b64encode(digest).decode().rstrip("="))
